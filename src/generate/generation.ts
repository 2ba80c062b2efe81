import type { AnyStateMachine, EventFrom, Model } from '../compiled/model.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { FixtureLibrary } from '../scenario/fixture-library.ts';
import type { CoveringArray } from './covering-arrays/array-options.ts';
import { expectedScenario, type Journey, type ScenarioData } from './journey.ts';
import type { WrittenArray } from './write/array-csv.ts';

/** What is known of a suite's size, and whether all of it is there. */
export interface SizeProof {
  /** What is covered, in a word or two: transitions, pairs of values. */
  readonly of: string;
  readonly covered: number;
  /** What there is to cover besides and no test reaches, by name. */
  readonly unreachable: readonly string[];
  readonly tests: number;
  /** Steps, or rows. */
  readonly steps: number;
  /** What the tests cost: steps and the beginning of each, or rows. */
  readonly cost: number;
  /** No suite that covers the same costs less; `null` where nothing is proven, as of walks. */
  readonly lowerBound: number | null;
  readonly gap: number | null;
  /** Whether all that was asked for is there; false where the time was over before. */
  readonly complete: boolean;
}

/** A suite of journeys, which becomes scenarios. */
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

/** A covering array, with a journey for each row. */
export interface ArraySuite {
  readonly kind: 'array';
  readonly title: string;
  readonly array: WrittenArray;
  /** What is known of the array besides: combinations that cannot be, and those that are missing. */
  readonly found: CoveringArray;
  /** How many values each factor has, by its name. */
  readonly valueCounts: ReadonlyMap<string, number>;
  readonly journeys: readonly Journey[];
  readonly sizeProof: SizeProof;
}

export type Generation = JourneySuite | MachineSuite | ArraySuite;

/** A limit in time: how long there is, and a stopwatch that runs. */
export interface Budget {
  /** `null` for as long as it takes. */
  readonly limitMs: number | null;
  readonly elapsedMs: () => number;
}

/** What journeys lead to, as far as the time went. */
export interface ExpectedSuite {
  readonly scenarios: readonly ScenarioData[];
  readonly complete: boolean;
}

/**
 * Walks journeys on the model, one after the other, until the time is over. Takes fixtures that they name, the time there is,
 * and who is told how far it went. Throws `time-limit-too-short` when not one was done, and what `expectedScenario` throws.
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
  throw budgetTooSmall(limitMs ?? 0, `${journeys.length} tests were planned, and none was walked`);
}

/** The error for a budget in which nothing could be done. Takes the limit in ms, and how far it went. */
export function budgetTooSmall(limitMs: number, reached: string): NudgeLabError {
  return new NudgeLabError('time-limit-too-short', { message: `${limitMs} ms were too few: ${reached}.` });
}
