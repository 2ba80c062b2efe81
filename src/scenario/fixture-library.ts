import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { NudgeLabError } from '../core/errors.ts';
import { isPlainObject, mergePatch } from '../core/merge-patch.ts';
import { YamlSource } from './yaml-source.ts';

export type FixtureKind = 'tenants' | 'users';

/** A fixture may extend another; a longer chain is taken for a loop. */
const extendsDepthMax = 16;

/** Fixtures by kind and name, read once from folders; a later folder overrides an earlier one. */
export class FixtureLibrary {
  readonly #folders: readonly string[];
  readonly #fixtures = new Map<FixtureKind, Map<string, unknown>>();

  /** Takes folders that hold `tenants/` and `users/`. */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Names of the fixtures of a kind, sorted. */
  names(kind: FixtureKind): readonly string[] {
    return [...this.#of(kind).keys()].sort();
  }

  /**
   * Facts from a fixture name or from facts given inline, which `extends` merges over a fixture.
   * Throws `fixture-unknown` and `fixture-invalid`.
   */
  resolve(kind: FixtureKind, given: unknown, depth = 0): Record<string, unknown> {
    if (depth > extendsDepthMax) {
      throw new NudgeLabError('fixture-invalid', {
        message: `The chain of extends is longer than ${extendsDepthMax}.`,
      });
    }
    if (typeof given === 'string') return this.resolve(kind, this.#named(kind, given), depth + 1);
    if (!isPlainObject(given)) {
      throw new NudgeLabError('fixture-invalid', { message: `${JSON.stringify(given)} is neither a name nor facts.` });
    }
    const { extends: base, ...facts } = given;
    if (base === undefined) return facts;
    if (typeof base !== 'string')
      throw new NudgeLabError('fixture-invalid', { message: 'extends takes a fixture name.' });
    const merged = mergePatch(this.resolve(kind, base, depth + 1), facts);
    return isPlainObject(merged) ? merged : {};
  }

  #named(kind: FixtureKind, name: string): unknown {
    const fixture = this.#of(kind).get(name);
    if (fixture !== undefined) return fixture;
    throw new NudgeLabError('fixture-unknown', {
      message: `"${name}" is not a fixture in ${kind}; there are ${this.names(kind).join(', ') || 'none'}.`,
    });
  }

  #of(kind: FixtureKind): Map<string, unknown> {
    const known = this.#fixtures.get(kind);
    if (known !== undefined) return known;
    const fixtures = new Map<string, unknown>();
    for (const folder of this.#folders)
      for (const [name, data] of readFolder(join(folder, kind))) fixtures.set(name, data);
    this.#fixtures.set(kind, fixtures);
    return fixtures;
  }
}

function* readFolder(folder: string): Generator<[string, unknown]> {
  for (const file of listed(folder)) {
    if (!['.yaml', '.yml', '.json'].includes(extname(file))) continue;
    const path = join(folder, file);
    const source = new YamlSource(path, readFileSync(path, 'utf8'));
    if (source.problems.length > 0) throw new NudgeLabError('fixture-invalid', { problems: source.problems });
    yield [basename(file, extname(file)), source.data];
  }
}

/** A folder that is not there holds no fixtures: a user's project need not have all kinds. */
function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
