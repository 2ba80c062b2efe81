import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { builtInDialects } from '../../contract/directory-api/built-in-dialects.ts';
import { getDialectFileSchema } from '../../contract/directory-api/dialect.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { isPlainObject, mergePatch } from '../../core/merge-patch.ts';
import { findDeclarations } from '../../journal/ruleset-registry.ts';
import { planSandbox, type SandboxPlan } from '../../sandbox/sandbox.ts';
import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { clientGiven } from '../../scenario/given-lists.ts';
import { builtInChoice, chosenSettings, type RulesetChoice } from '../../scenario/rulesets/ruleset-choice.ts';
import { shippedFixturesFolder } from '../../scenario/shipped.ts';
import { tenantDefault } from '../common-options.ts';
import type { Config } from '../config.ts';
import { defaultFixtures } from './default-fixtures.ts';
import type { ServeArguments } from './serve-options.ts';

const snoozingUser = 'snoozing-user';

const usersDefault: readonly string[] = Object.keys(defaultFixtures.users);

/**
 * Creates the plan of the default sandbox. Times are in milliseconds, and paths are relative to the given folder.
 * Throws `fixture-not-found`, `fixture-invalid`, `file-unreadable` and `bad-request`.
 */
export async function defaultSandboxPlan(
  args: ServeArguments,
  config: Config,
  nowMs: number,
  cwd: string,
  rulesets: RulesetChoice = builtInChoice(),
): Promise<SandboxPlan> {
  const fixtures = await fixturesFor(args, config);
  const { seed } = args;
  const ruleset = rulesets.chosen?.id ?? 'seed';
  const settings = chosenSettings(rulesets, findDeclarations(ruleset).settings);
  const names = args.users.length > 0 ? args.users : usersDefault;
  const startMs = args.clock ?? nowMs;
  const named = names.map((name) => ({ ...fixtures.resolve('users', name), id: name }));
  const plan = {
    tenant: mergePatch({ settings }, await withDialect(fixtures.resolve('tenants', args.tenant), args.dialect, cwd)),
    users: [
      ...(args.users.length > 0 ? named : named.map((user) => justSnoozed(startMs, user))),
      ...(args.syntheticUsers === null ? [] : await madeUpUsers(args.syntheticUsers, seed)),
    ],
    ...(args.clients === null ? {} : { clients: await loadClients(args.clients, fixtures, cwd) }),
    ...(args.faults.length === 0 ? {} : { faults: args.faults.map((name) => fixtures.resolve('faults', name)) }),
    ...(args.lookup === null ? {} : { lookup: fixtures.resolve('lookup', args.lookup) }),
    seed,
    clock: { nowMs: startMs, running: !args.frozen },
    ruleset,
  };
  try {
    return planSandbox(plan);
  } catch (error) {
    throw args.clients !== null && isFile(args.clients, cwd) ? locateInFile(error, args.clients) : error;
  }
}

/** Adds the file of the clients to the location of each problem in them. */
function locateInFile(error: unknown, file: string): unknown {
  if (!(error instanceof NudgeLabError)) return error;
  const problems = error.problems.map(({ location, ...rest }) => ({
    ...rest,
    location: /^clients\b/.test(location) ? `${file}: ${location}` : location,
  }));
  return new NudgeLabError(error.code, { problems, cause: error });
}

/**
 * Starts the snooze of the default snoozing user at the current time. Users named by options keep the values of
 * their fixtures.
 */
function justSnoozed(startMs: number, user: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return user['id'] === snoozingUser ? { ...user, snooze: { count: 1, snoozedAtMs: startMs } } : user;
}

/** Lookup of fixtures by name. The few fixtures of the default sandbox suffice if no others are named. */
type Fixtures = Pick<FixtureLibrary, 'resolve'>;

async function fixturesFor(
  { users, tenant, clients, faults, lookup }: ServeArguments,
  { fixtures: folders }: Config,
): Promise<Fixtures> {
  const isNamed =
    users.length + faults.length > 0 || tenant !== tenantDefault || [clients, lookup].some((given) => given !== null);
  const hasOwn = folders.some((folder) => folder !== shippedFixturesFolder && existsSync(folder));
  if (!(isNamed || hasOwn)) return { resolve: (kind, name) => knownFixture(kind, String(name)) };
  const { FixtureLibrary: Library } = await import('../../scenario/fixture-library.ts');
  return new Library(folders);
}

function knownFixture(kind: string, name: string): Record<string, unknown> {
  const known: Readonly<Record<string, Readonly<Record<string, object>>>> = defaultFixtures;
  return { ...known[kind]?.[name] };
}

/** Checks whether the option `--clients` names a file instead of fixtures. */
function isFile(given: string, cwd: string): boolean {
  return fileEnding.test(given) || given.includes('/') || existsSync(resolve(cwd, given));
}

/** Sets the dialect of a tenant: a built-in one, or the content of a file. Throws `file-unreadable`. */
async function withDialect(
  tenant: Readonly<Record<string, unknown>>,
  given: string | null,
  cwd: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (given === null) return tenant;
  const { settings } = tenant;
  const dialect = builtInDialects.some((name) => name === given) ? given : await readDialect(given, cwd);
  return { ...tenant, settings: { ...(isPlainObject(settings) ? settings : {}), dialect } };
}

/** Reads the file of a dialect and validates it. Throws `file-unreadable`, or `config-invalid` with its problems. */
async function readDialect(file: string, cwd: string): Promise<unknown> {
  const { namingFile, readData } = await import('../import/read-data.ts');
  if (isFile(file, cwd))
    return namingFile(file, () => parseOr('config-invalid', getDialectFileSchema(), readData(file, cwd), 'dialect'));
  throw new NudgeLabError('usage-invalid', {
    problems: [
      { location: '--dialect', message: `"${file}" is not ${builtInDialects.join(', ')}, nor a YAML or JSON file` },
    ],
  });
}

const fileEnding = /\.(ya?ml|json)$/;

/**
 * Loads the clients of the option, which names fixtures or a file with a list of names and clients. Throws
 * `file-unreadable`, `fixture-not-found` and `fixture-invalid`.
 */
async function loadClients(given: string, fixtures: Fixtures, cwd: string): Promise<readonly unknown[]> {
  const listed = isFile(given, cwd)
    ? await clientsIn(resolve(cwd, given))
    : given.split(',').map((name) => name.trim());
  return listed.map((client) =>
    typeof client === 'string' || isPlainObject(client) ? clientGiven(fixtures, client) : client,
  );
}

/**
 * Reads the list of clients in a file. The clients are validated later with the complete plan. Throws
 * `file-unreadable`.
 */
async function clientsIn(path: string): Promise<readonly unknown[]> {
  const { readData } = await import('../import/read-data.ts');
  const clients = readData(path, '');
  if (Array.isArray(clients)) return clients;
  throw new NudgeLabError('file-unreadable', { message: `${path} must contain a list of clients.` });
}

/**
 * Generates synthetic users. The generator is loaded on demand because its lists of names and addresses load
 * slowly.
 */
async function madeUpUsers(count: number, seed: number): Promise<readonly unknown[]> {
  const { generateUsers } = await import('../../scenario/generated-users.ts');
  return generateUsers(count, seed);
}
