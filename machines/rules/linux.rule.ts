import type { AttemptFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface LinuxFacts {
  readonly attempt: Pick<AttemptFacts, 'os'>;
}

/** R11.6: Passkey campaigns do not prompt users on Linux. */
export const linuxRule: Rule<LinuxFacts> = {
  id: 'R11.6',
  summary: 'Passkey: the user does not sign in on Linux.',
  source: ['R11.6'],
  appliesTo: 'fido2',
  reads: ['attempt.os'],
  reasons: ['linux'],
  evaluate: ({ attempt }) => {
    const saw = { os: attempt.os };
    return attempt.os === 'linux' ? stopped('linux', saw) : met(saw);
  },
};
