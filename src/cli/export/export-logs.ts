import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { requestTimeoutMs } from '../../core/limits.ts';
import { shellLine } from '../../core/shell-line.ts';
import { portDefault } from '../common-options.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { loadControlKey } from '../control-key.ts';
import { print, printJson } from '../print.ts';
import { fetchFrom, serverClient } from '../server-client.ts';
import { inStagedFolder } from '../staged-folder.ts';
import type { ExportArguments } from './export-options.ts';
import { type AskDirectory, type LogFiles, logFileNames, writeLogFiles } from './log-files.ts';

/** Permissions for all parts of the export. */
const permissions = ['AuditLog.Read.All', 'Directory.Read.All', 'Policy.Read.All'];

/**
 * Writes the logs of a sandbox of a running server to a folder for `import`. Returns the exit code. Throws
 * `server-unreachable`, `sandbox-not-found`, `file-exists`, and `usage-invalid` for options of journeys.
 */
export async function exportLogs(args: ExportArguments, context: CommandContext): Promise<ExitCode> {
  rejectJourneyOptions(args);
  const { cwd, stdout, program } = context;
  const folder = resolve(cwd, args.out ?? '');
  if (existsSync(folder) && !args.force && readdirSync(folder).length > 0) {
    throw new NudgeLabError('file-exists', { message: `The folder ${args.out} is not empty.` });
  }
  const config = await loadConfig(args.config, cwd);
  const url = args.url ?? `http://localhost:${portDefault}`;
  const server = serverClient(url, loadControlKey(args, context, config));
  const { sandbox } = args;
  const { rollout, options, subscription } = await server.getTenant({ sandbox });
  const { access_token } = await server.issueToken({ sandbox, body: { app: 'nudgelab-export', permissions } });
  const ask = createAsk(`${url.replace(/\/$/, '')}/s/${encodeURIComponent(sandbox)}/beta/`, access_token);
  const hidden = { rollout, options, subscription };
  const files = await inStagedFolder(folder, (staging) =>
    writeLogFiles(ask, staging, { hidden, withFacts: args.withFacts }),
  );
  if (args.json) printJson(stdout, { folder: args.out, files });
  else {
    print(stdout, { out: args.out ?? '', files }, ({ out, files: written }) => [
      ...Object.entries(written).map(([name, rows]) => `${name}: ${rows} ${rows === 1 ? 'row' : 'rows'}`),
      `Import them: ${shellLine(program, listImportArguments(out, written))}`,
    ]);
  }
  return 0;
}

function rejectJourneyOptions({ out, db, from, to, user }: ExportArguments): void {
  if (out === null) throw new NudgeLabError('usage-invalid', { message: 'Specify the output folder with --out.' });
  const given = Object.entries({ '--db': db, '--from': from, '--to': to, '--user': user }).flatMap(([name, value]) =>
    value === null ? [] : [name],
  );
  if (given.length === 0) return;
  throw new NudgeLabError('usage-invalid', {
    message: `${given.join(', ')} selects a part of a journal; logs are exported completely from a running server.`,
  });
}

/** Returns the arguments of the command that imports the files. */
function listImportArguments(out: string, files: LogFiles): readonly string[] {
  const options = {
    '--audit-log': logFileNames.auditLog,
    '--registrations': logFileNames.registrations,
    '--groups': logFileNames.groups,
    '--policy': logFileNames.policy,
    '--tenant': logFileNames.tenant,
  };
  const given = Object.entries(options).filter(([, name]) => (files[name] ?? 0) > 0);
  return [
    'import',
    `${out}/${logFileNames.signIns}`,
    ...given.flatMap(([option, name]) => [option, `${out}/${name}`]),
    '--out',
    'tenant',
  ];
}

/** Creates the function that requests a path of the directory API with a token. */
function createAsk(root: string, token: string): AskDirectory {
  return async (path, headers) => {
    const response = await fetchFrom(`${root}${path}`, {
      headers: { ...headers, authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const text = await response.text();
    if (response.status === 404) return null;
    if (response.ok) return JSON.parse(text);
    throw new NudgeLabError('server-unreachable', {
      message: `The server returned ${response.status} for ${path}: ${text.slice(0, errorCharactersMax)}`,
    });
  };
}

/** Maximum length of an error response in a message. */
const errorCharactersMax = 500;
