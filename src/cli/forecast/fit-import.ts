import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import type { UserFacts } from '../../../machines/vocabulary.ts';
import type { AttemptPatch } from '../../contract/facts.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { visibleText } from '../../core/visible-text.ts';
import { fitDescription, type ObservedActivity, type ObservedKind } from '../../forecast/fit-description.ts';
import { decodeAttempt } from '../../replay/attempt-code.ts';
import { readManifest } from '../../replay/compare/read-import.ts';
import { DuckDbSession, fileLiteral } from '../../replay/import/duckdb-session.ts';
import { decodeMethods, parsePasskeys } from '../../replay/import/user-methods.ts';
import { inOwnFolder } from '../../replay/own-folder.ts';
import { textTable } from '../../report/text-table.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printFile, printJson } from '../print.ts';
import type { ForecastArguments } from './forecast-options.ts';

const dayMs = 86_400_000;

/** Assumed user actions in a fitted description, because no export contains the actions of users at prompts. */
const assumedAnswers = {
  skippable: [
    { register: 0.2, skip: 0.6, close: 0.2 },
    { register: 0.25, skip: 0.6, close: 0.15 },
  ],
  required: [{ register: 0.7, close: 0.3 }],
  failure: [0.1],
  onFailure: { retry: 0.5, skip: 0.4, close: 0.1 },
};

/** Groupings of users by sign-in frequency. All groups except `never seen` have the same number of users. */
const ways = [
  ['never seen', 'everybody'],
  ['never seen', 'seldom', 'often'],
  ['never seen', 'seldom', 'sometimes', 'often'],
] as const;

/**
 * Fits a description to an import. The description is printed or written with its goodness of fit. Throws
 * `import-unrecognized` and `package-missing`.
 */
export async function fitImport(folder: string, args: ForecastArguments, context: CommandContext): Promise<ExitCode> {
  const path = resolve(context.cwd, folder);
  const manifest = await readManifest(path);
  const policy = manifest.policies.at(-1);
  if (policy === undefined) throw new RangeError('An import has a policy.');
  const { counted, endMs } = await inOwnFolder((own) => observedWays(own, path));
  const start = toInstant(endMs).slice(0, 10);
  const given = { name: folder, start, users: args.users ?? manifest.report.users, tenant: policy.tenant };
  const { description, quality } = fitDescription(given, counted, assumedAnswers);
  const comment = `# Fitted to ${visibleText(folder)}. No export contains what users do at prompts: adjust \`answers\`.\n`;
  const yaml = comment + stringify(description, { aliasDuplicateObjects: false });
  if (args.json) {
    printJson(context.stdout, { description, quality });
    return 0;
  }
  if (args.out === null) printFile(context.stdout, yaml);
  else writeFileSync(resolve(context.cwd, args.out), yaml);
  const rows = quality.map(({ what, measure, distance, verdict }) => [what, measure, distance.toFixed(3), verdict]);
  const sink = args.out === null ? context.stderr : context.stdout;
  print(sink, rows, (shown) => textTable(['Goodness of fit', 'measure', 'distance', ''], shown));
  if (args.out !== null) print(context.stdout, args.out, (file) => ['', `Written: ${file}`]);
  return 0;
}

type Rows = readonly (readonly unknown[])[];

/** Counts the activity that a description needs, once for each grouping of users. */
async function observedWays(
  own: string,
  folder: string,
): Promise<{ readonly counted: readonly (readonly ObservedActivity[])[]; readonly endMs: number }> {
  const duck = await DuckDbSession.open(own);
  try {
    const attempts = fileLiteral(join(folder, 'attempts.parquet'));
    await duck.run(`CREATE TABLE d AS SELECT uid, t // ${dayMs} AS day, count(*) AS n FROM ${attempts} GROUP BY ALL`);
    const [from = 0, to = 0] = ((await duck.rows('SELECT min(day), max(day) FROM d'))[0] ?? []).map(Number);
    const counted: (readonly ObservedActivity[])[] = [];
    for (const names of ways) counted.push(await observed(duck, folder, names, { from, to }));
    return { counted, endMs: (to + 1) * dayMs };
  } finally {
    duck.close();
  }
}

async function observed(
  duck: DuckDbSession,
  folder: string,
  names: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly ObservedActivity[]> {
  const [attempts, users] = ['attempts', 'users'].map((table) => fileLiteral(join(folder, `${table}.parquet`)));
  const parts = names.length - 1;
  // Users with the same number of sign-in days are in the same group.
  await duck.run(`CREATE OR REPLACE TABLE u AS SELECT uid, days, 1 + least(${parts - 1}, ${parts} * place // total) AS g FROM (
    SELECT uid, days, (rank() OVER (ORDER BY days)) - 1 AS place, count(*) OVER () AS total
    FROM (SELECT uid, count(*) AS days FROM d GROUP BY uid))`);
  const rows = {
    weekdays: await duck.rows('SELECT g, (day + 3) % 7, count(*) FROM d JOIN u USING (uid) GROUP BY ALL'),
    perDay: await duck.rows('SELECT g, least(n, 4), count(*) FROM d JOIN u USING (uid) GROUP BY ALL'),
    hours: await duck.rows(`SELECT g, (t // 3600000) % 24, count(*) FROM ${attempts} JOIN u USING (uid) GROUP BY ALL`),
    codes: await duck.rows(`SELECT g, code, count(*) FROM ${attempts} JOIN u USING (uid) GROUP BY ALL ORDER BY ALL`),
    days: await duck.rows('SELECT g, days, count(*) FROM u GROUP BY ALL'),
    kinds:
      await duck.rows(`SELECT coalesce(g, 0), guest, methods, passkeys, capable, groups, count, snoozed, count(*) AS number
      FROM ${users} LEFT JOIN u USING (uid) GROUP BY ALL ORDER BY ALL`),
  };
  const calendarDays = Array.from({ length: 7 }, () => 0);
  for (let day = from; day <= to; day += 1) calendarDays[(day + 3) % 7] = (calendarDays[(day + 3) % 7] ?? 0) + 1;
  const activities = names.map((name, g): ObservedActivity => {
    const of = (all: Rows): Rows => all.filter(([activity]) => Number(activity) === g);
    const counted = (all: Rows, size: number, first = 0): readonly number[] => {
      const counts = Array.from({ length: size }, () => 0);
      for (const [, place, count] of of(all)) counts[Number(place) - first] = Number(count);
      return counts;
    };
    const kinds = of(rows.kinds).map((row) => ({ kind: toObservedKind(row, (to + 1) * dayMs), users: Number(row[8]) }));
    const some = kinds.reduce((sum, kind) => sum + kind.users, 0);
    return {
      name,
      users: some,
      signInDays: counted(rows.weekdays, 7),
      calendarDays,
      perDay: counted(rows.perDay, 4, 1),
      hours: counted(rows.hours, 24),
      attempts: of(rows.codes).map(([, code, count]) => ({ patch: toPatch(Number(code)), count: Number(count) })),
      kinds,
      daysOfUsers: g === 0 ? [some] : counted(rows.days, to - from + 2),
    };
  });
  return activities.filter(({ users: some }) => some > 0);
}

function toObservedKind(row: readonly unknown[], endMs: number): ObservedKind {
  const [, guest, methods, passkeys, capable, groups, count, snoozed] = row;
  const type: UserFacts['type'] = guest === true ? 'guest' : 'member';
  const daysAgo = snoozed === null ? null : Math.max(0, Math.round((endMs - Number(snoozed)) / dayMs));
  return {
    type,
    methods: [...decodeMethods(Number(methods))],
    passkeys: [...parsePasskeys(String(passkeys))],
    mfaCapable: capable === true,
    groups: String(groups) === '' ? [] : String(groups).split('\u001f'),
    snooze: { count: Number(count), daysAgo },
  };
}

/** Returns the properties of an attempt code that differ from the defaults, to keep the description readable. */
function toPatch(code: number): AttemptPatch {
  const { os, browser, surface, mfa, conditionalAccess, ...flags } = decodeAttempt(code);
  const on = Object.fromEntries(Object.entries(flags).filter(([, value]) => value === true));
  const { registrationPageBlocked, registrationConditionMet } = conditionalAccess;
  const plain = !registrationPageBlocked && registrationConditionMet;
  return { os, browser, surface, mfa, ...on, ...(plain ? {} : { conditionalAccess }) };
}
