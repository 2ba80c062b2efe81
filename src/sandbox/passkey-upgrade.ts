import { methodEnablement, transitiveGroups } from '../../machines/membership.ts';
import { isFinished, type SandboxState } from '../journal/state.ts';

/**
 * Returns true if the last page of a sign-in lets the browser create a passkey automatically (conditional create).
 * The tenant must enable it, and the user must have just signed in with a password and be allowed to register
 * passkeys here.
 */
export function offersUpgrade({ settings, tenant, users, signIns }: SandboxState, signInId: string): boolean {
  const signIn = signIns.get(signInId);
  const user = users.get(signIn?.userId ?? '');
  const attempt = signIn?.evaluation?.facts.attempt;
  if (settings.passkeys?.conditionalCreate !== true || signIn === undefined || user === undefined) return false;
  if (attempt === undefined || !isFinished(signIn)) return false;
  const { registrationPageBlocked, registrationConditionMet } = attempt.conditionalAccess;
  const policy = tenant.methodsPolicy.fido2;
  const memberOf = transitiveGroups(tenant.groups, user.facts.groups);
  const mayRegisterHere = registrationConditionMet && !registrationPageBlocked && policy.selfService;
  const usedPassword = !attempt.ssoSession && attempt.mfa.method !== 'passkey';
  return usedPassword && mayRegisterHere && methodEnablement(policy, user.facts.id, memberOf).enabled;
}
