import {
  type RegisteredMethod,
  type TargetedMethod,
  targetedMethods,
  type UserFacts,
} from '../../machines/vocabulary.ts';
import type { PasskeyCredential } from '../contract/credential.schema.ts';
import type { SandboxUser } from '../contract/sandbox.schema.ts';
import type { EventOf } from './journal-event.ts';
import { moveUser, resolve, timed } from './prompts.ts';
import { addUser, type SandboxState, splitUser, type UserRecord } from './state.ts';

/**
 * Puts a user: a new one begins a lifecycle, an existing one keeps it. A nudge status that differs is set; a method that the
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
  known.credentials = heldCredentials(known, facts);
  const { count, snoozedAtMs } = facts.snooze;
  if (count !== before.snooze.count || snoozedAtMs !== before.snooze.snoozedAtMs) {
    moveUser(state, known, { type: 'snooze.set', count, snoozedAtMs });
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

/** A method that the user registered outside a prompt; prompts that ask for it resolve (A27). */
export function addMethod(state: SandboxState, user: UserRecord, method: RegisteredMethod): void {
  if (user.facts.methods.includes(method)) return;
  user.facts = { ...user.facts, methods: [...user.facts.methods, method] };
  if (method === 'authenticator-push') methodWasAdded(state, user, 'vendorAuthenticator');
}

/** A passkey that the user made outside a prompt; prompts that ask for one resolve (A27). */
export function addPasskey(
  state: SandboxState,
  user: UserRecord,
  { passkey, credential }: Pick<EventOf<'passkey.added'>, 'passkey' | 'credential'>,
): void {
  user.facts = { ...user.facts, passkeys: [...user.facts.passkeys, passkey] };
  user.credentials = [...user.credentials, credential];
  methodWasAdded(state, user, 'fido2');
}

/** Removes one passkey; with the last one the user has registered none any more (A38). */
export function removePasskey(state: SandboxState, user: UserRecord, place: number, nowMs: number): void {
  if (place >= user.facts.passkeys.length) return;
  user.facts = { ...user.facts, passkeys: user.facts.passkeys.filter((_, index) => index !== place) };
  user.credentials = heldCredentials(user, user.facts);
  if (user.facts.passkeys.length === 0) methodWasRemoved(state, user, 'fido2', nowMs);
}

/** Changes what is kept of one credential, such as its name or its counter. */
export function changeCredential(
  user: UserRecord,
  credentialId: string,
  change: Partial<Pick<PasskeyCredential, 'name' | 'counter' | 'backedUp'>>,
): void {
  user.credentials = user.credentials.map((held) => (held.id === credentialId ? { ...held, ...change } : held));
}

/** The credentials whose passkey is still among the facts. */
function heldCredentials({ credentials }: UserRecord, { passkeys }: UserFacts): readonly PasskeyCredential[] {
  if (credentials.length === 0) return credentials;
  const named = new Set(passkeys.map(({ credentialId }) => credentialId));
  return credentials.filter(({ id }) => named.has(id));
}

function methodWasAdded(state: SandboxState, user: UserRecord, method: TargetedMethod): void {
  if (!user.nudge.context.openPrompts.some((prompt) => prompt.method === method)) return;
  resolve(state, moveUser(state, user, { type: 'method.registered', method }));
}

/** Removes a user with the next sign-in that was prepared and the sign-ins that are not finished. */
export function removeUser(state: SandboxState, userId: string): void {
  const user = state.users.get(userId);
  if (user === undefined) return;
  state.users.delete(userId);
  state.userIdsByName.delete(user.profile.userPrincipalName.toLowerCase());
  state.nextSignIns.delete(userId);
  state.acceptedTerms.delete(userId);
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
  method: EventOf<'method.removed'>['method'],
  nowMs: number,
): void {
  const { facts } = user;
  user.facts =
    method === 'fido2'
      ? { ...facts, passkeys: [] }
      : { ...facts, methods: facts.methods.filter((registered) => registered !== method) };
  user.credentials = heldCredentials(user, user.facts);
  const targeted = targetedBy(method);
  if (targeted !== null) methodWasRemoved(state, user, targeted, nowMs);
}

function methodWasRemoved(state: SandboxState, user: UserRecord, method: TargetedMethod, nowMs: number): void {
  moveUser(state, user, { type: 'method.removed', method, ...timed(state, nowMs) });
}

function targetedBy(method: EventOf<'method.removed'>['method']): TargetedMethod | null {
  if (method === 'fido2') return 'fido2';
  return method === 'authenticator-push' ? 'vendorAuthenticator' : null;
}

function holds(facts: UserFacts, method: TargetedMethod): boolean {
  return method === 'fido2' ? facts.passkeys.length > 0 : facts.methods.includes('authenticator-push');
}
