import type { ConditionalAccessFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface RegistrationConditionFacts {
  readonly attempt: { readonly conditionalAccess: Pick<ConditionalAccessFacts, 'registrationConditionMet'> };
}

/**
 * R4: Unmet conditions that the user could meet elsewhere, such as on another network, suppress the prompt (A49).
 */
export const registrationConditionRule: Rule<RegistrationConditionFacts> = {
  id: 'R4',
  summary: 'The user meets the conditions for registering security information in this sign-in.',
  source: ['R4', 'A49'],
  appliesTo: 'both',
  reads: ['attempt.conditionalAccess.registrationConditionMet'],
  reasons: ['registration-condition-unmet'],
  evaluate: ({ attempt }) => {
    const saw = { registrationConditionMet: attempt.conditionalAccess.registrationConditionMet };
    return !attempt.conditionalAccess.registrationConditionMet
      ? stopped('registration-condition-unmet', saw)
      : met(saw);
  },
};
