import type { AnyStateMachine, EventFrom, Model } from '../compiled/model.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { FixtureLibrary } from '../scenario/fixture-library.ts';
import type { CoveringArray } from './covering-arrays/array-options.ts';
import { expectedScenario, type Journey, type ScenarioData } from './journey.ts';
import type { WrittenArray } from './write/array-csv.ts';

/** Size, bounds and completeness of a suite. */
export interface SizeProof {
  /** Covered items in a word or two, such as transitions or pairs of values. */
  readonly of: string;
  readonly covered: number;
  /** Names of the items that no test reaches. */
  readonly unreachable: readonly string[];
  readonly tests: number;
  /** Number of steps or rows. */
  readonly steps: number;
  /** Cost of the tests: steps plus one start per test, or rows. */
  readonly cost: number;
  /**
   * Lower bound on the cost of any suite with the same coverage; `null` if nothing is proven, such as for random walks.
   */
  readonly lowerBound: number | null;
  readonly gap: number | null;
  /** `true` if the suite covers everything requested; `false` if the time limit ended the search. */
  readonly complete: boolean;
}

/** Suite of journeys that is converted to scenarios. */
export interface JourneySuite {
  readonly kind: 'journeys';
  readonly title: string;
  readonly journeys: readonly Journey[];
  readonly sizeProof: SizeProof;
}

/** Tests of one machine as lists of events. */
export interface MachineSuite {
  readonly kind: 'machine';
  readonly title: string;
  readonly what: string;
  readonly model: Model;
  readonly tests: readonly (readonly EventFrom<AnyStateMachine>[])[];
  readonly sizeProof: SizeProof;
}

/** Covering array with a journey for each row. */
export interface ArraySuite {
  readonly kind: 'array';
  readonly title: string;
  readonly array: WrittenArray;
  /** Full result of the array, including impossible and uncovered combinations. */
  readonly found: CoveringArray;
  /** Number of values of each parameter, by name. */
  readonly valueCounts: ReadonlyMap<string, number>;
  readonly journeys: readonly Journey[];
  readonly sizeProof: SizeProof;
}

export type Generation = JourneySuite | MachineSuite | ArraySuite;

/** Time limit with a running stopwatch. */
export interface Budget {
  /** Limit in milliseconds; `null` if unlimited. */
  readonly limitMs: number | null;
  readonly elapsedMs: () => number;
}

/** Journeys with their expected results, as far as the time limit allowed. */
export interface ExpectedSuite {
  readonly scenarios: readonly ScenarioData[];
  readonly complete: boolean;
}

/**
 * Runs journeys on the model one by one until the time limit, and reports the progress. Throws `time-limit-too-short`
 * if no journey completed, and the errors of `expectedScenario`.
 */
export async function expectedSuite(
  journeys: readonly Journey[],
  fixtures: FixtureLibrary,
  { limitMs, elapsedMs }: Budget,
  onDone: (done: number, total: number) => void,
): Promise<ExpectedSuite> {
  const scenarios: ScenarioData[] = [];
  for (const journey of journeys) {
    if (limitMs !== null && elapsedMs() > limitMs) break;
    scenarios.push(await expectedScenario(journey, fixtures));
    onDone(scenarios.length, journeys.length);
  }
  if (scenarios.length > 0 || journeys.length === 0)
    return { scenarios, complete: scenarios.length === journeys.length };
  throw budgetTooSmall(limitMs ?? 0, `${journeys.length} tests were planned, but none was executed`);
}

/**
 * Creates the error for a time limit, in milliseconds, in which nothing completed.
 * @param reached - description of the progress
 */
export function budgetTooSmall(limitMs: number, reached: string): NudgeLabError {
  return new NudgeLabError('time-limit-too-short', {
    message: `The time limit of ${limitMs} ms is too short: ${reached}.`,
  });
}
