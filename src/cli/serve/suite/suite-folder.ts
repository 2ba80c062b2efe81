import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { afterPendingInput } from '../../../core/clock.ts';
import { NudgeLabError, type ValidationProblem } from '../../../core/errors.ts';
import { scenarioBytesMax, textAtMost, tooLarge } from '../../../scenario/data-file.ts';
import type { FixtureLibrary } from '../../../scenario/fixture-library.ts';
import type { Scenario } from '../../../scenario/scenario.ts';
import type { SuiteView } from '../../../server/suite-service.ts';
import type { Config } from '../../config.ts';
import { locateSuite, shownFrom } from '../../run/locate-suite.ts';

type SuiteFile = SuiteView['files'][number];
type PlacedProblem = SuiteFile['problems'][number];

/** Files of one folder that are listed. */
const filesMax = 10_000;

/** A scenario file as it was read. */
export interface ReadSuiteFile {
  /** Below the folder, with forward slashes. */
  readonly path: string;
  readonly shown: string;
  readonly scenarios: readonly Scenario[];
  readonly problems: readonly ValidationProblem[];
}

interface Kept extends ReadSuiteFile {
  readonly mark: string;
}

/** Lets requests be answered before the work goes on. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => afterPendingInput(resolve));
}

/** The scenario files below one folder. Each is read once, and again when it or a fixture has changed. */
export class SuiteFolder {
  readonly root: string;
  readonly #config: Config;
  readonly #cwd: string;
  readonly #kept = new Map<string, Kept>();
  #fixtures: { readonly digest: string; readonly library: FixtureLibrary } | null = null;

  /** Takes the folder, the configuration, and the folder that paths are shown from. Throws `file-unreadable`. */
  constructor(root: string, config: Config, cwd: string) {
    if (!existsSync(root) || !statSync(root).isDirectory()) {
      throw new NudgeLabError('file-unreadable', { message: `There is no folder ${root}.` });
    }
    this.root = root;
    this.#config = config;
    this.#cwd = cwd;
  }

  /** The folder as the program shows it. */
  get shown(): string {
    return shownFrom(this.#cwd, this.root);
  }

  /** How a path of the suite is shown by the program: what ids of its scenarios begin with. */
  shownOf(path: string): string {
    return shownFrom(this.#cwd, join(this.root, path));
  }

  /** Paths of all files, below the folder; a link that leads out of it is none. Throws `file-unreadable` for a folder that is gone or holds too many. */
  paths(): readonly string[] {
    const { files } = locateSuite([this.root], this.#config, this.#cwd);
    if (files.length > filesMax) {
      throw new NudgeLabError('file-unreadable', {
        message: `${this.shown} holds more than ${filesMax} scenario files.`,
      });
    }
    const top = realpathSync(this.root) + sep;
    // Who may read the suite may not read what a link in it leads to elsewhere.
    const within = files.filter((file) => realpathOf(file)?.startsWith(top));
    return within.map((file) => relative(this.root, file).replaceAll(sep, '/'));
  }

  /** Fixtures that scenarios of the folder name, as they are on the disk now. */
  async fixtures(): Promise<FixtureLibrary> {
    const [{ FixtureLibrary }, { fixturesDigest }] = await Promise.all([
      import('../../../scenario/fixture-library.ts'),
      import('../../../scenario/fixture-files.ts'),
    ]);
    const { fixtureFolders } = locateSuite([this.root], this.#config, this.#cwd);
    const digest = fixturesDigest(fixtureFolders);
    if (this.#fixtures?.digest === digest) return this.#fixtures.library;
    this.#kept.clear();
    this.#fixtures = { digest, library: new FixtureLibrary(fixtureFolders) };
    return this.#fixtures.library;
  }

  /** Reads files, all of them unless some are named; requests are answered in between. */
  async read(paths: readonly string[] = this.paths()): Promise<readonly ReadSuiteFile[]> {
    const fixtures = await this.fixtures();
    const { loadFile } = await import('../../../scenario/load.ts');
    const { allRows } = await import('../../../scenario/scenario-files.ts');
    const read: ReadSuiteFile[] = [];
    for (const path of paths) {
      const full = join(this.root, path);
      const stat = statSync(full, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      const mark = `${stat.mtimeMs} ${stat.size}`;
      const known = this.#kept.get(path);
      if (known?.mark === mark) {
        read.push(known);
        continue;
      }
      const { scenarios, problems } = loadFile(full, this.shownOf(path), fixtures, allRows);
      const kept = { path, shown: this.shownOf(path), scenarios, problems, mark };
      this.#kept.set(path, kept);
      read.push(kept);
      await breathe();
    }
    return read;
  }

  /** The text of a file. Throws `suite-file-unknown` for a path that the folder does not list, `file-unreadable` for one that is too large. */
  text(path: string): string {
    if (!this.paths().includes(path)) {
      throw new NudgeLabError('suite-file-unknown', { message: `${this.shown} has no scenario file ${path}.` });
    }
    const text = textAtMost(join(this.root, path), scenarioBytesMax);
    if (text === null)
      throw new NudgeLabError('file-unreadable', { message: `${path}: ${tooLarge(scenarioBytesMax)}.` });
    return text;
  }
}

/** Where a file really stands; `null` for a link that leads nowhere. */
function realpathOf(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}

/** A file as the list of the suite shows it. */
export function listedFile({ path, shown, scenarios, problems }: ReadSuiteFile): SuiteFile {
  const [first] = scenarios;
  return {
    path,
    shown,
    name: first?.name ?? null,
    scenarios: scenarios.length,
    covers: first?.covers ?? [],
    tags: first?.tags ?? [],
    problems: problems.map(placedProblem),
  };
}

/** A problem with its line and column apart. */
export function placedProblem({ location: place, message }: ValidationProblem): PlacedProblem {
  const [, line = '1', column = '1'] = /:(\d+)(?::(\d+))?$/.exec(place) ?? [];
  return { line: Math.max(1, Number(line)), column: Math.max(1, Number(column)), message };
}
