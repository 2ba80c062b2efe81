import { transitiveGroups } from '../../machines/membership.ts';
import { allowsPasskey, findPasskeyProfiles } from '../../machines/passkey-profiles.ts';
import type { Passkey, TargetedMethod, TenantFacts, UserFacts } from '../../machines/vocabulary.ts';
import { NudgeLabError } from '../core/errors.ts';
import { forecastUserClassesMax } from '../core/limits.ts';
import type { AttemptKind, SegmentPlan } from './segment-plan.ts';

/** Users of one segment with the same facts, and what registering at each kind of attempt makes of them. */
export interface UserClass {
  readonly segment: number;
  readonly facts: UserFacts;
  /** For each kind of attempt, the class of a user who registered there. */
  readonly next: number[];
  /** For each kind of attempt, whether the policy admits what would be registered there. */
  readonly admitted: boolean[];
}

/** All classes of users that a forecast can come to, and the class of each starting user of each segment. */
export interface UserClasses {
  readonly classes: readonly UserClass[];
  readonly starting: readonly (readonly number[])[];
}

/**
 * The classes of users: those that the description names and those that registering leads to, breadth first.
 * Takes the segments, the tenant, and the method of its campaign. Throws `forecast-too-large` for more than the tables hold.
 */
export function userClasses(
  segments: readonly SegmentPlan[],
  tenant: TenantFacts,
  method: TargetedMethod | null,
): UserClasses {
  const classes: UserClass[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (segment: number, facts: UserFacts): number => {
    const key = `${segment} ${keyOf(facts)}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (classes.length >= forecastUserClassesMax) {
      throw new NudgeLabError('forecast-too-large', {
        message: `The users fall into more than ${forecastUserClassesMax} classes; name fewer kinds of user or of passkey.`,
      });
    }
    numbers.set(key, classes.length);
    return classes.push({ segment, facts, next: [], admitted: [] }) - 1;
  };
  const starting = segments.map(({ users }, segment) => users.map(({ facts }) => numberOf(segment, facts)));
  // The list grows while it is walked.
  for (const userClass of classes) {
    const { segment, facts } = userClass;
    for (const kind of segments[segment]?.kinds ?? []) {
      userClass.admitted.push(method !== 'fido2' || admits(tenant, facts, kind.passkey));
      userClass.next.push(method === null ? 0 : numberOf(segment, afterRegistering(facts, method, kind)));
    }
  }
  return { classes, starting };
}

/** The facts of a user who registered the method of the campaign at a kind of attempt, as the fold of a journal has it. */
export function afterRegistering(facts: UserFacts, method: TargetedMethod, { passkey }: AttemptKind): UserFacts {
  if (method === 'fido2') return { ...facts, passkeys: [...facts.passkeys, passkey] };
  if (facts.methods.includes('authenticator-push')) return facts;
  return { ...facts, methods: [...facts.methods, 'authenticator-push'] };
}

/** Whether the policy of a tenant admits a passkey of a user. Passkeys that are made here are attested, as those of every driver are. */
export function admits(tenant: TenantFacts, user: UserFacts, { type }: Passkey): boolean {
  const policy = tenant.methodsPolicy.fido2;
  const profiles = findPasskeyProfiles(policy, user.id, transitiveGroups(tenant.groups, user.groups));
  return allowsPasskey(policy, profiles, { type, attested: true });
}

/** What rules can tell users apart by: a second passkey of the same kind and device is none. */
function keyOf({ type, groups, methods, passkeys, mfaCapable }: UserFacts): string {
  const held = [...new Set(passkeys.map((passkey) => `${passkey.type} ${passkey.deviceId}`))].sort();
  return JSON.stringify([type, groups, methods, held, mfaCapable]);
}
