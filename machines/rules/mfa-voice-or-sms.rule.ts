import type { MfaFacts } from '../vocabulary.ts';
import { met, notApplicable, type Rule, stopped } from './rule.ts';

interface MfaVoiceOrSmsFacts {
  readonly attempt: { readonly mfa: Pick<MfaFacts, 'completed' | 'method'> };
}

/**
 * M1: Since ruleset 2026-09, app campaigns prompt only users who used a voice call or text message in this sign-in
 * (A30).
 */
export const mfaVoiceOrSmsRule: Rule<MfaVoiceOrSmsFacts> = {
  id: 'M1',
  summary: 'App: the second factor of this sign-in was a voice call or a text message.',
  source: ['M1', 'A30'],
  appliesTo: 'vendorAuthenticator',
  reads: ['attempt.mfa.completed', 'attempt.mfa.method'],
  reasons: ['mfa-not-voice-or-sms'],
  evaluate: ({ attempt }) => {
    if (!attempt.mfa.completed) return notApplicable({ completed: false });
    const { method } = attempt.mfa;
    const saw = { method };
    return method === 'voice' || method === 'sms' ? met(saw) : stopped('mfa-not-voice-or-sms', saw);
  },
};
