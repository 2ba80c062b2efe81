import type { z } from 'zod';
import {
  type AttemptFacts,
  type Facts,
  type MfaMethod,
  registeredMethods,
  type TenantFacts,
  type UserFacts,
} from '../../machines/vocabulary.ts';
import type { AttemptPatch, factsSchema } from './facts.schema.ts';

/** The method of an attempt's second factor: the one given, else the user's first. */
export function resolveMfaMethod(patch: AttemptPatch, user: Pick<UserFacts, 'methods' | 'passkeys'>): MfaMethod | null {
  return patch.mfa?.method === undefined ? defaultMfaMethod(user) : patch.mfa.method;
}

/** The method a user answers the second factor with when nothing else is said: text message first, passkey last. */
function defaultMfaMethod(user: Pick<UserFacts, 'methods' | 'passkeys'>): AttemptFacts['mfa']['method'] {
  const registered = registeredMethods.find((method) => user.methods.includes(method));
  return registered ?? (user.passkeys.length > 0 ? 'passkey' : 'sms');
}

/**
 * Fills an attempt from the given fields: Chrome on Windows in a browser, own MFA completed with the user's first method,
 * no suppression. Takes the patch, the user and the time in ms that stands where the patch names none.
 */
export function completeAttempt(
  patch: AttemptPatch,
  user: Pick<UserFacts, 'methods' | 'passkeys'>,
  nowMs: number,
): AttemptFacts {
  return {
    os: patch.os ?? 'windows',
    browser: patch.browser === undefined ? 'chrome' : patch.browser,
    surface: patch.surface ?? 'browser',
    deviceId: patch.deviceId ?? 'device-1',
    mfa: {
      completed: patch.mfa?.completed ?? true,
      provider: patch.mfa?.provider ?? 'service',
      method: resolveMfaMethod(patch, user),
    },
    ssoSession: patch.ssoSession ?? false,
    registeredThisSession: patch.registeredThisSession ?? false,
    conditionalAccess: {
      registrationPageBlocked: patch.conditionalAccess?.registrationPageBlocked ?? false,
      registrationConditionMet: patch.conditionalAccess?.registrationConditionMet ?? true,
    },
    termsOfUse: patch.termsOfUse ?? false,
    customControls: patch.customControls ?? false,
    nowMs: patch.nowMs ?? nowMs,
  };
}

/** Parsed facts with the ruleset they name. Takes a value that `factsSchema` accepted; a missing `nowMs` is 0. */
export function completeFacts(parsed: z.infer<typeof factsSchema>): { facts: Facts; ruleset: string | undefined } {
  const user = parsed.user satisfies UserFacts;
  return {
    facts: { tenant: parsed.tenant satisfies TenantFacts, user, attempt: completeAttempt(parsed.attempt, user, 0) },
    ruleset: parsed.ruleset,
  };
}
