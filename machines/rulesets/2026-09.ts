import type { Ruleset } from '../vocabulary.ts';
import { row } from './matrix.ts';
import { seedRuleset } from './seed.ts';

const beforeM1 = seedRuleset.order.indexOf('R3') + 1;

/**
 * Ruleset of September 2026 (A30). The ruleset adds M1 directly after R3, changes the matrix row of the
 * authenticator app, treats profiles as eligibility, and makes the provider-managed snooze duration and limit
 * depend only on the method.
 */
export const september2026Ruleset: Ruleset = {
  id: '2026-09',
  order: [...seedRuleset.order.slice(0, beforeM1), 'M1', ...seedRuleset.order.slice(beforeM1)],
  matrix: { ...seedRuleset.matrix, 'authenticator-app': row(0, 0, 0, 0, 1, 1) },
  profiles: 'eligibility',
  providerManaged: {
    snoozeDays: { by: 'method', vendorAuthenticator: 1, fido2: 1 },
    limited: { by: 'method', vendorAuthenticator: true, fido2: false },
  },
  limits: seedRuleset.limits,
};
