import type { MfaFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface MfaCompletedFacts {
  readonly attempt: { readonly mfa: Pick<MfaFacts, 'completed'> };
}

/**
 * R1: A prompt is shown only after a normal sign-in that completed multifactor authentication. A22 defines what
 * counts as MFA.
 */
export const mfaCompletedRule: Rule<MfaCompletedFacts> = {
  id: 'R1',
  summary: 'The sign-in completed multifactor authentication.',
  source: ['R1', 'A22'],
  appliesTo: 'both',
  reads: ['attempt.mfa.completed'],
  reasons: ['mfa-not-completed'],
  evaluate: ({ attempt }) => {
    const saw = { completed: attempt.mfa.completed };
    return attempt.mfa.completed ? met(saw) : stopped('mfa-not-completed', saw);
  },
};
