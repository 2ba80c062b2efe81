import { dayMs, snoozeLimit } from '../../../machines/campaign-limits.ts';
import type { ScenarioGiven, WrittenStep } from '../../contract/scenario.schema.ts';
import type { FaultyPart } from './model-mutant.ts';
import { type TestModel, worldUser } from './test-model.ts';

/** 2026-01-05T09:00:00.000Z, at which scenarios begin, in ms. */
export const beginMs = 1_767_603_600_000;

/** The whole tenant, asked for the app. */
export const everybody = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };

/** A tenant whose campaign is on, and the user. Takes what is otherwise of the campaign and of the user. */
export function given(campaign: object, user: object = {}): ScenarioGiven {
  return {
    tenant: { campaign: { state: 'enabled', includeTargets: [everybody], ...campaign } },
    users: { [worldUser]: { methods: ['sms'], ...user } },
  } as ScenarioGiven;
}

/** A campaign that may be snoozed forever. */
export const unlimited = { enforceRegistrationAfterAllowedSnoozes: false };

/** A user who has snoozed. Takes how often, and how many days ago the last time. */
export function snoozed(count: number, daysAgo: number): object {
  return { snooze: { count, snoozedAtMs: beginMs - daysAgo * dayMs } };
}

/** The step that sets facts of the user. */
export function setUser(facts: object): WrittenStep {
  return { setUser: { user: worldUser, ...facts } } as WrittenStep;
}

/** The step that sets a part of the campaign. */
export function setCampaign(campaign: object): WrittenStep {
  return { setTenant: { campaign } };
}

/** One tab, and every way to sign in: what stands between second factor and end, and answers to one prompt. */
const oneSignIn: TestModel = {
  name: 'one sign-in',
  given: [given({}), given({}, snoozed(snoozeLimit, 2)), given({ state: 'disabled' })],
  tabs: ['first'],
  signIns: [
    {},
    { ssoSession: true },
    { mfa: { completed: false } },
    { mfa: { provider: 'external' } },
    { registeredThisSession: true },
    { termsOfUse: true },
    { customControls: true },
    { conditionalAccess: { registrationPageBlocked: true } },
    { registeredThisSession: true, termsOfUse: true },
    { termsOfUse: true, customControls: true },
    { registeredThisSession: true, customControls: true },
    { registeredThisSession: true, termsOfUse: true, customControls: true },
  ],
  others: [setUser({ methods: ['sms', 'authenticator-push'] })],
  days: [1],
  waits: 'to-the-ms',
  countMax: snoozeLimit + 1,
  statesMax: 20_000,
};

const factors = [{}, { ssoSession: true }, { mfa: { completed: false } }, { mfa: { provider: 'external' } }] as const;
const inBetween = [
  { registeredThisSession: true },
  { termsOfUse: true },
  { customControls: true },
  { conditionalAccess: { registrationPageBlocked: true } },
] as const;

/** Everything that can be said of a sign-in that decides its pages: how it comes to its evaluation, and what lies behind that. */
export const waysToSignIn: readonly object[] = factors.flatMap((factor) =>
  Array.from(
    { length: 2 ** inBetween.length },
    (_, chosen) => Object.assign({}, factor, ...inBetween.filter((_page, at) => ((chosen >> at) & 1) === 1)) as object,
  ),
);

/** One sign-in after the other, each with any pages in between; no one answers. */
const pages: TestModel = {
  name: 'pages of a sign-in',
  given: [given({ state: 'disabled' }), given({}, { methods: ['sms', 'voice'] })],
  tabs: ['first'],
  signIns: [...waysToSignIn, { otherWay: 'voice' }],
  others: [],
  answers: [],
  days: [1],
  waits: 'none',
  countMax: 0,
  statesMax: 20_000,
};

/** One tab over days, while an administrator changes limit, duration and state, and methods come and go. */
const oneTab: TestModel = {
  name: 'one tab over days',
  given: [
    given({}),
    given(unlimited),
    given({}, snoozed(snoozeLimit - 1, 2)),
    given({}, snoozed(snoozeLimit, 2)),
    given(unlimited, snoozed(snoozeLimit, 2)),
    given({}, snoozed(1, 0)),
  ],
  tabs: ['first'],
  signIns: [{}, { ssoSession: true }],
  others: [
    setCampaign({ enforceRegistrationAfterAllowedSnoozes: true }),
    setCampaign(unlimited),
    setCampaign({ snoozeDurationInDays: 1 }),
    setCampaign({ snoozeDurationInDays: 2 }),
    setUser({ methods: ['sms', 'authenticator-push'] }),
    { removeMethod: { user: worldUser, method: 'authenticator-push' } },
    setUser({ snooze: { count: 0, snoozedAtMs: null } }),
  ],
  days: [1, 2],
  waits: 'by-days',
  countMax: snoozeLimit + 1,
  statesMax: 20_000,
};

/** Two tabs of one user, near the limit and far from it. */
const twoTabs: TestModel = {
  ...oneTab,
  name: 'two tabs',
  given: [given({}), given(unlimited), given({}, snoozed(snoozeLimit - 1, 2)), given({}, snoozed(snoozeLimit, 2))],
  tabs: ['first', 'second'],
  waits: 'to-events',
  signIns: [{}],
  others: [
    setUser({ methods: ['sms', 'authenticator-push'] }),
    { removeMethod: { user: worldUser, method: 'authenticator-push' } },
  ],
  days: [1],
  statesMax: 20_000,
};

/** Under the provider's management: what it sets, and the rollout of each of its values. */
const managed: TestModel = {
  ...oneTab,
  name: 'provider managed',
  given: [
    given({ state: 'default' }),
    given({ state: 'default' }, snoozed(1, 0)),
    given({ state: 'default' }, snoozed(snoozeLimit, 14)),
    given({ snoozeDurationInDays: null }, snoozed(1, 0)),
  ],
  others: [
    { setTenant: { rollout: { snoozeDays: true } } },
    { setTenant: { rollout: { snoozeLimit: true } } },
    { setTenant: { rollout: { method: true } } },
  ],
  days: [1, 3],
};

/** The same by the other ruleset, with what the provider sets there. */
const managedLater: TestModel = { ...managed, name: 'provider managed, 2026-09', ruleset: '2026-09' };

/** The step that changes the campaign at the policy API, which answers with the policy. */
export function patch(campaign: object): WrittenStep {
  const body = { registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign } };
  return { patchPolicy: { body, headers: { Prefer: 'return=representation' } } } as WrittenStep;
}

/** An administrator at the policy API, whom it answers with the policy or with why not. */
const policyApi: TestModel = {
  name: 'policy API',
  given: [given({}), given({ state: 'default' }), given({ state: 'disabled' }), given({ state: null })],
  tabs: [],
  signIns: [],
  others: [
    { getPolicy: {} },
    ...['enabled', 'disabled', 'default'].map((state) => patch({ state })),
    patch({ snoozeDurationInDays: 2 }),
    patch({ enforceRegistrationAfterAllowedSnoozes: false }),
    patch({ includeTargets: [{ ...everybody, targetedAuthenticationMethod: 'fido2' }] }),
    patch({ state: 'enabled', snoozeDurationInDays: 3 }),
    patch({ state: 'disabled', snoozeDurationInDays: 3 }),
    patch({ state: 'default', snoozeDurationInDays: 3 }),
  ],
  days: [1],
  waits: 'by-days',
  countMax: snoozeLimit,
  statesMax: 20_000,
};

/** What lifecycle and sign-in are compared in, from the smallest to the largest. */
const lifecycleWorlds: readonly TestModel[] = [pages, oneSignIn, twoTabs, oneTab];

/** Every world by the part of the model whose faults it can show. */
export const testModels: Readonly<Record<FaultyPart, readonly TestModel[]>> = {
  evaluator: [...lifecycleWorlds, managed, managedLater],
  nudge: lifecycleWorlds,
  signIn: lifecycleWorlds,
  campaign: [policyApi],
  ruleset: [managed, managedLater],
  limits: [...lifecycleWorlds, managed, managedLater],
};

/** Everything at once, for walks that are drawn and need not come to an end. */
export const fuzzModel: TestModel = {
  name: 'walks',
  given: [...oneTab.given, ...managed.given],
  tabs: ['first', 'second'],
  signIns: [{}, {}, {}, ...oneSignIn.signIns],
  others: [...oneTab.others, setCampaign({ state: 'disabled' }), setCampaign({ state: 'enabled' }), ...managed.others],
  days: [1, 2, 3],
  waits: 'to-the-ms',
  countMax: 50,
  statesMax: 0,
};
