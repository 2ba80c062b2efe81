import { snoozeLimit } from '../../../machines/campaign-limits.ts';
import type { ScenarioGiven, WrittenStep } from '../../contract/scenario.schema.ts';
import { openPromptsMax } from '../../core/limits.ts';
import type { Journey } from '../journey.ts';
import { type TestModel, worldUser } from './test-model.ts';
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

/** A world that tests are made of, and whether a separating suffix follows each of its steps. */
export interface SuiteModel extends TestModel {
  readonly suffixes: 'none' | 'each';
}

const registered = setUser({ methods: ['sms', 'authenticator-push'] });
const removed: WrittenStep = { removeMethod: { user: worldUser, method: 'authenticator-push' } };
const [unused, used] = [given({}), given({}, snoozed(snoozeLimit, 2))];

/** One tab in which nothing but signing in is done, unless a world says otherwise. */
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

/** Under the provider's management: no one does more than skip, while what it sets is rolled out. */
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
 * What generated tests are tours of: small worlds, each about one thing, which together show every fault of lifecycle, sign-in and
 * campaign that the operators make and a user can see. The benchmark of mutants holds that.
 */
export const suiteWorlds: readonly SuiteModel[] = [
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
    name: 'Answers to the millisecond',
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
    name: 'Two tabs at one moment',
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
      // Long over at any time, so that what follows does not depend on when it is set.
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
  return { ...beginning, faults: [{ kind: 'code-never-arrives', user: worldUser }] };
}

const first = { prompt: 'first' };
const signsIn = (as: string): WrittenStep => ({ signIn: { user: worldUser, as } });
const fails: readonly WrittenStep[] = [signsIn('first'), { failRegistration: first }];

/** Ways to be done with a prompt that count nothing, each gone again and again. */
const endings: readonly {
  readonly name: string;
  readonly given: ScenarioGiven;
  readonly before: readonly WrittenStep[];
  readonly again: readonly WrittenStep[];
}[] = [
  { name: 'an error screen is skipped', given: unused, before: [], again: [...fails, { skipError: first }] },
  { name: 'a required error screen is skipped', given: used, before: [], again: [...fails, { skipError: first }] },
  {
    name: 'an error screen is skipped beside another prompt',
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
    name: 'an error screen is left beside another prompt',
    given: unused,
    before: [signsIn('second')],
    again: [...fails, { closeBrowser: first }],
  },
];

/**
 * Goal tests, because no tour of a world of a size that can be walked comes here: a prompt that is done with, but stays among the
 * open ones, is seen by nothing until a user has more of those than a sandbox keeps. So each way of being done with a prompt is
 * gone once more often than that.
 */
export const openPromptGoals: readonly Journey[] = endings.map(({ name, given: beginning, before, again }) => ({
  name: `Open prompts, goal: ${name} ${openPromptsMax} times`,
  covers: [],
  tags: ['generated', 'goal'],
  given: beginning,
  steps: [...before, ...Array.from({ length: openPromptsMax }, () => again).flat(), signsIn('first')],
}));
