import { snoozeLimit } from '../../../machines/campaign-limits.ts';
import type { ScenarioGiven, WrittenStep } from '../../contract/scenario.schema.ts';
import { openPromptsMax } from '../../core/limits.ts';
import type { Journey } from '../journey.ts';
import { modelUser, type TestModel } from './test-model.ts';
import {
  beginMs,
  everybody,
  given,
  patch,
  setCampaign,
  setUser,
  snoozed,
  unlimited,
  waysToSignIn,
} from './test-models.ts';

/** Test model for generated tests, with a flag for distinguishing sequences after each step. */
export interface SuiteModel extends TestModel {
  readonly suffixes: 'none' | 'each';
}

const registered = setUser({ methods: ['sms', 'authenticator-push'] });
const removed: WrittenStep = { removeMethod: { user: modelUser, method: 'authenticator-push' } };
const [unused, used] = [given({}), given({}, snoozed(snoozeLimit, 2))];

/** Default test model: one tab, in which the user only signs in. */
const plain: SuiteModel = {
  name: '',
  given: [unused],
  tabs: ['first'],
  signIns: [{}],
  others: [],
  days: [1],
  waits: 'none',
  countMax: snoozeLimit + 1,
  statesMax: 20_000,
  suffixes: 'none',
};

const roundTrip = [
  { setTenant: { rollout: { snoozeDays: true } } },
  { setTenant: { rollout: { snoozeLimit: true } } },
  { setTenant: { rollout: { method: true } } },
] as readonly WrittenStep[];

/** Test model of a provider-managed campaign: the user only skips, while the provider's values are rolled out. */
const managed: SuiteModel = {
  ...plain,
  name: 'Provider managed',
  given: [
    given({ state: 'default' }, snoozed(1, 0)),
    given({ state: 'default' }, snoozed(snoozeLimit, 14)),
    given({ snoozeDurationInDays: null }, snoozed(1, 0)),
  ],
  others: roundTrip,
  answers: ['skip'],
  days: [1, 2, 3, 4],
  waits: 'by-days',
  countMax: snoozeLimit,
};

/**
 * Small test models, each for one topic, whose transition tours form the generated tests. Together they detect every
 * fault in lifecycle, sign-in and campaign that the operators create and a user can observe. The mutation benchmark
 * verifies this.
 */
export const suiteModels: readonly SuiteModel[] = [
  {
    ...plain,
    name: 'Pages of a sign-in',
    given: [given({ state: 'disabled' }), given({}, { methods: ['sms', 'voice'] })],
    signIns: [...waysToSignIn, { otherWay: 'voice' }],
    countMax: 0,
  },
  { ...plain, name: 'Code that never arrives', given: [withFault(unused)], countMax: 0 },
  {
    ...plain,
    name: 'Expiry at the exact millisecond',
    given: [unused, used],
    others: [registered],
    waits: 'to-the-ms',
    countMax: snoozeLimit,
  },
  {
    ...plain,
    name: 'Two tabs that are left',
    given: [given({}, snoozed(1, 2)), given({}, snoozed(snoozeLimit - 1, 2))],
    tabs: ['first', 'second'],
    answers: ['skip', 'closeBrowser', 'reload'],
    waits: 'to-events',
    suffixes: 'each',
  },
  {
    ...plain,
    name: 'Two tabs at the same time',
    given: [given({}, snoozed(1, 2))],
    tabs: ['first', 'second'],
    others: [registered],
  },
  {
    ...plain,
    name: 'Days and policies',
    signIns: [{}, { ssoSession: true }],
    others: [
      registered,
      removed,
      setCampaign(unlimited),
      setCampaign({ enforceRegistrationAfterAllowedSnoozes: true }),
      setUser({ snooze: { count: 0, snoozedAtMs: null } }),
      // This snooze is always over, so later results do not depend on when the step runs.
      setUser(snoozed(snoozeLimit, 2)),
    ],
    waits: 'by-days',
  },
  managed,
  { ...managed, name: 'Provider managed, 2026-09', ruleset: '2026-09', days: [1, 2, 3] },
  {
    ...plain,
    name: 'Policy API',
    given: [unused, given({ state: 'default' }), given({ state: 'disabled' }), given({ state: null })],
    tabs: [],
    signIns: [],
    others: [
      { getPolicy: {} },
      ...['enabled', 'disabled', 'default'].map((state) => patch({ state })),
      patch({ snoozeDurationInDays: 2 }),
      patch({ snoozeDurationInDays: 4 }),
      patch({ enforceRegistrationAfterAllowedSnoozes: false }),
      patch({ includeTargets: [{ ...everybody, targetedAuthenticationMethod: 'fido2' }] }),
      patch({ state: 'enabled', snoozeDurationInDays: 3 }),
      patch({ state: 'disabled', snoozeDurationInDays: 3 }),
      patch({ state: 'default', snoozeDurationInDays: 3 }),
    ],
    countMax: snoozeLimit,
  },
];

function withFault(beginning: ScenarioGiven): ScenarioGiven {
  return { ...beginning, faults: [{ kind: 'code-never-arrives', user: modelUser }] };
}

const first = { prompt: 'first' };
const signsIn = (as: string): WrittenStep => ({ signIn: { user: modelUser, as } });
const fails: readonly WrittenStep[] = [signsIn('first'), { failRegistration: first }];

/** Repeatable ways to close a prompt without a snooze. */
const endings: readonly {
  readonly name: string;
  readonly given: ScenarioGiven;
  readonly before: readonly WrittenStep[];
  readonly again: readonly WrittenStep[];
}[] = [
  { name: 'an error screen is skipped', given: unused, before: [], again: [...fails, { skipError: first }] },
  { name: 'a required error screen is skipped', given: used, before: [], again: [...fails, { skipError: first }] },
  {
    name: 'an error screen is skipped while another prompt is open',
    given: unused,
    before: [signsIn('second')],
    again: [...fails, { skipError: first }],
  },
  {
    name: 'an error screen is skipped during a snooze',
    given: unused,
    before: [],
    again: [
      ...fails,
      setUser({ snooze: { count: 1, snoozedAtMs: beginMs } }),
      { skipError: first },
      setUser({ snooze: { count: 0, snoozedAtMs: null } }),
    ],
  },
  {
    name: 'an error screen is left while another prompt is open',
    given: unused,
    before: [signsIn('second')],
    again: [...fails, { closeBrowser: first }],
  },
];

/**
 * Targeted tests for closed prompts that remain in the list of open prompts. No tour of a feasible test model detects
 * this fault, because it has no effect until a user has more open prompts than a sandbox keeps. Each test therefore
 * closes one more prompt than that limit, in the same way each time.
 */
export const openPromptGoals: readonly Journey[] = endings.map(({ name, given: beginning, before, again }) => ({
  name: `Open prompts, criterion: ${name} ${openPromptsMax} times`,
  covers: [],
  tags: ['generated', 'goal'],
  given: beginning,
  steps: [...before, ...Array.from({ length: openPromptsMax }, () => again).flat(), signsIn('first')],
}));
