import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import { assumptions } from '../../contract/assumptions.ts';
import { ruleCatalogue } from '../../contract/rule-catalogue.ts';
import type { ScenarioGiven, WrittenStep } from '../../contract/scenario.schema.ts';
import { CoveredPoints, lifecyclePoints } from '../criteria/covered-points.ts';
import { exploredSteps, type ProductSteps } from '../exploration/product-steps.ts';
import type { Journey } from '../journey.ts';
import {
  daysAction,
  type LifecycleAlphabet,
  lifecycleActions,
  lifecycleMethod,
  lifecycleProduct,
  limitAction,
} from '../models/lifecycle-product.ts';
import { controlView } from '../models/lifecycle-view.ts';
import { choosePromptedFacts } from '../models/prompted-facts.ts';
import { type CoverOptions, createStepTour, type Tour } from '../tours/transition-tour.ts';

/** User of the lifecycle journeys. */
const user = 'ada';

/** Coverage criterion and length limits of a lifecycle suite. */
export interface LifecycleSuiteOptions
  extends Pick<CoverOptions, 'cover' | 'resetCost' | 'maxLength' | 'suffixes'>,
    LifecycleAlphabet {}

/** Lifecycle suite, with its tests as action names and as journeys, and with bounds on its size. */
export interface LifecycleSuite extends Tour<string> {
  /** Journey for each test, in the same order. */
  readonly journeys: readonly Journey[];
}

/**
 * Default alphabet of a lifecycle suite. Snooze ages differ up to the longest duration, so no test waits without
 * effect.
 */
export const lifecycleDefaults = { snoozeDays: [1, 2], maxLength: 40 } as const;

/**
 * Generates journeys that cover states, transitions or transition pairs of a user's lifecycle under a policy that an
 * administrator changes. Every driver can run them, and `expectedScenario` adds the expectations. The default durations
 * are one and two days, and a test has at most 40 steps.
 * @throws `config-invalid` for invalid options
 */
export function lifecycleSuite(options: Partial<LifecycleSuiteOptions> = {}): LifecycleSuite {
  const given = { ...lifecycleDefaults, ...options };
  const steps = exploredLifecycle(given);
  const found = createStepTour(steps, { ...given, visible: controlView });
  const head = { what: `Lifecycle ${found.cover}`, snoozeDays: given.snoozeDays };
  return { ...found, journeys: listJourneys(found.tests, steps, head) };
}

/**
 * Explores the lifecycle product of an alphabet, with snooze ages up to the longest duration, and returns all its
 * steps.
 */
export function exploredLifecycle(alphabet: LifecycleAlphabet): ProductSteps {
  return exploredSteps(lifecycleProduct({ distinguishedDays: 0, ...alphabet }));
}

/**
 * Converts tests of lifecycle action names to journeys. An action that the user cannot take at that point is omitted
 * because it has no effect. `steps` are those of the lifecycle product; the name of the suite includes its durations.
 */
export function listJourneys(
  tests: readonly (readonly string[])[],
  steps: ProductSteps,
  { what, snoozeDays }: { readonly what: string; readonly snoozeDays: readonly number[] },
): readonly Journey[] {
  const verbs = createLifecycleSteps(snoozeDays);
  const labels = new Map(steps.compiled.product.actions.map(({ name }, label) => [name, label]));
  const points = lifecyclePoints([...ruleCatalogue, ...assumptions]);
  const coveredPoints = new CoveredPoints(steps, points);
  const digits = String(tests.length).length;
  return tests.map((test, index): Journey => {
    const covers = new Set<string>();
    const written: WrittenStep[] = [];
    let state = 0;
    for (const name of test) {
      const label = labels.get(name) ?? 0;
      for (const point of coveredPoints.by(state, label)) covers.add(points[point]?.id ?? '');
      if (alwaysPossible.has(name) || steps.sentBy(state, label).length > 0)
        written.push(verbs.get(name) as WrittenStep);
      state = steps.graph.targets[state * steps.graph.labels + label] as number;
    }
    const number = String(index + 1).padStart(digits, '0');
    return {
      name: `${what}, test ${number} of ${tests.length}`,
      covers: [...covers].toSorted(byId),
      tags: ['generated', 'lifecycle'],
      given: lifecycleGiven(snoozeDays[0] ?? 1),
      steps: written,
    };
  });
}

/** Actions that are always possible: a sign-in without a prompt, and a wait. */
export const alwaysPossible: ReadonlySet<string> = new Set([
  lifecycleActions.signsIn,
  lifecycleActions.signsInBySession,
  lifecycleActions.dayPasses,
]);

/**
 * Creates the initial tenant and user of the lifecycle product. The snooze duration is in days. Declared facts of the
 * ruleset have the values with which the user is prompted.
 */
export function lifecycleGiven(snoozeDurationInDays: number, ruleset: Ruleset = seedRuleset): ScenarioGiven {
  const declared = choosePromptedFacts(ruleset);
  const everybody = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: lifecycleMethod };
  const campaign = {
    state: 'enabled',
    snoozeDurationInDays,
    enforceRegistrationAfterAllowedSnoozes: true,
    includeTargets: [everybody],
  };
  return {
    tenant: { campaign, ...withoutEmpty(declared.tenant) },
    users: { [user]: { methods: ['sms'], ...withoutEmpty(declared.user) } },
  };
}

function withoutEmpty<T extends object>(facts: T): { readonly facts?: T } {
  return Object.keys(facts).length === 0 ? {} : { facts };
}

/** Maps each lifecycle action to its step in a scenario file. The durations are in days. */
export function createLifecycleSteps(snoozeDays: readonly number[]): ReadonlyMap<string, WrittenStep> {
  const names = lifecycleActions;
  return new Map<string, WrittenStep>([
    [names.signsIn, { signIn: { user } }],
    [names.signsInBySession, { signIn: { user, ssoSession: true } }],
    [names.selectsNext, { next: {} }],
    [names.skips, { skip: {} }],
    [names.closesBrowser, { closeBrowser: {} }],
    [names.registers, { register: {} }],
    [names.failsToRegister, { failRegistration: {} }],
    [names.skipsErrorScreen, { skipError: {} }],
    [names.registersElsewhere, { setUser: { user, methods: ['sms', 'authenticator-push'] } }],
    [names.removesMethod, { removeMethod: { user, method: 'authenticator-push' } }],
    [names.dayPasses, { advance: { days: 1 } }],
    [names.snoozeIsReset, { setUser: { user, snooze: { count: 0, snoozedAtMs: null } } }],
    ...snoozeDays.map((days) => setting(daysAction(days), { snoozeDurationInDays: days })),
    ...[true, false].map((on) => setting(limitAction(on), { enforceRegistrationAfterAllowedSnoozes: on })),
  ]);
}

function setting(name: string, campaign: object): readonly [string, WrittenStep] {
  return [name, { setTenant: { campaign } }];
}

/** Compares ids: rules before assumptions, each by number. */
function byId(one: string, other: string): number {
  return (
    Number(one.startsWith('A')) - Number(other.startsWith('A')) || one.localeCompare(other, 'en', { numeric: true })
  );
}
