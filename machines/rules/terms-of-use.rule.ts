import type { AttemptFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface TermsOfUseFacts {
  readonly attempt: Pick<AttemptFacts, 'termsOfUse'>;
}

/** R13.4: A terms-of-use screen replaces the prompt. */
export const termsOfUseRule: Rule<TermsOfUseFacts> = {
  id: 'R13.4',
  summary: 'No terms of use are shown in this sign-in.',
  source: ['R13.4'],
  appliesTo: 'both',
  reads: ['attempt.termsOfUse'],
  reasons: ['terms-of-use'],
  evaluate: ({ attempt }) => {
    const saw = { termsOfUse: attempt.termsOfUse };
    return attempt.termsOfUse ? stopped('terms-of-use', saw) : met(saw);
  },
};
