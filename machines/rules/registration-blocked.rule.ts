import type { ConditionalAccessFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface RegistrationBlockedFacts {
  readonly attempt: { readonly conditionalAccess: Pick<ConditionalAccessFacts, 'registrationPageBlocked'> };
}

/**
 * R13.3: A policy that blocks the page for registering security information everywhere suppresses the prompt (A49).
 */
export const registrationBlockedRule: Rule<RegistrationBlockedFacts> = {
  id: 'R13.3',
  summary: 'Conditional access does not block the register-security-information page.',
  source: ['R13.3', 'A49'],
  appliesTo: 'both',
  reads: ['attempt.conditionalAccess.registrationPageBlocked'],
  reasons: ['registration-blocked'],
  evaluate: ({ attempt }) => {
    const saw = { registrationPageBlocked: attempt.conditionalAccess.registrationPageBlocked };
    return attempt.conditionalAccess.registrationPageBlocked ? stopped('registration-blocked', saw) : met(saw);
  },
};
