import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { NudgeLabError, type Problem } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { planSandbox } from '../../sandbox/sandbox.ts';
import { type FixtureKind, FixtureLibrary } from '../../scenario/fixture-library.ts';
import { YamlSource } from '../../scenario/yaml-source.ts';

const kinds: readonly FixtureKind[] = ['tenants', 'users', 'lookup'];

/** What is wrong with the fixtures of some folders, and how many there are. Takes the folder that places are relative to. */
export function lintFixtures(
  folders: readonly string[],
  cwd: string,
): { readonly problems: readonly Problem[]; readonly count: number } {
  const library = new FixtureLibrary(folders);
  const files = folders.flatMap((folder) => kinds.flatMap((kind) => fixtureFiles(join(folder, kind), kind)));
  const sources = files.map(({ path, kind }) => ({
    kind,
    source: new YamlSource(relative(cwd, path) || path, readFileSync(path, 'utf8')),
  }));
  const broken = sources.flatMap(({ source }) => source.problems);
  // A folder with one broken file cannot be read as a library, so what leans on it is checked once that is mended.
  const wrong = broken.length > 0 ? [] : sources.flatMap(({ kind, source }) => faultsOf(kind, source, library));
  return { problems: [...broken, ...wrong], count: files.length };
}

function fixtureFiles(
  folder: string,
  kind: FixtureKind,
): readonly { readonly path: string; readonly kind: FixtureKind }[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => ['.yaml', '.yml', '.json'].includes(extname(name)));
  return names.sort().map((name) => ({ path: join(folder, name), kind }));
}

function faultsOf(kind: FixtureKind, source: YamlSource, library: FixtureLibrary): readonly Problem[] {
  try {
    const facts = library.resolve(kind, source.data);
    if (kind === 'tenants') planSandbox({ tenant: facts });
    else if (kind === 'lookup') planSandbox({ lookup: facts });
    else planSandbox({ users: [{ ...facts, id: 'user' }] });
    return [];
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
    if (error.problems.length === 0) return [{ place: source.place([]), message: error.message }];
    return error.problems.map(({ place, message }) => ({
      place: source.place(pathIn(kind, place, source.data)),
      message: `${place}: ${message}`,
    }));
  }
}

/** The path inside the file of a place such as `tenant.campaign.state` or `users.0.methods.1`. */
function pathIn(kind: FixtureKind, place: string, data: unknown): readonly PropertyKey[] {
  const keys = place.split('.').slice(kind === 'users' ? 2 : 1);
  let held: unknown = data;
  return keys.map((key) => {
    const typed = Array.isArray(held) ? Number(key) : key;
    held = Array.isArray(held) || isPlainObject(held) ? (held as Record<PropertyKey, unknown>)[typed] : undefined;
    return typed;
  });
}
