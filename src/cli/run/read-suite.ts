import { computeSha256 } from '../../core/digest.ts';
import type { ValidationProblem } from '../../core/errors.ts';
import { scenarioBytesMax, textAtMost } from '../../scenario/data-file.ts';
import { fixturesDigest } from '../../scenario/fixture-files.ts';
import { builtInChoice, type RulesetChoice, refuseUnknownSettings } from '../../scenario/rulesets/ruleset-choice.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { WantedRows } from '../../scenario/scenario-files.ts';
import type { CommandContext } from '../context.ts';
import { programDigest } from '../program-digest.ts';
import { refuseMissingRows, type SuitePlaces, shownFrom, wantedRows } from './locate-suite.ts';
import { type ReadScenario, ScenarioCache } from './scenario-cache.ts';

/** Requested scenarios, with the validation problems of all files. */
export interface Suite {
  readonly scenarios: readonly Scenario[];
  readonly problems: readonly ValidationProblem[];
  readonly files: readonly string[];
  /** Scenarios whose steps an earlier run has already validated. */
  readonly walked: ReadonlySet<Scenario>;
}

/** Content loaded from one file. */
interface ReadFile {
  readonly file: string;
  readonly text: string;
  readonly read: readonly ReadScenario[];
  readonly problems: readonly ValidationProblem[];
  readonly fromCache: boolean;
}

/**
 * Reads a suite. Each file comes from the cache if none of its inputs have changed. The YAML parser and the
 * validation are loaded only if a file has changed.
 */
export class SuiteReader {
  readonly #places: SuitePlaces;
  readonly #context: Pick<CommandContext, 'cwd' | 'nodeVersion' | 'pid'>;
  readonly #origin: string;
  readonly #cache: ScenarioCache;
  readonly #rulesets: RulesetChoice;
  #files: readonly ReadFile[] = [];

  /** Creates a reader for the paths of a suite, whose files can name the given rulesets. */
  constructor(
    places: SuitePlaces,
    context: Pick<CommandContext, 'cwd' | 'nodeVersion' | 'pid'>,
    rulesets: RulesetChoice = builtInChoice(),
  ) {
    this.#places = places;
    this.#context = context;
    this.#rulesets = rulesets;
    this.#origin = this.#originNow();
    this.#cache = new ScenarioCache(context.cwd, this.#origin, context.pid);
  }

  /**
   * Reads all files. An invalid file does not stop the remaining ones. Throws `usage-invalid` if a requested row does
   * not exist.
   */
  async read(): Promise<Suite> {
    const { requested, files } = this.#places;
    const { cwd } = this.#context;
    const wanted = wantedRows(requested, cwd);
    let readFile: ((path: string) => ReadFile) | null = null;
    const done: ReadFile[] = [];
    for (const path of files) {
      const taken = this.#taken(path, wanted);
      if (taken === null) readFile ??= await this.#reading(wanted);
      done.push(taken ?? (readFile as (path: string) => ReadFile)(path));
    }
    this.#files = done;
    const read = done.flatMap((one) => one.read);
    const scenarios = read.map(({ scenario }) => scenario);
    const problems = done.flatMap((one) => one.problems);
    if (problems.length === 0) {
      refuseMissingRows(scenarios, requested, cwd);
      refuseUnknownSettings(this.#rulesets);
    }
    return { scenarios, problems, files, walked: new Set(read.filter(({ walked }) => walked).map(getScenario)) };
  }

  /** Adds missing entries to the cache. `possible` lists the scenarios whose steps this run has validated. */
  keep(possible: readonly Scenario[]): void {
    const walkedNow = new Set(possible);
    const changed = this.#files
      .filter(({ problems, read }) => problems.length === 0 && read.length > 0)
      .filter(({ fromCache, read }) => !fromCache || read.some((one) => !one.walked && walkedNow.has(one.scenario)));
    // A file that was edited while it was read is read again by the next run.
    if (changed.length === 0 || this.#originNow() !== this.#origin) return;
    for (const { file, text, read } of changed) {
      this.#cache.keep(
        file,
        text,
        read.map((one) => ({ ...one, walked: one.walked || walkedNow.has(one.scenario) })),
      );
    }
    this.#cache.trim();
  }

  #originNow(): string {
    const { registry, chosen, settings } = this.#rulesets;
    const rulesets = JSON.stringify([registry.list().map(({ digest }) => digest), chosen?.digest, settings]);
    return `${programDigest(this.#context.nodeVersion)} ${fixturesDigest(this.#places.fixtureFolders)} ${computeSha256(rulesets)}`;
  }

  #taken(path: string, wanted: WantedRows): ReadFile | null {
    const file = shownFrom(this.#context.cwd, path);
    // A file that is too large is reported by the reader.
    const text = textAtMost(path, scenarioBytesMax);
    const read = text === null ? null : this.#cache.take(file, text, wanted);
    return text === null || read === null ? null : { file, text, read, problems: [], fromCache: true };
  }

  async #reading(wanted: WantedRows): Promise<(path: string) => ReadFile> {
    const [{ FixtureLibrary }, { loadFile }] = await Promise.all([
      import('../../scenario/fixture-library.ts'),
      import('../../scenario/load.ts'),
    ]);
    const fixtures = new FixtureLibrary(this.#places.fixtureFolders);
    return (path) => {
      const file = shownFrom(this.#context.cwd, path);
      const { text, scenarios, problems } = loadFile(path, file, fixtures, wanted, this.#rulesets);
      const read = scenarios.map((scenario) => ({ row: parseRow(scenario), scenario, walked: false }));
      return { file, text, read, problems, fromCache: false };
    };
  }
}

function getScenario({ scenario }: ReadScenario): Scenario {
  return scenario;
}

/** Returns the row number of a scenario in its file, from 1. */
function parseRow({ id, file }: Scenario): number {
  return id === file ? 1 : Number(id.slice(file.length + 1));
}
