import { basename, extname } from 'node:path';
import type { FixtureKind } from '../contract/fixture-kinds.ts';
import { NudgeLabError } from '../core/errors.ts';
import { isPlainObject, mergePatch } from '../core/merge-patch.ts';
import { endSentence, suggestName } from '../core/nearest-name.ts';
import { dataBytesMax } from './data-file.ts';
import { fixtureFiles } from './fixture-files.ts';
import { YamlSource } from './yaml-source.ts';

/** Maximum length of a chain of fixtures that extend each other. A longer chain is treated as a loop. */
const extendsDepthMax = 16;

/** File of a fixture, with its data after the first use. */
interface Fixture {
  readonly path: string;
  data?: unknown;
}

/**
 * Fixtures by kind and name. A later folder overrides an earlier one. Folders are listed once, and a file is read
 * when it is first named, because most runs use few fixtures. `lint` reads all of them.
 */
export class FixtureLibrary {
  readonly #folders: readonly string[];
  readonly #fixtures = new Map<FixtureKind, Map<string, Fixture>>();

  /** Creates a library of folders that contain one subfolder per kind. */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Returns the sorted names of the fixtures of a kind. */
  names(kind: FixtureKind): readonly string[] {
    return [...this.#of(kind).keys()].sort();
  }

  /**
   * Resolves a fixture name, or inline facts in which `extends` names a fixture to merge with.
   * Throws `fixture-not-found` or `fixture-invalid`.
   */
  resolve(kind: FixtureKind, given: unknown, depth = 0): Record<string, unknown> {
    if (depth > extendsDepthMax) {
      throw new NudgeLabError('fixture-invalid', {
        message: `The extends chain is longer than ${extendsDepthMax}.`,
      });
    }
    if (typeof given === 'string') return this.resolve(kind, this.#named(kind, given), depth + 1);
    if (!isPlainObject(given)) {
      throw new NudgeLabError('fixture-invalid', {
        message: `${JSON.stringify(given)} must be a fixture name or facts.`,
      });
    }
    const { extends: base, ...facts } = given;
    if (base === undefined) return facts;
    if (typeof base !== 'string')
      throw new NudgeLabError('fixture-invalid', { message: 'extends must be a fixture name.' });
    const merged = mergePatch(this.resolve(kind, base, depth + 1), facts);
    return isPlainObject(merged) ? merged : {};
  }

  #named(kind: FixtureKind, name: string): unknown {
    const fixture = this.#of(kind).get(name);
    if (fixture === undefined) {
      const names = this.names(kind);
      const nearest = suggestName(name, names);
      throw new NudgeLabError('fixture-not-found', {
        message: endSentence(
          `"${name}" is not one of the fixtures in ${kind}: ${names.join(', ') || 'none'}${nearest}`,
        ),
      });
    }
    if (!('data' in fixture)) fixture.data = readFixture(fixture.path);
    return fixture.data;
  }

  #of(kind: FixtureKind): Map<string, Fixture> {
    const known = this.#fixtures.get(kind);
    if (known !== undefined) return known;
    const paths = this.#folders.flatMap((folder) => fixtureFiles(folder, kind));
    const fixtures = new Map(paths.map((path): [string, Fixture] => [basename(path, extname(path)), { path }]));
    this.#fixtures.set(kind, fixtures);
    return fixtures;
  }
}

/** Reads the data of a fixture. Throws `fixture-invalid` if it is too large or not valid YAML. */
function readFixture(path: string): unknown {
  const source = YamlSource.ofFile(path, path, dataBytesMax);
  if (source.problems.length > 0) throw new NudgeLabError('fixture-invalid', { problems: source.problems });
  return source.data;
}
