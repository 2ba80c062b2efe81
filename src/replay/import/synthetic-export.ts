import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { DuckDbSession, identifier, literal } from './duckdb-session.ts';
import type { ExportForm } from './export-forms.ts';

const share = z.number().min(0);

/** Column definition: an expression with names in braces; literal braces are doubled. */
const column = z.strictObject({ as: z.string(), sql: z.string(), nested: z.boolean().default(false) });

/** Schema of the content of synthetic exports and its frequencies. */
export const madeUpSchema = z.strictObject({
  devices: z.array(z.strictObject({ os: z.string(), browser: z.string(), app: z.string(), share })).min(1),
  methods: z.array(z.strictObject({ method: z.string(), share, registered: z.array(z.string()) })).min(1),
  attempts: z.strictObject({
    remembered: share,
    nonInteractive: share,
    singleFactor: share,
    failed: share,
    guest: share,
  }),
  first: z.string(),
  remembered: z.string(),
  requirements: z.strictObject({ first: z.string(), second: z.string() }),
  policy: z.record(z.string(), z.unknown()),
  columns: z.strictObject({ signIns: z.array(column).min(1), step: z.string(), registrations: z.array(column).min(1) }),
});
export type MadeUp = z.infer<typeof madeUpSchema>;

/** Options for a synthetic export. */
export interface MadeUpOptions {
  readonly rows: number;
  readonly seed: number;
  readonly form: ExportForm;
  /** Output folder, which must exist. */
  readonly out: string;
}

/** Generated files. */
export interface MadeUpFiles {
  readonly signIns: string;
  readonly registrations: string;
  readonly policy: string;
}

/** Average number of rows per user, and number of days in the export. */
const rowsPerUser = 60;
const days = 90;
const dayMs = 86_400_000;

/** 2026-01-05T00:00:00Z. */
const startMs = 1_767_571_200_000;

/** Number of rows in three attempts: one with a single row, and two with one interruption. */
const rowsOfThreeAttempts = 5;

/**
 * Generates an export of a synthetic tenant: a sign-in log, a registration report and a policy. Equal random seeds give
 * equal exports.
 * @param madeUp - description of the content
 * @returns the generated files
 * @throws `package-missing` if a package for the format is not installed
 */
export async function generateExport(madeUp: MadeUp, { rows, seed, form, out }: MadeUpOptions): Promise<MadeUpFiles> {
  const session = await DuckDbSession.open(tmpdir());
  const users = Math.max(10, Math.round(rows / rowsPerUser));
  const files = {
    signIns: join(out, `sign-ins.${form}`),
    registrations: join(out, `registrations.${form}`),
    policy: join(out, 'policy.json'),
  };
  try {
    await session.run(
      `COPY (${signInRows(madeUp, { rows, seed, users }, form)}) TO ${literal(files.signIns)} ${copyOptions(form)}`,
    );
    await session.run(
      `COPY (${registrationRows(madeUp, { seed, users }, form)}) TO ${literal(files.registrations)} ${copyOptions(form)}`,
    );
    await writeFile(files.policy, `${JSON.stringify(madeUp.policy, null, 2)}\n`);
  } finally {
    session.close();
  }
  return files;
}

function copyOptions(form: ExportForm): string {
  if (form === 'parquet') return '(FORMAT parquet)';
  if (form === 'csv') return '(FORMAT csv, HEADER true)';
  return `(FORMAT json${form === 'json' ? ', ARRAY true' : ''})`;
}

/** Returns SQL for a random number from 0 to 99 that depends on the random seed, a name and a number. */
function draw(seed: number, name: string, number: string): string {
  return `(hash(${seed}, ${literal(name)}, ${number}) % 100)::INTEGER`;
}

/** Returns SQL that selects one of several values by their shares. */
function chosen(drawn: string, choices: readonly { readonly share: number; readonly sql: string }[]): string {
  let sum = 0;
  const cases = choices.map(({ share: part, sql }) => {
    sum += part;
    return `WHEN ${drawn} < ${sum} THEN ${sql}`;
  });
  return `CASE ${cases.join(' ')} ELSE ${choices.at(-1)?.sql ?? 'NULL'} END`;
}

const guid = (text: string): string => `(md5(${text})::UUID)::VARCHAR`;

function signInRows(
  madeUp: MadeUp,
  { rows, seed, users }: { rows: number; seed: number; users: number },
  form: ExportForm,
): string {
  const { devices, methods, attempts: shares, requirements, columns } = madeUp;
  const attempts = Math.ceil((rows * 3) / rowsOfThreeAttempts);
  const kind = draw(seed, 'kind', 'a');
  const isRemembered = `${kind} < ${shares.remembered}`;
  const isSilent = `${kind} >= ${shares.remembered} AND ${kind} < ${shares.remembered + shares.nonInteractive}`;
  const single = shares.remembered + shares.nonInteractive;
  const isSingle = `${kind} >= ${single} AND ${kind} < ${single + shares.singleFactor}`;
  const isFailed = `${kind} >= ${single + shares.singleFactor} AND ${kind} < ${single + shares.singleFactor + shares.failed}`;
  const field = (name: 'os' | 'browser' | 'app'): string =>
    chosen(
      'device',
      devices.map((device) => ({ share: device.share, sql: literal(device[name]) })),
    );
  const method = chosen(
    'way',
    methods.map(({ method: name, share: part }) => ({ share: part, sql: literal(name) })),
  );
  const step = (name: string, requirement: string): string =>
    filled(columns.step, { at: 'moment', method: name, requirement: literal(requirement) });
  const first = step(literal(madeUp.first), requirements.first);
  const second = step(`CASE WHEN remembered THEN ${literal(madeUp.remembered)} ELSE method END`, requirements.second);
  const names = {
    rowId: guid(`'row' || ${seed} || '-' || i`),
    attemptId: guid(`'attempt' || ${seed} || '-' || a`),
    userId: guid(`'user' || ${seed} || '-' || u`),
    at: 'moment',
    os: field('os'),
    browser: field('browser'),
    app: field('app'),
    steps: `CASE WHEN silent THEN [] WHEN single OR interrupted THEN [${first}] ELSE [${first}, ${second}] END`,
  };
  return `
    SELECT ${written(columns.signIns, names, form)}
    FROM (
      SELECT *, epoch_ms(${startMs} + (a * ${days} * ${dayMs}::BIGINT) // ${attempts} + step * 2000) AS moment,
        (hash(${seed}, 'who', a) % ${users})::INTEGER AS u,
        ${isRemembered} AS remembered, ${isSilent} AS silent, ${isSingle} AS single, ${isFailed} AS failed
      FROM (
        SELECT i, (i // ${rowsOfThreeAttempts}) * 3 + CASE i % ${rowsOfThreeAttempts} WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 1 ELSE 2 END AS a,
          i % ${rowsOfThreeAttempts} IN (1, 3) AS interrupted, CASE WHEN i % ${rowsOfThreeAttempts} IN (2, 4) THEN 1 ELSE 0 END AS step
        FROM range(${rows}) rows(i)
      )
    ) JOIN (${peopleRows(madeUp, seed, users, method)}) people USING (u)`;
}

function peopleRows({ attempts }: MadeUp, seed: number, users: number, method: string): string {
  return `SELECT *, ${method} AS method FROM (SELECT u::INTEGER AS u, ${draw(seed, 'device', 'u')} AS device, ${draw(seed, 'way', 'u')} AS way,
    ${draw(seed, 'guest', 'u')} < ${attempts.guest} AS guest FROM range(${users}) people(u))`;
}

function registrationRows(madeUp: MadeUp, { seed, users }: { seed: number; users: number }, form: ExportForm): string {
  const registered = chosen(
    'way',
    madeUp.methods.map(({ registered: names, share: part }) => ({
      share: part,
      sql: `[${names.map(literal).join(', ')}]`,
    })),
  );
  const listed = form === 'csv' ? `array_to_string(${registered}, ';')` : registered;
  const userId = guid(`'user' || ${seed} || '-' || u`);
  return `SELECT ${written(madeUp.columns.registrations, { userId, registered: listed }, form)}
    FROM (${peopleRows(madeUp, seed, users, "''")})`;
}

function written(
  columns: MadeUp['columns']['signIns'],
  names: Readonly<Record<string, string>>,
  form: ExportForm,
): string {
  return columns
    .map(({ as, sql, nested }) => {
      const value = filled(sql, names);
      return `${nested && form === 'csv' ? `to_json(${value})::VARCHAR` : value} AS ${identifier(as)}`;
    })
    .join(', ');
}

/** Replaces the names in an expression template. */
function filled(template: string, names: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{|\}\}|\{(\w+)\}/g, (match, name: string | undefined) =>
    name === undefined ? match.charAt(0) : (names[name] ?? match),
  );
}
