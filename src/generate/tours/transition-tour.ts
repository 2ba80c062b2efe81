import type { CompiledMachine } from '../../compiled/compiled-machine.ts';
import type { AnyStateMachine, EventFrom, ExploreOptions, SnapshotFrom } from '../../compiled/model.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { explore } from '../exploration/explore.ts';
import type { Product } from '../exploration/product.ts';
import { exploredSteps, type ProductSteps } from '../exploration/product-steps.ts';
import { createStateGraph, type StateGraph } from '../exploration/state-graph.ts';
import { Separation } from '../separation/separation.ts';
import { boundedPlan } from './bounded-tests.ts';
import { assertCosts, type CoverCriterion, planTour } from './tour-plan.ts';

/** Coverage criterion and cost limits of tests. */
export interface CoverOptions {
  /**
   * Coverage criterion: every state, every transition to another state (a change of only the context counts), or every
   * pair of consecutive transitions. Default: transitions.
   */
  readonly cover?: CoverCriterion;
  /** `true` to also cover self-transitions and their pairs, which are events without any effect. Default: `false`. */
  readonly stays?: boolean;
  /** Cost of starting a test in events, as a whole number. Default: 1. */
  readonly resetCost?: number;
  /** Maximum number of events in a test. Default: unlimited. */
  readonly maxLength?: number;
  /**
   * Position of distinguishing sequences, which require `visible`. `ends` adds the most effective sequence of the last
   * state to each test. `each` follows every transition or pair with each sequence of its target, so a wrong state is
   * detected wherever it occurs. Default: `none`.
   */
  readonly suffixes?: 'none' | 'ends' | 'each';
}

/** Options of a tour of a machine. */
export interface TourOptions<M extends AnyStateMachine> extends ExploreOptions<M>, CoverOptions {
  /** Returns the observation of a state, by which distinguishing sequences are computed; equal JSON looks the same. */
  readonly visible?: (state: SnapshotFrom<M>) => unknown;
}

/** Options of a tour of a product. */
export interface ProductTourOptions extends CoverOptions {
  /** Returns the observation of a state from its part states by name. */
  readonly visible?: (parts: ReadonlyMap<string, SnapshotFrom<AnyStateMachine>>) => unknown;
  /** Maximum number of states. Default: 100,000. */
  readonly limitStates?: number;
}

/** Tests with their optimality gap. */
export interface Tour<E> {
  /** Events from the initial state, one list per test. */
  readonly tests: readonly (readonly E[])[];
  readonly cover: CoverCriterion;
  /** Number of covered states, transitions or pairs, equal to all reachable ones. */
  readonly covered: number;
  /** Number of events in all tests. */
  readonly steps: number;
  /** Number of events plus the reset cost of each test. */
  readonly cost: number;
  /**
   * Lower bound on the cost of any tests with the same coverage, without the coverage by distinguishing sequences: the
   * value of a feasible dual.
   */
  readonly lowerBound: number;
  /**
   * Optimality gap: cost minus lower bound. 0 proves the optimum; otherwise it is the maximum distance from the
   * optimum.
   */
  readonly gap: number;
}

/**
 * Computes the cheapest tests that cover the states, transitions or transition pairs of a machine: directed Chinese
 * postman tours with resets, by an exact minimum-cost flow. Tests for transitions and pairs are proven optimal, also
 * with distinguishing sequences at their ends. The gap can be above 0 if test lengths are limited, only states are
 * covered, or a sequence follows each transition.
 * @throws `config-invalid` for invalid options, and the errors of `explore`
 */
export function transitionTour<M extends AnyStateMachine>(machine: M, options: TourOptions<M>): Tour<EventFrom<M>> {
  assertOptions(options, options.visible !== undefined);
  return createExploredTour(explore(machine, options), options);
}

/** Computes the tour of an explored machine. Takes the options of `transitionTour` and throws the same errors. */
export function createExploredTour<M extends AnyStateMachine>(
  explored: CompiledMachine<M>,
  options: CoverOptions & Pick<TourOptions<M>, 'visible'>,
): Tour<EventFrom<M>> {
  const { visible } = options;
  const seen = visible === undefined ? null : () => explored.states.map((state) => visible(state));
  return createGraphTour(createStateGraph(explored), seen, options, (label) => explored.events[label] as EventFrom<M>);
}

/**
 * Computes the tour of a product, with tests as lists of action names.
 * @throws the errors of `transitionTour`
 */
export function createProductTour(product: Product, options: ProductTourOptions = {}): Tour<string> {
  assertOptions(options, options.visible !== undefined);
  return createStepTour(exploredSteps(product, options.limitStates), options);
}

/**
 * Computes the tour of an explored product.
 * @throws the errors of `transitionTour`
 */
export function createStepTour(steps: ProductSteps, options: ProductTourOptions): Tour<string> {
  const { visible } = options;
  const numbers = Array.from({ length: steps.graph.states }, (_, number) => number);
  const seen = visible === undefined ? null : () => numbers.map((number) => visible(steps.explored.getState(number)));
  return createGraphTour(steps.graph, seen, options, (label) => steps.getName(label));
}

/**
 * Computes the tour of a graph. `seen` lists the observation of each state, and `eventOf` returns the event of a label.
 */
export function createGraphTour<E>(
  graph: StateGraph,
  seen: (() => readonly unknown[]) | null,
  options: CoverOptions,
  eventOf: (label: number) => E,
): Tour<E> {
  const { cover = 'transitions', stays = false, resetCost = 1, maxLength, suffixes = 'none' } = options;
  const separation = suffixes === 'none' || seen === null ? null : new Separation(graph, seen());
  const listSuffixes =
    separation === null ? null : (state: number) => separation.listSuffixes(state).map(({ labels }) => labels);
  const task = {
    graph,
    cover,
    stays,
    resetCost,
    listSuffixes,
    suffixes: suffixes === 'each' ? 'each' : 'ends',
  } as const;
  const whole = planTour(task);
  const { tests, covered, cost, lowerBound } = maxLength === undefined ? whole : boundedPlan(whole, task, maxLength);
  return {
    tests: tests.map(({ labels }) => labels.map(eventOf)),
    cover,
    covered,
    steps: tests.reduce((sum, { labels }) => sum + labels.length, 0),
    cost,
    lowerBound,
    gap: cost - lowerBound,
  };
}

function assertOptions({ resetCost = 1, maxLength, suffixes = 'none', cover }: CoverOptions, canSee: boolean): void {
  assertCosts(resetCost, maxLength ?? Number.POSITIVE_INFINITY);
  const refuse = (message: string) => {
    throw new NudgeLabError('config-invalid', { problems: [{ location: 'suffixes', message }] });
  };
  if (suffixes !== 'none' && !canSee) refuse('require `visible`, which returns the observable part of a state');
  if (suffixes === 'each' && cover === 'states') refuse('can follow each transition or pair, but not each state');
}
