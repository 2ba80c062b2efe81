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

/** Returns the second-factor method of an attempt. If the patch does not set one, returns the user's default method. */
export function resolveMfaMethod(patch: AttemptPatch, user: Pick<UserFacts, 'methods' | 'passkeys'>): MfaMethod | null {
  return patch.mfa?.method === undefined ? defaultMfaMethod(user) : patch.mfa.method;
}

/**
 * Returns the user's default method for the second factor: text messages have the highest priority, passkeys the
 * lowest.
 */
function defaultMfaMethod(user: Pick<UserFacts, 'methods' | 'passkeys'>): AttemptFacts['mfa']['method'] {
  const registered = registeredMethods.find((method) => user.methods.includes(method));
  return registered ?? (user.passkeys.length > 0 ? 'passkey' : 'sms');
}

/**
 * Completes a partial attempt. By default, the user signs in with Chrome on Windows in a browser, completes MFA of this
 * service with the default method, and nothing suppresses the prompt.
 *
 * @param patch - the given fields
 * @param user - the user who signs in
 * @param nowMs - time of the attempt in milliseconds since the epoch if the patch has none
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
    ...(patch.facts === undefined ? {} : { facts: patch.facts }),
  };
}

/**
 * Completes parsed facts and returns them with the ruleset that they name. A missing `nowMs` is set to 0.
 *
 * @param parsed - a value that `factsSchema` accepted
 */
export function completeFacts(parsed: z.infer<typeof factsSchema>): { facts: Facts; ruleset: string | undefined } {
  const user = parsed.user satisfies UserFacts;
  return {
    facts: { tenant: parsed.tenant satisfies TenantFacts, user, attempt: completeAttempt(parsed.attempt, user, 0) },
    ruleset: parsed.ruleset,
  };
}
