import { dayMs, snoozeLimit } from '../../../machines/campaign-limits.ts';
import type { ScenarioGiven, WrittenStep } from '../../contract/scenario.schema.ts';
import type { FaultyPart } from './model-mutant.ts';
import { modelUser, type TestModel } from './test-model.ts';

/** Start time of scenarios, 2026-01-05T09:00:00.000Z, in milliseconds. */
export const beginMs = 1_767_603_600_000;

/** Include target for the whole tenant, with the authenticator app as the method. */
export const everybody = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };

/**
 * Creates the initial data of a tenant with an enabled campaign and one user. The arguments override campaign and user
 * values.
 */
export function given(campaign: object, user: object = {}): ScenarioGiven {
  return {
    tenant: { campaign: { state: 'enabled', includeTargets: [everybody], ...campaign } },
    users: { [modelUser]: { methods: ['sms'], ...user } },
  } as ScenarioGiven;
}

/** Campaign with unlimited snoozes. */
export const unlimited = { enforceRegistrationAfterAllowedSnoozes: false };

/** Creates a user with a snooze count and a last snooze some days ago. */
export function snoozed(count: number, daysAgo: number): object {
  return { snooze: { count, snoozedAtMs: beginMs - daysAgo * dayMs } };
}

/** Creates the step that sets facts of the user. */
export function setUser(facts: object): WrittenStep {
  return { setUser: { user: modelUser, ...facts } } as WrittenStep;
}

/** Creates the step that sets part of the campaign. */
export function setCampaign(campaign: object): WrittenStep {
  return { setTenant: { campaign } };
}

/**
 * Test model of one tab and all sign-in variants: every page between second factor and end, and actions at one prompt.
 */
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

/** Sign-in variants that differ in their pages: every path to the evaluation, and every path after it. */
export const waysToSignIn: readonly object[] = factors.flatMap((factor) =>
  Array.from(
    { length: 2 ** inBetween.length },
    (_, chosen) => Object.assign({}, factor, ...inBetween.filter((_page, at) => ((chosen >> at) & 1) === 1)) as object,
  ),
);

/** Test model of consecutive sign-ins, each with any interstitial pages and without actions at the prompt. */
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

/**
 * Test model of one tab over several days, while an administrator changes limit, duration and state, and methods are
 * added and removed.
 */
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
    { removeMethod: { user: modelUser, method: 'authenticator-push' } },
    setUser({ snooze: { count: 0, snoozedAtMs: null } }),
  ],
  days: [1, 2],
  waits: 'by-days',
  countMax: snoozeLimit + 1,
  statesMax: 20_000,
};

/** Test model of one user with two tabs, near the snooze limit and far from it. */
const twoTabs: TestModel = {
  ...oneTab,
  name: 'two tabs',
  given: [given({}), given(unlimited), given({}, snoozed(snoozeLimit - 1, 2)), given({}, snoozed(snoozeLimit, 2))],
  tabs: ['first', 'second'],
  waits: 'to-events',
  signIns: [{}],
  others: [
    setUser({ methods: ['sms', 'authenticator-push'] }),
    { removeMethod: { user: modelUser, method: 'authenticator-push' } },
  ],
  days: [1],
  statesMax: 20_000,
};

/** Test model of a provider-managed campaign, with the rollout of each of the provider's values. */
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

/** Test model of a provider-managed campaign under ruleset 2026-09, with the provider's values of that ruleset. */
const managedLater: TestModel = { ...managed, name: 'provider managed, 2026-09', ruleset: '2026-09' };

/** Creates the step that changes the campaign through the policy API, which responds with the policy. */
export function patch(campaign: object): WrittenStep {
  const body = { registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign } };
  return { patchPolicy: { body, headers: { Prefer: 'return=representation' } } } as WrittenStep;
}

/** Test model of an administrator at the policy API, which responds with the policy or with an error. */
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

/** Test models for comparing lifecycle and sign-in, from smallest to largest. */
const lifecycleModels: readonly TestModel[] = [pages, oneSignIn, twoTabs, oneTab];

/** Test models by the part of the model whose faults they can detect. */
export const testModels: Readonly<Record<FaultyPart, readonly TestModel[]>> = {
  evaluator: [...lifecycleModels, managed, managedLater],
  nudge: lifecycleModels,
  signIn: lifecycleModels,
  campaign: [policyApi],
  ruleset: [managed, managedLater],
  limits: [...lifecycleModels, managed, managedLater],
};

/** Test model with all features, for random walks, which need not be exhaustive. */
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
