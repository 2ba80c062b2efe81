import type { UserFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface GuestFacts {
  readonly user: Pick<UserFacts, 'type'>;
}

/** R11.5: Passkey campaigns do not prompt guest users. */
export const guestRule: Rule<GuestFacts> = {
  id: 'R11.5',
  summary: 'Passkey: the user is not a guest.',
  source: ['R11.5'],
  appliesTo: 'fido2',
  reads: ['user.type'],
  reasons: ['guest'],
  evaluate: ({ user }) => {
    const saw = { type: user.type };
    return user.type === 'guest' ? stopped('guest', saw) : met(saw);
  },
};
