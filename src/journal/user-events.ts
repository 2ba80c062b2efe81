import {
  type RegisteredMethod,
  type TargetedMethod,
  targetedMethods,
  type UserFacts,
} from '../../machines/vocabulary.ts';
import type { PasskeyCredential } from '../contract/credential.schema.ts';
import type { SandboxUser } from '../contract/sandbox.schema.ts';
import type { EventOf } from './journal-event.ts';
import { forgetOwnUser, hasOwnCampaign } from './own-campaign-events.ts';
import { moveUser, resolve, timed } from './prompts.ts';
import { addUser, type SandboxState, splitUser, type UserRecord } from './state.ts';

/**
 * Adds or replaces a user. An added user starts a lifecycle; an existing one keeps it, and a different nudge status is
 * applied. An added method completes the prompts that are open for it (A27), and a missing method counts as deleted
 * (A38).
 */
export function putUser(state: SandboxState, user: SandboxUser, nowMs: number): void {
  const known = state.users.edit(user.id);
  if (known === undefined) {
    addUser(state, user);
    return;
  }
  const before = known.facts;
  const { facts, profile } = splitUser(user);
  state.users.setProfile(known, profile);
  known.facts = facts;
  known.credentials = listCredentials(known, facts);
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

/** Adds a method that the user registered outside of a prompt; open prompts for it are completed (A27). */
export function addMethod(state: SandboxState, user: UserRecord, method: RegisteredMethod): void {
  if (user.facts.methods.includes(method)) return;
  user.facts = { ...user.facts, methods: [...user.facts.methods, method] };
  if (method === 'authenticator-push') methodWasAdded(state, user, 'vendorAuthenticator');
}

/** Adds a passkey that the user created outside of a prompt; open prompts for passkeys are completed (A27). */
export function addPasskey(
  state: SandboxState,
  user: UserRecord,
  { passkey, credential }: Pick<EventOf<'passkey.added'>, 'passkey' | 'credential'>,
): void {
  user.facts = { ...user.facts, passkeys: [...user.facts.passkeys, passkey] };
  user.credentials = [...user.credentials, credential];
  methodWasAdded(state, user, 'fido2');
}

/** Removes a passkey. Removing the last one means that the user no longer has a registered passkey (A38). */
export function removePasskey(state: SandboxState, user: UserRecord, place: number, nowMs: number): void {
  if (place >= user.facts.passkeys.length) return;
  user.facts = { ...user.facts, passkeys: user.facts.passkeys.filter((_, index) => index !== place) };
  user.credentials = listCredentials(user, user.facts);
  if (user.facts.passkeys.length === 0) methodWasRemoved(state, user, 'fido2', nowMs);
}

/** Changes stored data of a credential, such as its name or its counter. */
export function changeCredential(
  user: UserRecord,
  credentialId: string,
  change: Partial<Pick<PasskeyCredential, 'name' | 'counter' | 'backedUp'>>,
): void {
  user.credentials = user.credentials.map((credential) =>
    credential.id === credentialId ? { ...credential, ...change } : credential,
  );
}

/** Returns the credentials whose passkey is still in the facts. */
function listCredentials({ credentials }: UserRecord, { passkeys }: UserFacts): readonly PasskeyCredential[] {
  if (credentials.length === 0) return credentials;
  const named = new Set(passkeys.map(({ credentialId }) => credentialId));
  return credentials.filter(({ id }) => named.has(id));
}

function methodWasAdded(state: SandboxState, user: UserRecord, method: TargetedMethod): void {
  if (!user.nudge.context.openPrompts.some((prompt) => prompt.method === method)) return;
  resolve(state, moveUser(state, user, { type: 'method.registered', method }));
}

/** Removes a user, with the settings for the next sign-in and the unfinished sign-ins. */
export function removeUser(state: SandboxState, userId: string): void {
  const user = state.users.get(userId);
  if (user === undefined) return;
  if (hasOwnCampaign(state)) forgetOwnUser(state, userId);
  state.users.delete(userId);
  state.nextSignIns.delete(userId);
  state.acceptedTerms.delete(userId);
  for (const { id } of user.nudge.context.openPrompts) state.promptEnds.delete(id);
  for (const [id, signIn] of state.signIns) {
    if (signIn.userId !== userId) continue;
    state.signIns.delete(id);
    state.finished.delete(id);
  }
}

/** Removes a method, or all passkeys for `fido2`. If it was the registered method, the lifecycle is updated (A38). */
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
  user.credentials = listCredentials(user, user.facts);
  const targeted = targetedBy(method);
  if (targeted !== null) methodWasRemoved(state, user, targeted, nowMs);
}

function methodWasRemoved(state: SandboxState, user: UserRecord, method: TargetedMethod, nowMs: number): void {
  moveUser(state, user, { type: 'method.removed', method, ...timed(state, nowMs, user) });
}

function targetedBy(method: EventOf<'method.removed'>['method']): TargetedMethod | null {
  if (method === 'fido2') return 'fido2';
  return method === 'authenticator-push' ? 'vendorAuthenticator' : null;
}

function holds(facts: UserFacts, method: TargetedMethod): boolean {
  return method === 'fido2' ? facts.passkeys.length > 0 : facts.methods.includes('authenticator-push');
}
