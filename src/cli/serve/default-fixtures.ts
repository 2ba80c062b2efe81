/**
 * Fixtures of the default sandbox by name. They are stored as data because loading a YAML parser takes a tenth of
 * the server's startup time. A test compares them with the fixture files.
 */
export const defaultFixtures = {
  tenants: {
    'app-enabled': {
      campaign: {
        state: 'enabled',
        snoozeDurationInDays: 1,
        enforceRegistrationAfterAllowedSnoozes: true,
        includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
        excludeTargets: [],
      },
    },
  },
  /** Users that cover every page of a sign-in: prompted, snoozed, required and not nudged. */
  users: {
    'sms-user': { methods: ['sms'] },
    'snoozing-user': { methods: ['sms'], snooze: { count: 1, snoozedAtMs: 1_767_600_000_000 } },
    'out-of-snoozes': { methods: ['sms'], snooze: { count: 3, snoozedAtMs: 1_764_579_600_000 } },
    'push-user': { methods: ['sms', 'authenticator-push'] },
    guest: { type: 'guest', methods: ['sms'] },
  },
} as const;
