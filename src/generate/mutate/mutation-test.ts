import type { Scenario } from '../../scenario/scenario.ts';
import type { ScenarioData } from '../journey.ts';
import { KillingTests } from './killing-tests.ts';
import type { ModelMutant } from './model-mutant.ts';
import { type Kill, MutationSuite } from './mutation-suite.ts';

export const mutantStatuses = ['killed', 'survived', 'equivalent', 'undecided', 'not-run'] as const;
export type MutantVerdict = (typeof mutantStatuses)[number];

/** What became of one mutant of the model. */
export interface MutantResult {
  readonly mutant: ModelMutant;
  readonly verdict: MutantVerdict;
  /** Where the suite found it out. */
  readonly kill: Kill | null;
  /** For a survivor, the shortest journey that kills it, as a scenario. */
  readonly killer: ScenarioData | null;
  /** Why it could not be decided. */
  readonly message: string | null;
}

/** How a suite is measured. */
export interface MutationOptions {
  /** Whether survivors are decided: equivalent, or killed by which shortest journey. */
  readonly decide: boolean;
  /** Pairs of situations that differ which one search may walk. */
  readonly pairsMax: number;
  /** Asked before each mutant; what it stops is kept as `not-run`, and what was found is kept. */
  readonly canContinue: () => boolean;
  readonly onProgress?: (done: number, total: number, what: string) => void;
}

/** The results of all mutants, in their order, and the scenarios that fail on the model itself. */
export interface MutationResults {
  readonly results: readonly MutantResult[];
  readonly scenarios: number;
  readonly failing: readonly string[];
  /** Whether everything was done that was asked for. */
  readonly complete: boolean;
}

/** Runs a suite on every mutant, then decides what became of those that it did not kill. Takes scenarios, mutants and options. */
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
      results[at] = { ...result, verdict: 'undecided', message: 'The budget ended before it was decided.' };
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
  return { results, scenarios: suite.size, failing: suite.failing, complete };
}
