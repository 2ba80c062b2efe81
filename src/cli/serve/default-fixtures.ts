/**
 * The fixtures that the default sandbox begins with, by their names, as data: reading them takes a parser of YAML, which is a tenth
 * of the server's start. A test holds them to the files.
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
  /** Users with whom every page of a sign-in can be seen: prompted, snoozing, required, not nudged. */
  users: {
    'sms-user': { methods: ['sms'] },
    'snoozing-user': { methods: ['sms'], snooze: { count: 1, snoozedAtMs: 1_767_600_000_000 } },
    'out-of-snoozes': { methods: ['sms'], snooze: { count: 3, snoozedAtMs: 1_764_579_600_000 } },
    'push-user': { methods: ['sms', 'authenticator-push'] },
    guest: { type: 'guest', methods: ['sms'] },
  },
} as const;
