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

/** What tests cover, and what they may cost. */
export interface CoverOptions {
  /**
   * What the tests take: every state, every transition to another state (one that changes the context alone is one), or every
   * pair of transitions of which the second follows the first. Default: transitions.
   */
  readonly cover?: CoverCriterion;
  /** Whether transitions and pairs that stay in their state are taken too: events at which nothing happens. Default false. */
  readonly stays?: boolean;
  /** What beginning a test costs, in events; a whole number, default 1. */
  readonly resetCost?: number;
  /** The most events that a test may have; default: any number. */
  readonly maxLength?: number;
  /**
   * Where a separating suffix follows, which needs `visible`: at the end of each test the one that tells its state from most;
   * or after each transition or pair, which is taken with every suffix of the state that it leads to, so that a wrong state
   * shows wherever it comes about. Default: nowhere.
   */
  readonly suffixes?: 'none' | 'ends' | 'each';
}

/** How a tour of a machine is made. */
export interface TourOptions<M extends AnyStateMachine> extends ExploreOptions<M>, CoverOptions {
  /** What can be seen of a state; equal JSON looks the same. Suffixes tell states apart by it. */
  readonly visible?: (state: SnapshotFrom<M>) => unknown;
}

/** How a tour of a product is made. */
export interface ProductTourOptions extends CoverOptions {
  /** What can be seen of a state, from the states of the parts by their names. */
  readonly visible?: (parts: ReadonlyMap<string, SnapshotFrom<AnyStateMachine>>) => unknown;
  /** How many states there may be; default 100,000. */
  readonly limitStates?: number;
}

/** Tests, with the proof of how near to the cheapest they are. */
export interface Tour<E> {
  /** Events from the first state on, a list for each test. */
  readonly tests: readonly (readonly E[])[];
  readonly cover: CoverCriterion;
  /** States, transitions or pairs that the tests take: all that can be reached. */
  readonly covered: number;
  /** Events of all tests. */
  readonly steps: number;
  /** Steps, and the reset cost of each test. */
  readonly cost: number;
  /** No tests that cover the same cost less, what suffixes take on their way not counted: the value of a feasible dual. */
  readonly lowerBound: number;
  /** Cost above the lower bound: 0 is a proven optimum, more is how far off the tests may be at most. */
  readonly gap: number;
}

/**
 * The cheapest tests that cover a machine's transitions, pairs of transitions, or states: directed Chinese postman tours with
 * resets by an exact flow of least cost. Transitions and pairs come with the proof of the optimum, also with suffixes at the
 * ends; where tests are bounded, states alone are covered, or a suffix follows each transition, the gap may be above 0.
 * Takes the machine, how it is explored and what is to be covered. Throws `config-invalid` for options that cannot be, and what
 * `explore` throws.
 */
export function transitionTour<M extends AnyStateMachine>(machine: M, options: TourOptions<M>): Tour<EventFrom<M>> {
  assertOptions(options, options.visible !== undefined);
  return createExploredTour(explore(machine, options), options);
}

/** A tour of a machine that is explored already. Takes and throws what `transitionTour` does. */
export function createExploredTour<M extends AnyStateMachine>(
  explored: CompiledMachine<M>,
  options: CoverOptions & Pick<TourOptions<M>, 'visible'>,
): Tour<EventFrom<M>> {
  const { visible } = options;
  const seen = visible === undefined ? null : () => explored.states.map((state) => visible(state));
  return tourOfGraph(createStateGraph(explored), seen, options, (label) => explored.events[label] as EventFrom<M>);
}

/** A tour of machines side by side: tests are lists of the names of actions. Takes and throws what `transitionTour` does. */
export function createProductTour(product: Product, options: ProductTourOptions = {}): Tour<string> {
  assertOptions(options, options.visible !== undefined);
  return createStepTour(exploredSteps(product, options.limitStates), options);
}

/** A tour of a product that is explored already. Takes and throws what `transitionTour` does. */
export function createStepTour(steps: ProductSteps, options: ProductTourOptions): Tour<string> {
  const { visible } = options;
  const numbers = Array.from({ length: steps.graph.states }, (_, number) => number);
  const seen = visible === undefined ? null : () => numbers.map((number) => visible(steps.explored.stateOf(number)));
  return tourOfGraph(steps.graph, seen, options, (label) => steps.nameOf(label));
}

function tourOfGraph<E>(
  graph: StateGraph,
  seen: (() => readonly unknown[]) | null,
  options: CoverOptions,
  eventOf: (label: number) => E,
): Tour<E> {
  const { cover = 'transitions', stays = false, resetCost = 1, maxLength, suffixes = 'none' } = options;
  const separation = suffixes === 'none' || seen === null ? null : new Separation(graph, seen());
  const suffixesOf =
    separation === null ? null : (state: number) => separation.suffixesOf(state).map(({ labels }) => labels);
  const task = { graph, cover, stays, resetCost, suffixesOf, suffixes: suffixes === 'each' ? 'each' : 'ends' } as const;
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
  if (suffixes !== 'none' && !canSee) refuse('need `visible`, which says what can be seen of a state');
  if (suffixes === 'each' && cover === 'states') refuse('follow each transition or pair, not each state');
}
