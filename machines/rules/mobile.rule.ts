import type { AttemptFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface MobileFacts {
  readonly attempt: Pick<AttemptFacts, 'os'>;
}

/** R10.4: App campaigns do not support mobile devices. */
export const mobileRule: Rule<MobileFacts> = {
  id: 'R10.4',
  summary: 'App: the device is not a mobile device.',
  source: ['R10.4'],
  appliesTo: 'vendorAuthenticator',
  reads: ['attempt.os'],
  reasons: ['mobile-not-supported'],
  evaluate: ({ attempt }) => {
    const saw = { os: attempt.os };
    return attempt.os === 'ios' || attempt.os === 'android' ? stopped('mobile-not-supported', saw) : met(saw);
  },
};
