import fc from 'fast-check';
import { rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import { type ForecastInput, forecastSchema } from '../../src/contract/forecast.schema.ts';
import { type CompiledForecast, compileForecast } from '../../src/forecast/compile-forecast.ts';

/** Compiles a forecast description in its input format. */
export function compiled(input: ForecastInput): CompiledForecast {
  const description = forecastSchema.parse(input);
  const ruleset = rulesets.get(description.ruleset);
  if (ruleset === undefined) throw new RangeError(`No ruleset ${description.ruleset}.`);
  return compileForecast(description, ruleset);
}

/** Creates an enabled campaign that targets all users. */
export function createCampaignForAll(method: 'vendorAuthenticator' | 'fido2', snoozeDays: number, limited: boolean) {
  return {
    state: 'enabled' as const,
    snoozeDurationInDays: snoozeDays,
    enforceRegistrationAfterAllowedSnoozes: limited,
    includeTargets: [{ targetType: 'group' as const, id: 'all_users', targetedAuthenticationMethod: method }],
  };
}

/** Description of a tenant that uses most features of forecasts. */
export const officeTenant: ForecastInput = {
  name: 'office',
  days: 60,
  users: 2_000,
  tenant: { campaign: createCampaignForAll('vendorAuthenticator', 3, true), groups: { inner: ['outer'] } },
  defaults: {
    signIn: {
      weekdays: { monday: 0.7, tuesday: 0.7, wednesday: 0.7, thursday: 0.7, friday: 0.5, saturday: 0.1 },
      perDay: [0.7, 0.2, 0.1],
      hours: { 0: 0.1, 8: 0.3, 13: 0.3, 23: 0.3 },
    },
    platforms: [
      { share: 0.4, os: 'windows', browser: 'edge' },
      { share: 0.2, os: 'macos', browser: 'safari' },
      { share: 0.2, os: 'ios', surface: 'native-app', browser: null },
      { share: 0.1, os: 'android', surface: 'native-app', browser: null },
      { share: 0.1, os: 'linux', browser: 'firefox' },
    ],
    signInContexts: [
      { share: 0.8 },
      { share: 0.1, ssoSession: true },
      { share: 0.05, conditionalAccess: { registrationConditionMet: false } },
      { share: 0.05, mfa: { completed: false } },
    ],
    answers: {
      skippable: [
        { register: 0.2, skip: 0.4, close: 0.2, letExpire: 0.1, closeDuringSetup: 0.1 },
        { register: 0.3, skip: 0.7 },
      ],
      required: [{ register: 0.5, close: 0.3, letExpire: 0.1, closeDuringSetup: 0.1 }],
      failure: [0.3, 0.2],
      onFailure: { retry: 0.4, skip: 0.3, close: 0.3 },
    },
  },
  segments: [
    {
      name: 'staff',
      share: 0.8,
      users: [
        { share: 0.5, methods: ['sms'] },
        { share: 0.2, methods: ['authenticator-totp'], groups: ['inner'] },
        { share: 0.1, methods: ['authenticator-push'] },
        { share: 0.1, methods: ['voice'], snooze: { count: 2, daysAgo: 1.5 } },
        { share: 0.1, methods: ['sms'], passkeys: ['windows-bound'], snooze: { count: 5, daysAgo: 0 } },
      ],
    },
    { name: 'partners', share: 0.2, users: [{ type: 'guest', methods: ['sms'] }] },
  ],
};

const shares = (count: number) =>
  fc.array(fc.integer({ min: 0, max: 10 }), { minLength: count, maxLength: count }).map((weights) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return total === 0 ? weights.map((_, place) => Number(place === 0)) : weights.map((weight) => weight / total);
  });

/** Tenant descriptions that differ in policy, ruleset, sign-in patterns and actions. */
export const anyTenant: fc.Arbitrary<ForecastInput> = fc
  .record({
    ruleset: fc.constantFrom('seed', '2026-09'),
    state: fc.constantFrom('enabled' as const, 'enabled' as const, 'default' as const),
    method: fc.constantFrom('vendorAuthenticator' as const, 'fido2' as const),
    snoozeDays: fc.integer({ min: 0, max: 14 }),
    limited: fc.boolean(),
    subscription: fc.constantFrom('paid' as const, 'free' as const),
    rollout: fc.record({
      method: fc.boolean(),
      snoozeDays: fc.boolean(),
      snoozeLimit: fc.boolean(),
      targeting: fc.boolean(),
    }),
    strictDevice: fc.boolean(),
    excluded: fc.boolean(),
    perDay: shares(4),
    answers: shares(5),
    required: shares(4),
    after: shares(3),
    failure: fc.constantFrom(0, 0.3, 1),
    chance: fc.constantFrom(0.1, 0.6, 1),
    hours: fc.constantFrom(null, { 0: 0.5, 23: 0.5 }, { 8: 0.5, 9: 0.25, 17: 0.25 }),
  })
  .map((given) => ({
    ...officeTenant,
    ruleset: given.ruleset,
    tenant: {
      subscription: given.subscription,
      rollout: given.rollout,
      options: { strictDevice: given.strictDevice },
      groups: { inner: ['outer'] },
      campaign: {
        ...createCampaignForAll(given.method, given.snoozeDays, given.limited),
        state: given.state,
        excludeTargets: given.excluded ? [{ targetType: 'group' as const, id: 'outer' }] : [],
      },
    },
    defaults: {
      ...officeTenant.defaults,
      signIn: {
        weekdays: { monday: given.chance, wednesday: given.chance, thursday: given.chance, sunday: given.chance / 2 },
        perDay: given.perDay,
        hours: given.hours,
      },
      answers: {
        skippable: [named(['register', 'skip', 'close', 'letExpire', 'closeDuringSetup'], given.answers)],
        required: [named(['register', 'close', 'letExpire', 'closeDuringSetup'], given.required)],
        failure: [given.failure],
        onFailure: named(['retry', 'skip', 'close'], given.after),
      },
    },
  }));

function named(names: readonly string[], values: readonly number[]): Readonly<Record<string, number>> {
  return Object.fromEntries(names.map((name, place) => [name, values[place] as number]));
}
