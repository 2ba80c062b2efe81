import type { AttemptFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface SsoSessionFacts {
  readonly attempt: Pick<AttemptFacts, 'ssoSession'>;
}

/**
 * R13.1: A sign-in satisfied by an existing session is not prompted. A step-up with a second factor is not SSO
 * (A48).
 */
export const ssoSessionRule: Rule<SsoSessionFacts> = {
  id: 'R13.1',
  summary: 'The user is not already signed in through SSO.',
  source: ['R13.1', 'A48'],
  appliesTo: 'both',
  reads: ['attempt.ssoSession'],
  reasons: ['sso-session'],
  evaluate: ({ attempt }) => {
    const saw = { ssoSession: attempt.ssoSession };
    return attempt.ssoSession ? stopped('sso-session', saw) : met(saw);
  },
};
