import type { UserFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface PushRegisteredFacts {
  readonly user: Pick<UserFacts, 'methods'>;
}

/** R10.1: who has the app set up for push is not nudged; who has it for one-time codes alone still is. */
export const pushRegisteredRule: Rule<PushRegisteredFacts> = {
  id: 'R10.1',
  summary: 'App: not already set up for push notifications.',
  source: ['R10.1'],
  appliesTo: 'vendorAuthenticator',
  reads: ['user.methods'],
  reasons: ['already-registered'],
  evaluate: ({ user }) => {
    const saw = { methods: user.methods };
    return user.methods.includes('authenticator-push') ? stopped('already-registered', saw) : met(saw);
  },
};
