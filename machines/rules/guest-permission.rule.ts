import type { UserFacts } from '../vocabulary.ts';
import { met, notApplicable, type Rule } from './rule.ts';

interface GuestPermissionFacts {
  readonly user: Pick<UserFacts, 'type'>;
}

/**
 * R10.5: App campaigns prompt guest users. This rule is a permission, reported as met for a guest, and never stops
 * a prompt.
 */
export const guestPermissionRule: Rule<GuestPermissionFacts> = {
  id: 'R10.5',
  summary: 'App: guests are prompted.',
  source: ['R10.5'],
  appliesTo: 'vendorAuthenticator',
  reads: ['user.type'],
  reasons: [],
  evaluate: ({ user }) => (user.type === 'guest' ? met({ type: user.type }) : notApplicable({ type: user.type })),
};
