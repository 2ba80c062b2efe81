import { type TargetedMethod, targetedMethods, type UserFacts } from '../../machines/vocabulary.ts';
import type { SandboxUser } from '../contract/sandbox.schema.ts';
import type { InputOf } from './input.ts';
import { moveUser, resolve, timed } from './prompts.ts';
import { addUser, type SandboxState, splitUser, type UserRecord } from './state.ts';

/**
 * Puts a user: a new one begins a lifecycle, an existing one keeps it. A ledger that differs is set; a method that the
 * user holds now and did not hold resolves the prompts that are open for it (A27), one that the user holds no more is a
 * deleted method (A38).
 */
export function putUser(state: SandboxState, user: SandboxUser, nowMs: number): void {
  const known = state.users.get(user.id);
  if (known === undefined) {
    addUser(state, user);
    return;
  }
  const before = known.facts;
  const { facts, profile } = splitUser(user);
  state.userIdsByName.delete(known.profile.userPrincipalName.toLowerCase());
  state.userIdsByName.set(profile.userPrincipalName.toLowerCase(), facts.id);
  known.profile = profile;
  known.facts = facts;
  const { count, snoozedAtMs } = facts.snooze;
  if (count !== before.snooze.count || snoozedAtMs !== before.snooze.snoozedAtMs) {
    moveUser(state, known, { type: 'ledger.set', count, snoozedAtMs });
  }
  for (const { method } of known.nudge.context.openPrompts) {
    if (holds(facts, method) && !holds(before, method)) {
      resolve(state, moveUser(state, known, { type: 'method.registered', method }));
    }
  }
  for (const method of targetedMethods) {
    if (holds(before, method) && !holds(facts, method)) methodWasRemoved(state, known, method, nowMs);
  }
}

/** Removes a user with the next sign-in that was prepared and the sign-ins that are not finished. */
export function removeUser(state: SandboxState, userId: string): void {
  const user = state.users.get(userId);
  if (user === undefined) return;
  state.users.delete(userId);
  state.userIdsByName.delete(user.profile.userPrincipalName.toLowerCase());
  state.nextSignIns.delete(userId);
  for (const { id } of user.nudge.context.openPrompts) state.promptEnds.delete(id);
  for (const [id, signIn] of state.signIns) {
    if (signIn.userId !== userId) continue;
    state.signIns.delete(id);
    state.finished.delete(id);
  }
}

/** Removes a method, `fido2` all passkeys; when it was the one the user had registered the lifecycle moves on (A38). */
export function removeMethod(
  state: SandboxState,
  user: UserRecord,
  method: InputOf<'method.removed'>['method'],
  nowMs: number,
): void {
  const { facts } = user;
  user.facts =
    method === 'fido2'
      ? { ...facts, passkeys: [] }
      : { ...facts, methods: facts.methods.filter((registered) => registered !== method) };
  const targeted = targetedBy(method);
  if (targeted !== null) methodWasRemoved(state, user, targeted, nowMs);
}

function methodWasRemoved(state: SandboxState, user: UserRecord, method: TargetedMethod, nowMs: number): void {
  moveUser(state, user, { type: 'method.removed', method, ...timed(state, nowMs) });
}

function targetedBy(method: InputOf<'method.removed'>['method']): TargetedMethod | null {
  if (method === 'fido2') return 'fido2';
  return method === 'authenticator-push' ? 'vendorAuthenticator' : null;
}

function holds(facts: UserFacts, method: TargetedMethod): boolean {
  return method === 'fido2' ? facts.passkeys.length > 0 : facts.methods.includes('authenticator-push');
}
