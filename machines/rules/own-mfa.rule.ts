import type { MfaFacts } from '../vocabulary.ts';
import { met, notApplicable, type Rule, stopped } from './rule.ts';

interface OwnMfaFacts {
  readonly attempt: { readonly mfa: Pick<MfaFacts, 'completed' | 'provider'> };
}

/**
 * R3: Only users who completed the service's own MFA are prompted. A guest's home tenant is another provider (A21).
 */
export const ownMfaRule: Rule<OwnMfaFacts> = {
  id: 'R3',
  summary: 'The second factor was verified by this service.',
  source: ['R3', 'A21'],
  appliesTo: 'both',
  reads: ['attempt.mfa.completed', 'attempt.mfa.provider'],
  reasons: ['external-mfa'],
  evaluate: ({ attempt }) => {
    if (!attempt.mfa.completed) return notApplicable({ completed: false });
    const saw = { provider: attempt.mfa.provider };
    return attempt.mfa.provider === 'service' ? met(saw) : stopped('external-mfa', saw);
  },
};
