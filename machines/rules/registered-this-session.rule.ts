import type { AttemptFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface RegisteredThisSessionFacts {
  readonly attempt: Pick<AttemptFacts, 'registeredThisSession'>;
}

/** R13.2: Users who registered another method in the same sign-in session are not prompted. */
export const registeredThisSessionRule: Rule<RegisteredThisSessionFacts> = {
  id: 'R13.2',
  summary: 'No other method was registered in this sign-in session.',
  source: ['R13.2'],
  appliesTo: 'both',
  reads: ['attempt.registeredThisSession'],
  reasons: ['registered-this-session'],
  evaluate: ({ attempt }) => {
    const saw = { registeredThisSession: attempt.registeredThisSession };
    return attempt.registeredThisSession ? stopped('registered-this-session', saw) : met(saw);
  },
};
