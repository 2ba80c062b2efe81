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
import { builtPlan } from './built-plan.ts';
import { defaultFixtures } from './default-fixtures.ts';
import type { ServeArguments } from './serve-options.ts';

const snoozingUser = 'snoozing-user';

const usersDefault: readonly string[] = Object.keys(defaultFixtures.users);

/** What the plan of the default sandbox depends on besides options and configuration. */
export interface PlanSurroundings {
  readonly nowMs: number;
  /** Folder to which paths are relative. */
  readonly cwd: string;
  readonly rulesets?: RulesetChoice;
  /** Plan without any option. By default the one that the build computed. */
  readonly built?: SandboxPlan | null;
}

/**
 * Creates the plan of the default sandbox.
 * Throws `fixture-not-found`, `fixture-invalid`, `file-unreadable` and `bad-request`.
 */
export async function defaultSandboxPlan(
  args: ServeArguments,
  config: Config,
  { nowMs, cwd, rulesets = builtInChoice(), built = builtPlan }: PlanSurroundings,
): Promise<SandboxPlan> {
  const { seed } = args;
  const startMs = args.clock ?? nowMs;
  const clock = { nowMs: startMs, running: !args.frozen };
  if (built !== null && isUsual(args, config, rulesets)) {
    return { ...built, seed, clock, users: built.users.map((user) => justSnoozed(startMs, user)) };
  }
  const fixtures = await fixturesFor(args, config);
  const ruleset = rulesets.chosen?.id ?? 'seed';
  const settings = chosenSettings(rulesets, findDeclarations(ruleset).settings);
  const names = args.users.length > 0 ? args.users : usersDefault;
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
    clock,
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
function justSnoozed<T extends { readonly id: string }>(startMs: number, user: T): T {
  return user.id === snoozingUser ? { ...user, snooze: { count: 1, snoozedAtMs: startMs } } : user;
}

/** Returns true if no option, configuration or folder changes the tenant and the users of the default sandbox. */
function isUsual(args: ServeArguments, config: Config, { chosen, settings }: RulesetChoice): boolean {
  const isMade = args.dialect !== null || args.syntheticUsers !== null;
  return !isMade && chosen === null && Object.keys(settings).length === 0 && !needsFolders(args, config);
}

/** Returns true if fixtures are named, or if folders can contain other ones than the shipped fixtures. */
function needsFolders({ users, tenant, clients, faults, lookup }: ServeArguments, { fixtures }: Config): boolean {
  const isNamed =
    users.length + faults.length > 0 || tenant !== tenantDefault || [clients, lookup].some((given) => given !== null);
  return isNamed || fixtures.some((folder) => folder !== shippedFixturesFolder && existsSync(folder));
}

/** Lookup of fixtures by name. The few fixtures of the default sandbox suffice if no others are named. */
type Fixtures = Pick<FixtureLibrary, 'resolve'>;

async function fixturesFor(args: ServeArguments, config: Config): Promise<Fixtures> {
  if (!needsFolders(args, config)) return { resolve: (kind, name) => knownFixture(kind, String(name)) };
  const { FixtureLibrary: Library } = await import('../../scenario/fixture-library.ts');
  return new Library(config.fixtures);
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
