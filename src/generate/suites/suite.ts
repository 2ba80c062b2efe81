import { assumptions } from '../../contract/assumptions.ts';
import { ruleCatalogue } from '../../contract/rule-catalogue.ts';
import type { WrittenStep } from '../../contract/scenario.schema.ts';
import { createCriterionSuite } from '../criteria/coverage-criteria.ts';
import { type Confirmed, CoveredPoints, lifecyclePoints } from '../criteria/covered-points.ts';
import { type CriterionTests, findCriterionTests } from '../criteria/criterion-tests.ts';
import { guardCriteria } from '../criteria/guard-criteria.ts';
import type { ProductSteps } from '../exploration/product-steps.ts';
import type { Journey } from '../journey.ts';
import { coverCriteria } from '../tours/tour-plan.ts';
import { decisionSuite } from './decision-suite.ts';
import {
  exploredLifecycle,
  type LifecycleSuiteOptions,
  lifecycleDefaults,
  lifecycleGiven,
  lifecycleSuite,
  listJourneys,
} from './lifecycle-journeys.ts';
import {
  listAssumptionItems,
  listGateOutcomeItems,
  listReasonItems,
  type VerdictCriteria,
  verdictSuite,
} from './verdict-suite.ts';

/** What a suite of scenarios can be made to cover. */
export const coverageCriteria = [...coverCriteria, 'guards', 'rules', 'reasons', 'assumptions', 'decisions'] as const;
/** A coverage criterion of a generated suite. */
export type CoverageCriterion = (typeof coverageCriteria)[number];

/** How a suite is made: the durations and lengths are those of tests over the lifecycle. */
export type SuiteOptions = Partial<Omit<LifecycleSuiteOptions, 'cover'>>;

/** A suite as journeys, with what it covers and how near to the smallest it is. */
export interface GeneratedSuite {
  readonly cover: CoverageCriterion;
  /** Runnable on every driver; `expectedScenario` says what they lead to. */
  readonly journeys: readonly Journey[];
  /** What is covered, counted: states, transitions, pairs, or goals by name. */
  readonly covered: number;
  /** Goals that no test of this kind reaches, by name. */
  readonly unreachable: readonly string[];
  readonly steps: number;
  readonly cost: number;
  /** No tests of this kind whatever that cover the same cost less. */
  readonly lowerBound: number;
  readonly gap: number;
  /** No selection of the tests that were tried costs less; where nothing was selected, the lower bound itself. */
  readonly lowerBoundOfTried: number;
}

/**
 * A small suite of scenarios that covers what is asked for: states, transitions or pairs of a user's lifecycle, its guards both
 * ways, the outcomes of all gates with the rules of the lifecycle and of the policy API, each reason as the primary one, the
 * assumptions that a run can show, or every decision of the rules: each row of each gate and each order of two. Takes the goal, and where others are wanted durations, lengths and reset costs. Throws
 * `config-invalid` for options that cannot be.
 */
export function generatedSuite(cover: CoverageCriterion, options: SuiteOptions = {}): GeneratedSuite {
  switch (cover) {
    case 'guards':
      return { cover, ...guardSuite(options) };
    case 'reasons':
      return { cover, ...signInSuite(listReasonItems, options) };
    case 'rules': {
      const lifecycle = ruleCatalogue.filter(({ kind }) => kind === 'lifecycle');
      const policy = ruleCatalogue.filter(({ kind }) => kind === 'validation').map(({ id }) => id);
      const signIns = signInSuite(listGateOutcomeItems, options);
      return { cover, ...together([signIns, shownSuite('Rules', lifecycle, options), policySuite(policy, options)]) };
    }
    case 'decisions':
      return { cover, ...decisionPart(options) };
    case 'assumptions':
      return { cover, ...assumptionSuite(options) };
    default: {
      const { journeys, covered, steps, cost, lowerBound, gap } = lifecycleSuite({ ...options, cover });
      return { cover, journeys, covered, unreachable: [], steps, cost, lowerBound, gap, lowerBoundOfTried: lowerBound };
    }
  }
}

type Part = Omit<GeneratedSuite, 'cover'>;

function decisionPart({ resetCost = 1 }: SuiteOptions): Part {
  const { journeys, covered, lowerBound: tests } = decisionSuite();
  const [cost, lowerBound] = [journeys.length, tests].map((count) => count * (1 + resetCost)) as [number, number];
  const known = { covered, unreachable: [], steps: journeys.length, cost, lowerBound, gap: cost - lowerBound };
  return { journeys, ...known, lowerBoundOfTried: lowerBound };
}

/** Suites of different kinds of tests as one: what one kind has to cover no other does, so bounds add up. */
function together(parts: readonly Part[]): Part {
  const sum = (key: 'covered' | 'steps' | 'cost' | 'lowerBound' | 'gap' | 'lowerBoundOfTried') =>
    parts.reduce((total, part) => total + part[key], 0);
  return {
    journeys: parts.flatMap(({ journeys }) => journeys),
    unreachable: parts.flatMap(({ unreachable }) => unreachable),
    covered: sum('covered'),
    steps: sum('steps'),
    cost: sum('cost'),
    lowerBound: sum('lowerBound'),
    gap: sum('gap'),
    lowerBoundOfTried: sum('lowerBoundOfTried'),
  };
}

interface LifecycleGoals {
  readonly what: string;
  readonly names: readonly string[];
  /** The numbers of what a step of the product reaches. */
  readonly reachedBy: (state: number, label: number) => readonly number[];
}

function lifecycleGoalSuite(
  steps: ProductSteps,
  { what, names, reachedBy }: LifecycleGoals,
  options: SuiteOptions,
): Part {
  const { snoozeDays, maxLength, resetCost = 1 } = { ...lifecycleDefaults, ...options };
  const { states, labels } = steps.graph;
  const goals = Array.from({ length: states * labels }, (_, step) =>
    // What leaves all as it is may be nothing that a user could do.
    steps.graph.targets[step] === Math.floor(step / labels) ? [] : reachedBy(Math.floor(step / labels), step % labels),
  );
  const found: CriterionTests = findCriterionTests({
    graph: steps.graph,
    goals,
    count: names.length,
    resetCost,
    maxLength,
  });
  const {
    tests,
    reached: _reached,
    ...certificate
  } = createCriterionSuite(found, names, (label) => steps.nameOf(label));
  return { ...certificate, journeys: listJourneys(tests, steps, { what, snoozeDays }) };
}

function explored(options: SuiteOptions): ProductSteps {
  return exploredLifecycle({ ...lifecycleDefaults, ...options });
}

function guardSuite(options: SuiteOptions): Part {
  const steps = explored(options);
  const part = steps.compiled.parts.findIndex(({ name }) => name === 'nudge');
  const model = steps.compiled.product.parts[part];
  if (model === undefined) throw new TypeError('The lifecycle has a part called nudge.');
  const { names, bySteps } = guardCriteria(model.machine, model);
  const reachedBy = (state: number, label: number) =>
    steps
      .sentBy(state, label)
      .filter((sent) => sent.part === part)
      .flatMap((sent) => bySteps[sent.state * model.events.length + sent.event] ?? []);
  return lifecycleGoalSuite(steps, { what: 'Guards', names, reachedBy }, options);
}

/** Tests over the lifecycle that show rules or assumptions by every transition by which they are seen. */
function shownSuite(what: string, entries: readonly Confirmed[], options: SuiteOptions): Part {
  const steps = explored(options);
  const points = lifecyclePoints(entries);
  const shown = new CoveredPoints(steps, points);
  const names = points.map(({ name }) => name);
  const reachedBy = (state: number, label: number) => shown.by(state, label);
  return lifecycleGoalSuite(steps, { what: `${what} of the lifecycle`, names, reachedBy }, options);
}

function signInSuite(goals: VerdictCriteria, { resetCost = 1 }: SuiteOptions): Part {
  const { journeys, unreachable, lowerBound, lowerBoundOfTried } = verdictSuite(goals);
  const each = 1 + resetCost;
  return {
    journeys,
    unreachable,
    covered: goals.wanted.length - unreachable.length,
    steps: journeys.length,
    cost: journeys.length * each,
    lowerBound: Math.max(lowerBound, 1) * each,
    gap: (journeys.length - Math.max(lowerBound, 1)) * each,
    lowerBoundOfTried: lowerBoundOfTried * each,
  };
}

const campaignPath = (campaign: object) => ({
  registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign },
});

/** What the policy API is asked: reading, a change, and what it refuses (R2, R8, R15, A16 to A18, A37, A50). */
const policySteps: readonly WrittenStep[] = [
  { getPolicy: {} },
  { patchPolicy: { body: campaignPath({ snoozeDurationInDays: 3 }) } },
  { getPolicy: {} },
  {
    patchPolicy: {
      body: campaignPath({
        includeTargets: ['vendorAuthenticator', 'fido2'].map((targetedAuthenticationMethod) => ({
          targetType: 'group',
          id: 'all_users',
          targetedAuthenticationMethod,
        })),
      }),
    },
  },
  { patchPolicy: { body: campaignPath({ excludeTargets: [{ targetType: 'group', id: 'all_users' }] }) } },
  { patchPolicy: { body: campaignPath({ state: 'default', snoozeDurationInDays: 5 }) } },
  { patchPolicy: { body: campaignPath({ state: 'default' }) } },
  { getPolicy: {} },
];

function policySuite(ids: readonly string[], { resetCost = 1 }: SuiteOptions): Part {
  const journey: Journey = {
    name: 'Policy, test 1 of 1: reading, changing, and what is refused',
    covers: ids,
    tags: ['generated', 'policy'],
    given: lifecycleGiven(1),
    steps: policySteps,
  };
  const cost = policySteps.length + resetCost;
  // One answer is enough to be counted as seen; the others say what is refused, which a count does not ask for.
  const lowerBound = 1 + resetCost;
  return {
    journeys: ids.length === 0 ? [] : [journey],
    covered: ids.length,
    unreachable: [],
    steps: policySteps.length,
    cost,
    lowerBound,
    gap: cost - lowerBound,
    lowerBoundOfTried: cost,
  };
}

/**
 * Every assumption by every point of a run that shows it: by transitions of the lifecycle, by gates and outcomes of a verdict, by
 * the policy API. An expectation about the nudge status shows too many to tell one, so it is no goal.
 */
function assumptionSuite(options: SuiteOptions): Part {
  const policy = assumptions.filter(({ confirmedBy }) => confirmedBy.some(({ kind }) => kind === 'policy'));
  const goals = listAssumptionItems(assumptions);
  const all = together([
    shownSuite('Assumptions', assumptions, options),
    signInSuite(goals, options),
    policySuite(
      policy.map(({ id }) => id),
      options,
    ),
  ]);
  const claimed = assumptions.filter(({ confirmedBy }) => confirmedBy.every(({ kind }) => kind === 'claimed'));
  return { ...all, unreachable: [...all.unreachable, ...claimed.map(({ id }) => id)] };
}
