import type { UserFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface PushRegisteredFacts {
  readonly user: Pick<UserFacts, 'methods'>;
}

/** R10.1: Users with the app set up for push are not prompted. Users who have it only for one-time codes are. */
export const pushRegisteredRule: Rule<PushRegisteredFacts> = {
  id: 'R10.1',
  summary: 'App: the authenticator app is not already set up for push notifications.',
  source: ['R10.1'],
  appliesTo: 'vendorAuthenticator',
  reads: ['user.methods'],
  reasons: ['already-registered'],
  evaluate: ({ user }) => {
    const saw = { methods: user.methods };
    return user.methods.includes('authenticator-push') ? stopped('already-registered', saw) : met(saw);
  },
};
