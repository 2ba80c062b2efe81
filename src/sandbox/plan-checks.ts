import type { PasskeyPolicy } from '../../machines/vocabulary.ts';
import type { SandboxUser } from '../contract/sandbox.schema.ts';
import type { SyntheticUsersDescription } from '../contract/synthetic-users.schema.ts';
import { toInstant } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { usersMax } from '../core/limits.ts';
import { suggestName } from '../core/nearest-name.ts';
import { shippedModel } from '../journal/sandbox-model.ts';
import { createUserTable } from '../journal/state.ts';

const dayMs = 86_400_000;

/**
 * Rejects a target that names a missing profile, because it would count as unrestricted (A29) and contradict the
 * input.
 */
export function refuseUnknownProfiles({ includeTargets, profiles }: PasskeyPolicy): void {
  const known = profiles.map(({ id }) => id);
  const problems = includeTargets.flatMap((target, index) =>
    target.profiles
      .filter((id) => !known.includes(id))
      .map((id) => ({
        location: `tenant.methodsPolicy.fido2.includeTargets.${index}.profiles`,
        message: `profile "${id}" does not exist; allowed: ${known.join(', ') || 'none'}${suggestName(id, known)}`,
      })),
  );
  if (problems.length > 0) throw new NudgeLabError('bad-request', { problems });
}

/** Rejects synthetic sign-ins that would start before 1970, because no attempt can be that early. */
export function refuseEarlySignIns(
  synthetic: SyntheticUsersDescription | null,
  { nowMs }: { readonly nowMs: number },
): void {
  const days = synthetic?.signIns?.days ?? 0;
  if (days * dayMs <= nowMs) return;
  const message = `${days} days before ${toInstant(nowMs)} is before 1970; use fewer days or a later clock`;
  throw new NudgeLabError('bad-request', { problems: [{ location: 'syntheticUsers.signIns.days', message }] });
}

/** Rejects too many users, and two users with the same id or name. Throws `bad-request`. */
export function refuseDoubles(users: readonly SandboxUser[], synthetic: SyntheticUsersDescription | null): void {
  const all = users.length + (synthetic?.count ?? 0);
  if (all > usersMax) {
    throw new NudgeLabError('bad-request', {
      problems: [{ location: 'users', message: `the sandbox would have ${all} users; the maximum is ${usersMax}` }],
    });
  }
  const generated = createUserTable(shippedModel, synthetic);
  const ids = new Set<string>();
  const names = new Set<string>();
  users.forEach(({ id, userPrincipalName }, index) => {
    const name = userPrincipalName.toLowerCase();
    const isIdTaken = ids.has(id) || generated.has(id);
    if (isIdTaken || names.has(name) || generated.findId(name) !== undefined) {
      const place = `users.${index}.${isIdTaken ? 'id' : 'userPrincipalName'}`;
      throw new NudgeLabError('bad-request', {
        problems: [{ location: place, message: 'is already used by another user' }],
      });
    }
    ids.add(id);
    names.add(name);
  });
}
