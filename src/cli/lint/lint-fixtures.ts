import { existsSync, readdirSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { type FixtureKind, fixtureKinds } from '../../contract/fixture-kinds.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { planSandbox, type SandboxInput } from '../../sandbox/sandbox.ts';
import { dataBytesMax } from '../../scenario/data-file.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { clientGiven } from '../../scenario/given-lists.ts';
import { YamlSource } from '../../scenario/yaml-source.ts';
import { findUserWarnings } from './lint-warnings.ts';

/** Types of fixtures that a sandbox contains as a list. */
const listed: readonly FixtureKind[] = ['users', 'clients', 'faults'];

/** Result of validating fixtures. */
interface FixtureFindings {
  readonly problems: readonly ValidationProblem[];
  /** Findings about valid fixtures that are probably mistakes. */
  readonly warnings: readonly ValidationProblem[];
  readonly count: number;
}

/**
 * Validates the fixtures of some folders. Returns the problems, the warnings and the number of files. Locations are
 * relative to the given folder.
 */
export function lintFixtures(folders: readonly string[], cwd: string): FixtureFindings {
  const library = new FixtureLibrary(folders);
  const files = folders.flatMap((folder) => fixtureKinds.flatMap((kind) => fixtureFiles(join(folder, kind), kind)));
  const sources = files.map(({ path, kind }) => ({
    kind,
    source: YamlSource.ofFile(path, relative(cwd, path) || path, dataBytesMax),
  }));
  const broken = sources.flatMap(({ source }) => source.problems);
  // A library with a broken file cannot be loaded, so dependent fixtures are checked only after the file is fixed.
  const wrong = broken.length > 0 ? [] : sources.flatMap(({ kind, source }) => fixtureProblems(kind, source, library));
  const problems = [...broken, ...wrong];
  const users = problems.length > 0 ? [] : sources.filter(({ kind }) => kind === 'users');
  const warnings = users.flatMap(({ source }) => findUserWarnings(source, [], source.data, library));
  return { problems, warnings, count: files.length };
}

function fixtureFiles(
  folder: string,
  kind: FixtureKind,
): readonly { readonly path: string; readonly kind: FixtureKind }[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => ['.yaml', '.yml', '.json'].includes(extname(name)));
  return names.sort().map((name) => ({ path: join(folder, name), kind }));
}

/** Returns the problems of one fixture with their places. Takes its kind, its source, and the fixtures that it may extend. */
export function fixtureProblems(
  kind: FixtureKind,
  source: YamlSource,
  library: FixtureLibrary,
): readonly ValidationProblem[] {
  try {
    planSandbox(planOfOne(kind, source.data, library));
    return [];
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
    if (error.problems.length === 0) return [{ location: source.place([]), message: error.message }];
    return error.problems.map(({ location: place, message }) => ({
      location: source.place(pathIn(kind, place, source.data)),
      message: `${place}: ${message}`,
    }));
  }
}

/** Creates a sandbox that contains only this fixture. */
function planOfOne(kind: FixtureKind, data: unknown, library: FixtureLibrary): SandboxInput {
  const facts = library.resolve(kind, data);
  switch (kind) {
    case 'tenants':
      return { tenant: facts };
    case 'users':
      return { users: [{ ...facts, id: 'user' }] };
    case 'clients':
      return { clients: [{ id: 'client', ...clientGiven(library, data) }] };
    case 'faults':
      return { faults: [facts] };
    case 'lookup':
      return { lookup: facts };
  }
}

/** Converts a location such as `tenant.campaign.state` or `users.0.methods.1` to the path inside the file. */
function pathIn(kind: FixtureKind, place: string, data: unknown): readonly PropertyKey[] {
  const keys = place.split('.').slice(listed.includes(kind) ? 2 : 1);
  let value: unknown = data;
  return keys.map((key) => {
    const typed = Array.isArray(value) ? Number(key) : key;
    value = Array.isArray(value) || isPlainObject(value) ? (value as Record<PropertyKey, unknown>)[typed] : undefined;
    return typed;
  });
}
