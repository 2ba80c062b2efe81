import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TenantFacts } from '../../../machines/vocabulary.ts';
import { factsAnnotation } from '../../contract/directory-api/facts-annotation.ts';

/** Sends a GET request for a path below `/beta`, and returns the parsed body; `null` for a path that does not exist. */
export type AskDirectory = (path: string, headers: Readonly<Record<string, string>>) => Promise<unknown>;

/** Part of the tenant's facts that the directory API does not show. */
export type HiddenFacts = Pick<TenantFacts, 'rollout' | 'options' | 'subscription'>;

/** Written files by name, with their numbers of rows. */
export type LogFiles = Readonly<Record<string, number>>;

/** Names of the files, which options of `import` read. */
export const logFileNames = {
  signIns: 'sign-ins.ndjson',
  auditLog: 'audit-log.ndjson',
  registrations: 'registrations.ndjson',
  groups: 'groups.ndjson',
  policy: 'policy.json',
  tenant: 'tenant.json',
} as const;

type Row = Readonly<Record<string, unknown>>;

/** Number of users and groups per page. */
const pageRows = 999;

/**
 * Writes the logs, the registration report, the group members, the policy and the tenant of a sandbox to a folder, in
 * the formats that `import` reads. Pages are written as they arrive.
 *
 * @param ask - sends a request to the directory API
 * @param folder - existing folder
 * @param options - facts of the tenant, and whether rows contain the facts of their attempts
 * @returns the number of rows of each file
 */
export async function writeLogFiles(
  ask: AskDirectory,
  folder: string,
  { hidden, withFacts }: { readonly hidden: HiddenFacts; readonly withFacts: boolean },
): Promise<LogFiles> {
  const prefer: Readonly<Record<string, string>> = withFacts
    ? { Prefer: `include-annotations="${factsAnnotation}"` }
    : {};
  const counts: Record<string, number> = {};
  const write = async (name: string, path: string): Promise<boolean> => {
    const rows = await writeRows(join(folder, name), listRows(ask, path, prefer));
    if (rows !== null) counts[name] = rows;
    return rows !== null;
  };
  const bothKinds = encodeURIComponent('isInteractive eq true or isInteractive eq false');
  await write(logFileNames.signIns, `auditLogs/signIns?$filter=${bothKinds}`);
  await write(logFileNames.auditLog, 'auditLogs/directoryAudits');
  await write(logFileNames.registrations, 'reports/authenticationMethods/userRegistrationDetails');
  const policy = await ask('policies/authenticationMethodsPolicy', prefer);
  await writeJson(join(folder, logFileNames.policy), policy);
  counts[logFileNames.policy] = 1;
  const nested = await writeGroups(ask, join(folder, logFileNames.groups), counts);
  await writeJson(join(folder, logFileNames.tenant), { ...hidden, groups: nested });
  counts[logFileNames.tenant] = 1;
  return counts;
}

/** Writes the users in each group, and returns the groups in other groups with their parents. */
async function writeGroups(
  ask: AskDirectory,
  path: string,
  counts: Record<string, number>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const nested: Record<string, string[]> = {};
  const file = await open(path, 'w');
  let rows = 0;
  try {
    for await (const group of requireRows(listRows(ask, `groups?$select=id&$top=${pageRows}`, {}))) {
      const groupId = String(group['id']);
      const members = listRows(ask, `groups/${encodeURIComponent(groupId)}/members?$select=id&$top=${pageRows}`, {});
      for await (const member of requireRows(members)) {
        const id = String(member['id']);
        if (String(member['@odata.type']).endsWith('.group')) nested[id] = [...(nested[id] ?? []), groupId];
        else {
          await file.write(`${JSON.stringify({ user: id, group: groupId })}\n`);
          rows += 1;
        }
      }
    }
  } finally {
    await file.close();
  }
  counts[logFileNames.groups] = rows;
  return nested;
}

/** Writes one row per line. Returns the number of rows, or `null` without a file if the list does not exist. */
async function writeRows(path: string, rows: AsyncGenerator<Row | null, void>): Promise<number | null> {
  let file: FileHandle | null = null;
  let count = 0;
  try {
    for await (const row of rows) {
      if (row === null) return null;
      file ??= await open(path, 'w');
      await file.write(`${JSON.stringify(row)}\n`);
      count += 1;
    }
    // An empty file could be a failed export, so the absence of rows is written.
    if (file === null) await writeFile(path, '[]\n');
    return count;
  } finally {
    await file?.close();
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

async function* requireRows(rows: AsyncGenerator<Row | null, void>): AsyncGenerator<Row, void> {
  for await (const row of rows) if (row !== null) yield row;
}

/** Yields the rows of a list page by page, or `null` if the list does not exist. */
async function* listRows(
  ask: AskDirectory,
  path: string,
  headers: Readonly<Record<string, string>>,
): AsyncGenerator<Row | null, void> {
  for (let next: string | null = path; next !== null; ) {
    const body = (await ask(next, headers)) as {
      readonly value?: readonly Row[];
      readonly '@odata.nextLink'?: string;
    } | null;
    if (body === null) {
      yield null;
      return;
    }
    yield* body.value ?? [];
    const link: string | undefined = body['@odata.nextLink'];
    // The link can name another host, which a proxy plays.
    next = link === undefined ? null : link.slice(link.indexOf(versionSegment) + versionSegment.length);
  }
}

const versionSegment = '/beta/';
