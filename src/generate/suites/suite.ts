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

/** Coverage criteria for suites of scenarios. */
export const coverageCriteria = [...coverCriteria, 'guards', 'rules', 'reasons', 'assumptions', 'decisions'] as const;
/** Coverage criterion of a generated suite. */
export type CoverageCriterion = (typeof coverageCriteria)[number];

/** Options of a suite; durations and lengths apply to lifecycle tests. */
export type SuiteOptions = Partial<Omit<LifecycleSuiteOptions, 'cover'>>;

/** Suite of journeys, with its coverage and its optimality gap. */
export interface GeneratedSuite {
  readonly cover: CoverageCriterion;
  /** Journeys that every driver can run; `expectedScenario` adds the expectations. */
  readonly journeys: readonly Journey[];
  /** Number of covered states, transitions, transition pairs or named items. */
  readonly covered: number;
  /** Names of the coverage items that no test of this type reaches. */
  readonly unreachable: readonly string[];
  readonly steps: number;
  readonly cost: number;
  /** Lower bound on the cost of any tests of this type with the same coverage. */
  readonly lowerBound: number;
  readonly gap: number;
  /** Lower bound on the cost of any selection of the candidate tests; equal to `lowerBound` if nothing was selected. */
  readonly lowerBoundOfTried: number;
}

/**
 * Generates a small suite of scenarios for a coverage criterion. The lifecycle criteria are states, transitions,
 * transition pairs, and both results of its guards. The rule criteria are the outcomes of all gates (with the rules of
 * the lifecycle and of the policy API), each reason as the primary one, the assumptions that a run can demonstrate, and
 * every decision of the rules. A decision is a row of a gate, or the order of two gates. The options can override
 * durations, lengths and reset costs.
 * @throws `config-invalid` for invalid options
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

/** Merges suites of different test types. Their coverage items are disjoint, so their bounds add up. */
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
  /** Returns the numbers of the coverage items that a step of the product reaches. */
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
    // A step that changes nothing can be an action that no user can take.
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
  } = createCriterionSuite(found, names, (label) => steps.getName(label));
  return { ...certificate, journeys: listJourneys(tests, steps, { what, snoozeDays }) };
}

function explored(options: SuiteOptions): ProductSteps {
  return exploredLifecycle({ ...lifecycleDefaults, ...options });
}

function guardSuite(options: SuiteOptions): Part {
  const steps = explored(options);
  const part = steps.compiled.parts.findIndex(({ name }) => name === 'nudge');
  const model = steps.compiled.product.parts[part];
  if (model === undefined) throw new TypeError('The lifecycle model must have a part named nudge.');
  const { names, bySteps } = guardCriteria(model.machine, model);
  const reachedBy = (state: number, label: number) =>
    steps
      .sentBy(state, label)
      .filter((sent) => sent.part === part)
      .flatMap((sent) => bySteps[sent.state * model.events.length + sent.event] ?? []);
  return lifecycleGoalSuite(steps, { what: 'Guards', names, reachedBy }, options);
}

/** Generates lifecycle tests that demonstrate rules or assumptions by every transition that confirms them. */
function shownSuite(what: string, entries: readonly Confirmed[], options: SuiteOptions): Part {
  const steps = explored(options);
  const points = lifecyclePoints(entries);
  const coveredPoints = new CoveredPoints(steps, points);
  const names = points.map(({ name }) => name);
  const reachedBy = (state: number, label: number) => coveredPoints.by(state, label);
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

/** Requests to the policy API: a read, a change, and rejected changes (R2, R8, R15, A16 to A18, A37, A50). */
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
    name: 'Policy, test 1 of 1: reads, updates and rejected requests',
    covers: ids,
    tags: ['generated', 'policy'],
    given: lifecycleGiven(1),
    steps: policySteps,
  };
  const cost = policySteps.length + resetCost;
  // A single response is enough for coverage. The other steps document rejections, which the count does not include.
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
 * Generates tests for every assumption by every observation that demonstrates it: lifecycle transitions, gates and
 * outcomes of a verdict, and policy API responses. An expectation on the nudge status confirms too many assumptions at
 * once, so it is not a coverage item.
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
