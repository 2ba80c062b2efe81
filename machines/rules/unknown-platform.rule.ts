import type { AttemptFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface UnknownPlatformFacts {
  readonly attempt: Pick<AttemptFacts, 'os'>;
}

/** R11.9: A platform without a matrix column, such as ChromeOS, is evaluated like Linux (A36). */
export const unknownPlatformRule: Rule<UnknownPlatformFacts> = {
  id: 'R11.9',
  summary: 'Passkey: the platform is in the suppression matrix.',
  source: ['R11.9', 'A36'],
  appliesTo: 'fido2',
  reads: ['attempt.os'],
  reasons: ['unknown-platform'],
  evaluate: ({ attempt }) => {
    const saw = { os: attempt.os };
    return attempt.os === 'unknown' ? stopped('unknown-platform', saw) : met(saw);
  },
};
