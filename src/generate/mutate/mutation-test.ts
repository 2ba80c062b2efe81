import type { Scenario } from '../../scenario/scenario.ts';
import type { ScenarioData } from '../journey.ts';
import { KillingTests } from './killing-tests.ts';
import type { ModelMutant } from './model-mutant.ts';
import { type Kill, MutationSuite } from './mutation-suite.ts';

export const mutantStatuses = ['killed', 'survived', 'equivalent', 'undecided', 'not-run'] as const;
export type MutantVerdict = (typeof mutantStatuses)[number];

/** Result for one mutant of the model. */
export interface MutantResult {
  readonly mutant: ModelMutant;
  readonly verdict: MutantVerdict;
  /** First detection by the suite, if any. */
  readonly kill: Kill | null;
  /** Shortest journey that kills a survivor, as a scenario. */
  readonly killer: ScenarioData | null;
  /** Reason why the mutant is undecided. */
  readonly message: string | null;
}

/** Options for measuring a suite. */
export interface MutationOptions {
  /** `true` to decide survivors: equivalent, or killed by a shortest journey. */
  readonly decide: boolean;
  /** Maximum number of differing state pairs in one search. */
  readonly pairsMax: number;
  /**
   * Called before each mutant. If it returns `false`, the remaining mutants are `not-run` and earlier results are kept.
   */
  readonly canContinue: () => boolean;
  readonly onProgress?: (done: number, total: number, what: string) => void;
}

/** Results of all mutants, in order, and the scenarios that do not pass on the original model. */
export interface MutationResults {
  readonly results: readonly MutantResult[];
  readonly scenarios: number;
  readonly failing: readonly string[];
  /** Scenarios that need another driver than the model. */
  readonly skipped: readonly string[];
  /** `true` if all requested work was done. */
  readonly complete: boolean;
}

/** Runs a suite on every mutant, and then decides the survivors. */
export async function testMutants(
  scenarios: readonly Scenario[],
  mutants: readonly ModelMutant[],
  { decide, pairsMax, canContinue, onProgress }: MutationOptions,
): Promise<MutationResults> {
  const suite = await MutationSuite.of(scenarios);
  const results: MutantResult[] = [];
  for (const mutant of mutants) {
    const kill = canContinue() ? await suite.kill(mutant) : undefined;
    const verdict = kill === undefined ? 'not-run' : kill === null ? 'survived' : 'killed';
    results.push({ mutant, verdict, kill: kill ?? null, killer: null, message: null });
    onProgress?.(results.length, mutants.length, 'run');
  }
  const killers = new KillingTests(pairsMax);
  const open = results.flatMap(({ verdict }, at) => (decide && verdict === 'survived' ? [at] : []));
  let complete = results.every(({ verdict }) => verdict !== 'not-run');
  for (const [done, at] of open.entries()) {
    const result = results[at] as MutantResult;
    if (!canContinue()) {
      results[at] = { ...result, verdict: 'undecided', message: 'The time limit was reached before a result.' };
      complete = false;
      continue;
    }
    const remainder = await killers.of(result.mutant);
    results[at] = {
      ...result,
      verdict: remainder.kind,
      killer: remainder.kind === 'survived' ? remainder.scenario : null,
      message: remainder.kind === 'undecided' ? remainder.message : null,
    };
    onProgress?.(done + 1, open.length, 'decided');
  }
  return { results, scenarios: suite.size, failing: suite.failing, skipped: suite.skipped, complete };
}
