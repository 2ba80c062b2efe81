import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { rulesetIds } from '../../../../machines/rulesets/ruleset-registry.ts';
import { afterPendingInput } from '../../../core/clock.ts';
import { NudgeLabError, type ValidationProblem } from '../../../core/errors.ts';
import { scenarioBytesMax, textAtMost, tooLarge } from '../../../scenario/data-file.ts';
import type { FixtureLibrary } from '../../../scenario/fixture-library.ts';
import type { RulesetChoice } from '../../../scenario/rulesets/ruleset-choice.ts';
import type { Scenario } from '../../../scenario/scenario.ts';
import type { SuiteView } from '../../../server/suite-service.ts';
import type { Config } from '../../config.ts';
import { openRulesets } from '../../open-rulesets.ts';
import { locateSuite, shownFrom } from '../../run/locate-suite.ts';

type SuiteFile = SuiteView['files'][number];
type PlacedProblem = SuiteFile['problems'][number];

/** Maximum number of files listed for one folder. */
const filesMax = 10_000;

/** Parsed scenario file. */
export interface ReadSuiteFile {
  /** Path relative to the folder, with forward slashes. */
  readonly path: string;
  readonly shown: string;
  readonly scenarios: readonly Scenario[];
  readonly problems: readonly ValidationProblem[];
}

interface Kept extends ReadSuiteFile {
  readonly mark: string;
}

/** Lets the server handle pending requests before the work continues. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => afterPendingInput(resolve));
}

/** Scenario files in one folder. Each file is parsed once, and again if it or a fixture changes. */
export class SuiteFolder {
  readonly root: string;
  readonly #config: Config;
  readonly #cwd: string;
  readonly #kept = new Map<string, Kept>();
  #fixtures: { readonly digest: string; readonly library: FixtureLibrary } | null = null;

  /** Opens a folder of scenarios. Displayed paths are relative to `cwd`. Throws `file-unreadable`. */
  constructor(root: string, config: Config, cwd: string) {
    if (!existsSync(root) || !statSync(root).isDirectory()) {
      throw new NudgeLabError('file-unreadable', { message: `The folder ${root} does not exist.` });
    }
    this.root = root;
    this.#config = config;
    this.#cwd = cwd;
  }

  /** Path of the folder for display. */
  get shown(): string {
    return shownFrom(this.#cwd, this.root);
  }

  /** Formats a path of the suite for display. The ids of its scenarios start with this path. */
  formatPath(path: string): string {
    return shownFrom(this.#cwd, join(this.root, path));
  }

  /**
   * Lists the paths of all files, relative to the folder. Links to files outside of the folder are excluded. Throws
   * `file-unreadable` if the folder no longer exists or contains too many files.
   */
  paths(): readonly string[] {
    const { files } = locateSuite([this.root], this.#config, this.#cwd);
    if (files.length > filesMax) {
      throw new NudgeLabError('file-unreadable', {
        message: `${this.shown} contains more than ${filesMax} scenario files.`,
      });
    }
    const top = realpathSync(this.root) + sep;
    // Read access to the suite must not include files outside of it that a link leads to.
    const within = files.filter((file) => findRealPath(file)?.startsWith(top));
    return within.map((file) => relative(this.root, file).replaceAll(sep, '/'));
  }

  /** Loads the fixtures that the folder's scenarios name, in their current version on the disk. */
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

  /** Loads the rulesets of the configuration, in their current version on the disk. */
  rulesets(): Promise<RulesetChoice> {
    return openRulesets({ ruleset: null }, this.#config, this.#cwd);
  }

  /** Parses the named files, or all files by default. The server handles requests in between. */
  async read(paths: readonly string[] = this.paths()): Promise<readonly ReadSuiteFile[]> {
    const fixtures = await this.fixtures();
    const rulesets = await this.rulesets();
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
      const { scenarios, problems } = loadFile(full, this.formatPath(path), fixtures, allRows, rulesets);
      const kept = { path, shown: this.formatPath(path), scenarios, problems, mark };
      // The mark does not cover a ruleset file, which can change too.
      if (scenarios.every(namesBuiltInRuleset)) this.#kept.set(path, kept);
      read.push(kept);
      await breathe();
    }
    return read;
  }

  /**
   * Returns the text of a file. Throws `suite-file-unknown` if the folder does not list the path, and
   * `file-unreadable` if the file is too large.
   */
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

function namesBuiltInRuleset({ own, plan }: Scenario): boolean {
  return own === undefined && rulesetIds.includes(plan.ruleset);
}

/** Resolves all links in a path; `null` for a broken link. */
function findRealPath(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}

/** Converts a file to its entry in the list of the suite. */
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

/** Converts a problem to one with separate line and column. */
export function placedProblem({ location: place, message }: ValidationProblem): PlacedProblem {
  const [, line = '1', column = '1'] = /:(\d+)(?::(\d+))?$/.exec(place) ?? [];
  return { line: Math.max(1, Number(line)), column: Math.max(1, Number(column)), message };
}
