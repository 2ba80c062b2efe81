import { transitiveGroups } from '../../machines/membership.ts';
import { allowsPasskey, findPasskeyProfiles } from '../../machines/passkey-profiles.ts';
import type { Passkey, TargetedMethod, TenantFacts, UserFacts } from '../../machines/vocabulary.ts';
import { NudgeLabError } from '../core/errors.ts';
import { forecastUserClassesMax } from '../core/limits.ts';
import type { AttemptKind, SegmentPlan } from './segment-plan.ts';

/** Users of one segment with the same facts, and the effect of a registration for each attempt type. */
export interface UserClass {
  readonly segment: number;
  readonly facts: UserFacts;
  /** Class of a user after registering, by attempt type. */
  readonly next: number[];
  /** True if the policy allows the registration, by attempt type. */
  readonly admitted: boolean[];
}

/** User classes that occur in a forecast, and the class of each starting user by segment. */
export interface UserClasses {
  readonly classes: readonly UserClass[];
  readonly starting: readonly (readonly number[])[];
}

/**
 * Computes the user classes breadth first: those in the description and those reached by registering. `method` is
 * the target of the campaign. Throws `forecast-too-large` if there are more classes than the tables allow.
 */
export function userClasses(
  segments: readonly SegmentPlan[],
  tenant: TenantFacts,
  method: TargetedMethod | null,
): UserClasses {
  const classes: UserClass[] = [];
  const numbers = new Map<string, number>();
  const getNumber = (segment: number, facts: UserFacts): number => {
    const key = `${segment} ${toKey(facts)}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (classes.length >= forecastUserClassesMax) {
      throw new NudgeLabError('forecast-too-large', {
        message: `The users form more than ${forecastUserClassesMax} classes; use fewer kinds of users or passkeys.`,
      });
    }
    numbers.set(key, classes.length);
    return classes.push({ segment, facts, next: [], admitted: [] }) - 1;
  };
  const starting = segments.map(({ users }, segment) => users.map(({ facts }) => getNumber(segment, facts)));
  // The array grows during the iteration.
  for (const userClass of classes) {
    const { segment, facts } = userClass;
    for (const kind of segments[segment]?.kinds ?? []) {
      userClass.admitted.push(method !== 'fido2' || admits(tenant, facts, kind.passkey));
      userClass.next.push(method === null ? 0 : getNumber(segment, afterRegistering(facts, method, kind)));
    }
  }
  return { classes, starting };
}

/**
 * Returns the facts of a user after registering the campaign's method in an attempt of this type. The result is the
 * same as in a journal replay.
 */
export function afterRegistering(facts: UserFacts, method: TargetedMethod, { passkey }: AttemptKind): UserFacts {
  if (method === 'fido2') return { ...facts, passkeys: [...facts.passkeys, passkey] };
  if (facts.methods.includes('authenticator-push')) return facts;
  return { ...facts, methods: [...facts.methods, 'authenticator-push'] };
}

/**
 * Checks whether a tenant's policy allows a passkey for a user. Passkeys in a forecast are attested, as with every
 * driver.
 */
export function admits(tenant: TenantFacts, user: UserFacts, { type }: Passkey): boolean {
  const policy = tenant.methodsPolicy.fido2;
  const profiles = findPasskeyProfiles(policy, user.id, transitiveGroups(tenant.groups, user.groups));
  return allowsPasskey(policy, profiles, { type, attested: true });
}

/**
 * Returns the facts that rules can distinguish. A second passkey of the same type on the same device makes no
 * difference.
 */
function toKey({ type, groups, methods, passkeys, mfaCapable, facts }: UserFacts): string {
  const passkeyNames = [...new Set(passkeys.map((passkey) => `${passkey.type} ${passkey.deviceId}`))].sort();
  return JSON.stringify([type, groups, methods, passkeyNames, mfaCapable, ...(facts === undefined ? [] : [facts])]);
}
