import {
  type ExpectedState,
  getMethod,
  isLimited,
  isManaged,
  isSnoozing,
  type Method,
  type Person,
  snoozesAllowed,
  type Tenant,
  type Visit,
} from './expected-state.ts';

/**
 * Passkey types that suppress the prompt, by operating system, limited to those in the simulation (R12, desktop
 * Chrome).
 */
const suppressing: Readonly<Record<string, readonly string[]>> = {
  windows: ['windows-bound', 'security-key'],
  macos: ['keychain', 'security-key'],
  ios: ['keychain', 'security-key'],
};

/**
 * Computes the specified outcome of one attempt from the expected state, the sign-in and the time in milliseconds:
 * no prompt, a prompt that can be skipped, or a required prompt.
 */
export function computeOutcome(
  { tenant, people }: ExpectedState,
  visit: Visit,
  nowMs: number,
): 'none' | 'skippable' | 'required' {
  const person = people.get(visit.userId);
  const method = getMethod(tenant);
  if (person === undefined || method === null || tenant.campaign.state === 'disabled') return 'none';
  if (visit.ssoSession || !visit.mfaCompleted) return 'none';
  if (!isInScope(tenant, person) || !isEligible(person, visit, method)) return 'none';
  if (isSnoozing(person, tenant, nowMs)) return 'none';
  return isLimited(tenant) && person.count >= snoozesAllowed ? 'required' : 'skippable';
}

/**
 * S1 to S3: returns whether the user is in an include target, in no exclude target, and in the provider’s targeting.
 */
function isInScope(tenant: Tenant, person: Person): boolean {
  const { includeTargets, excludeTargets } = tenant.campaign;
  if (excludeTargets.some(({ id }) => id === person.id)) return false;
  const included = includeTargets.some(({ id }) => id === 'all_users' || id === person.id);
  if (!isManaged(tenant)) return included;
  if (includeTargets.length > 0 && !included) return false;
  if (tenant.rollout.targeting) return person.mfaCapable;
  return person.methods.includes('sms') || person.methods.includes('voice');
}

/** R10, R11: returns whether the platform and the registered methods of the user allow a prompt. */
function isEligible(person: Person, { os }: Visit, method: Method): boolean {
  if (method === 'vendorAuthenticator') return os !== 'ios' && !person.methods.includes('authenticator-push');
  if (os === 'linux') return false;
  return !person.passkeys.some(({ type }) => suppressing[os]?.includes(type));
}
