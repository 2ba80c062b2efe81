import { type ForecastDescription, forecastSchema } from '../src/contract/forecast.schema.ts';

/**
 * Tenant used by the forecast benchmarks. Users sign in every second day, at different hours, from four platforms
 * and with four sign-in contexts. The campaign for the authenticator app allows three snoozes of three days each.
 */
export const forecastTenant: ForecastDescription = forecastSchema.parse({
  name: 'bench',
  days: 90,
  users: 1_000_000,
  tenant: {
    campaign: {
      state: 'enabled',
      snoozeDurationInDays: 3,
      includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
    },
  },
  defaults: {
    users: [
      { share: 0.7, methods: ['sms'] },
      { share: 0.2, methods: ['authenticator-push'] },
      { share: 0.1, type: 'guest', methods: ['voice'] },
    ],
    signIn: {
      weekdays: { monday: 0.7, tuesday: 0.7, wednesday: 0.7, thursday: 0.7, friday: 0.6, saturday: 0.1, sunday: 0.05 },
      hours: { 7: 0.1, 8: 0.3, 9: 0.2, 10: 0.1, 13: 0.2, 17: 0.1 },
    },
    platforms: [
      { share: 0.5, os: 'windows', browser: 'edge' },
      { share: 0.2, os: 'macos', browser: 'chrome' },
      { share: 0.2, os: 'ios' },
      { share: 0.1, os: 'linux' },
    ],
    signInContexts: [
      { share: 0.85 },
      { share: 0.1, ssoSession: true },
      { share: 0.03, termsOfUse: true },
      { share: 0.02, conditionalAccess: { registrationConditionMet: false } },
    ],
    answers: {
      skippable: [
        { register: 0.15, skip: 0.65, close: 0.2 },
        { register: 0.2, skip: 0.6, close: 0.2 },
      ],
      required: [{ register: 0.6, close: 0.4 }],
      failure: [0.1],
    },
  },
});
