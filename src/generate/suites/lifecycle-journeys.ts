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
import { type CoverOptions, createStepTour, type Tour } from '../tours/transition-tour.ts';

/** The user that lifecycle journeys are about. */
const user = 'ada';

/** What a suite over the lifecycle covers and how long its tests may be. */
export interface LifecycleSuiteOptions
  extends Pick<CoverOptions, 'cover' | 'resetCost' | 'maxLength' | 'suffixes'>,
    LifecycleAlphabet {}

/** A suite over the lifecycle: the same tests as names of actions and as journeys, with the proof of how small it is. */
export interface LifecycleSuite extends Tour<string> {
  /** A journey for each test, in the same order. */
  readonly journeys: readonly Journey[];
}

/** The alphabet of a suite: days since a snooze are told apart up to the longest duration, so that no test waits in vain. */
export const lifecycleDefaults = { snoozeDays: [1, 2], maxLength: 40 } as const;

/**
 * Journeys that cover states, transitions or pairs of transitions of a user's lifecycle under a policy that an administrator
 * changes, each of which every driver can do. `expectedScenario` says what they lead to. Takes what to cover; without durations
 * these are one and two days, and tests have forty steps at most. Throws `config-invalid` for options that cannot be.
 */
export function lifecycleSuite(options: Partial<LifecycleSuiteOptions> = {}): LifecycleSuite {
  const given = { ...lifecycleDefaults, ...options };
  const steps = exploredLifecycle(given);
  const found = createStepTour(steps, { ...given, visible: controlView });
  const head = { what: `Lifecycle ${found.cover}`, snoozeDays: given.snoozeDays };
  return { ...found, journeys: listJourneys(found.tests, steps, head) };
}

/** Every step of the lifecycle product of an alphabet, days told apart up to the longest duration. */
export function exploredLifecycle(alphabet: LifecycleAlphabet): ProductSteps {
  return exploredSteps(lifecycleProduct({ daysToldApart: 0, ...alphabet }));
}

/**
 * The journeys of tests that are given as names of actions of the lifecycle product. An action that a user cannot take where
 * the test stands is left out, as it changes nothing. Takes the tests, the steps of the product, and how the suite is called
 * with the durations it was made for.
 */
export function listJourneys(
  tests: readonly (readonly string[])[],
  steps: ProductSteps,
  { what, snoozeDays }: { readonly what: string; readonly snoozeDays: readonly number[] },
): readonly Journey[] {
  const verbs = verbsOf(snoozeDays);
  const labels = new Map(steps.compiled.product.actions.map(({ name }, label) => [name, label]));
  const points = lifecyclePoints([...ruleCatalogue, ...assumptions]);
  const shown = new CoveredPoints(steps, points);
  const digits = String(tests.length).length;
  return tests.map((test, index): Journey => {
    const covers = new Set<string>();
    const written: WrittenStep[] = [];
    let state = 0;
    for (const name of test) {
      const label = labels.get(name) ?? 0;
      for (const point of shown.by(state, label)) covers.add(points[point]?.id ?? '');
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

/** A signing in that shows no prompt, and a wait, are possible at all times. */
const alwaysPossible: ReadonlySet<string> = new Set([
  lifecycleActions.signsIn,
  lifecycleActions.signsInBySession,
  lifecycleActions.dayPasses,
]);

/** The tenant and the user that the lifecycle product begins with. Takes the duration in force, in days. */
export function lifecycleGiven(snoozeDurationInDays: number): ScenarioGiven {
  const everybody = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: lifecycleMethod };
  const campaign = {
    state: 'enabled',
    snoozeDurationInDays,
    enforceRegistrationAfterAllowedSnoozes: true,
    includeTargets: [everybody],
  };
  return { tenant: { campaign }, users: { [user]: { methods: ['sms'] } } };
}

/** What each action is in a scenario file. */
function verbsOf(snoozeDays: readonly number[]): ReadonlyMap<string, WrittenStep> {
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

/** Rules before assumptions, each by its number. */
function byId(one: string, other: string): number {
  return (
    Number(one.startsWith('A')) - Number(other.startsWith('A')) || one.localeCompare(other, 'en', { numeric: true })
  );
}
