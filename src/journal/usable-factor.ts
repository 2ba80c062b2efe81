import { listUnusableFactors } from '../../machines/evaluate.ts';
import { mfaMethods, type Ruleset, type TenantFacts, type UserFacts } from '../../machines/vocabulary.ts';
import { completeAttempt, resolveMfaMethod } from '../contract/attempt-facts.ts';
import type { AttemptPatch } from '../contract/facts.schema.ts';

/** Facts of an attempt's tenant and user, with the rules in force. */
interface FactorContext {
  readonly tenant: TenantFacts;
  readonly user: UserFacts;
  readonly rules: Ruleset;
  readonly nowMs: number;
}

/**
 * Returns the second factors that a user can use: the registered ones without those that the ruleset does not offer
 * (OC18).
 */
export function listUsableFactors(patch: AttemptPatch, { tenant, user, rules, nowMs }: FactorContext) {
  const registered = mfaMethods.filter((method) =>
    method === 'passkey' ? user.passkeys.length > 0 : user.methods.includes(method),
  );
  const unusable = listUnusableFactors({ tenant, user, attempt: completeAttempt(patch, user, nowMs) }, rules);
  return unusable.length === 0 ? registered : registered.filter((method) => !unusable.includes(method));
}

/**
 * Replaces the default second factor of an attempt if the ruleset does not offer it: by the first one that it offers, or
 * by none, so that the sign-in has no second factor. A given method, or that of another provider, stays.
 */
export function withUsableFactor(patch: AttemptPatch, context: FactorContext): AttemptPatch {
  const { provider = 'service', method, completed } = patch.mfa ?? {};
  if (context.rules.extension === undefined || method !== undefined || provider !== 'service' || completed === false) {
    return patch;
  }
  const standard = resolveMfaMethod(patch, context.user);
  const attempt = completeAttempt(patch, context.user, context.nowMs);
  const unusable = listUnusableFactors({ tenant: context.tenant, user: context.user, attempt }, context.rules);
  if (standard === null || !unusable.includes(standard)) return patch;
  const [usable] = listUsableFactors(patch, context);
  const mfa = usable === undefined ? { completed: false, method: null } : { method: usable };
  return { ...patch, mfa: { ...patch.mfa, ...mfa } };
}
