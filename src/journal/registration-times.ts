import type { Passkey, TenantFacts, UserFacts } from '../../machines/vocabulary.ts';
import type { TenantSettings } from '../contract/sandbox.schema.ts';
import { registrationPoliciesMax } from '../core/limits.ts';
import type { PolicyExtras } from './journal-event.ts';
import { deriveRegistration, type RegisteredUser, type RegistrationPolicy } from './registration-details.ts';

/** Entry of the journal: its sequence number and its virtual time. */
export interface EntryMark {
  readonly seq: number;
  readonly atMs: number;
}

/** Version of the tenant data that the registration report is derived from, and the entry that set it. */
export interface RegistrationPolicyVersion extends EntryMark {
  readonly policy: RegistrationPolicy;
}

/** Times at which a user's methods were added. Those of the creation of the sandbox are omitted. */
export interface RegistrationTimes {
  /** Entry that last changed the user's row of the registration report. */
  readonly changed: EntryMark;
  /** Times of methods by name, in milliseconds. */
  readonly methods: Readonly<Record<string, number>>;
  /** Times of passkeys in milliseconds, in the order of the facts; `null` for one of the creation. */
  readonly passkeys: readonly (number | null)[];
}

/** Part of a state that the registration report depends on. */
interface RegistrationState {
  readonly tenant: TenantFacts;
  readonly settings: TenantSettings;
  readonly extras: PolicyExtras;
  readonly createdAtMs: number;
  lastSeq: number;
  /** Versions of the tenant data that the report is derived from, oldest first. */
  registrationPolicies: readonly RegistrationPolicyVersion[];
}

/** User of a state with the times of registered methods. */
interface TimedUser extends RegisteredUser {
  registered?: RegistrationTimes;
}

/** Returns the tenant data that the registration report is derived from. */
export function toRegistrationPolicy({
  tenant,
  settings,
  extras,
}: Pick<RegistrationState, 'tenant' | 'settings' | 'extras'>): RegistrationPolicy {
  return {
    methodsPolicy: tenant.methodsPolicy,
    groups: tenant.groups,
    systemPreferences: extras.systemCredentialPreferences,
    resetsPasswords: settings.directory?.sspr?.state === 'all',
  };
}

/** Adds a version if the tenant data of the registration report changed. The oldest version beyond the limit is lost. */
export function noteRegistrationPolicy(state: RegistrationState, atMs: number): void {
  const policy = toRegistrationPolicy(state);
  const before = state.registrationPolicies.at(-1);
  if (before !== undefined && isSamePolicy(before.policy, policy)) return;
  const versions = [...state.registrationPolicies, { seq: state.lastSeq, atMs, policy }];
  state.registrationPolicies = versions.slice(-registrationPoliciesMax);
}

/** Compares the parts first: a change of the campaign, the most frequent one, replaces none of them. */
function isSamePolicy(one: RegistrationPolicy, other: RegistrationPolicy): boolean {
  const isIdentical =
    one.methodsPolicy === other.methodsPolicy &&
    one.groups === other.groups &&
    one.systemPreferences === other.systemPreferences &&
    one.resetsPasswords === other.resetsPasswords;
  return isIdentical || JSON.stringify(one) === JSON.stringify(other);
}

/** Adds the time of an entry to the methods that it added to a user, and to the user's row if it changed. */
export function noteRegistration(
  state: RegistrationState,
  user: TimedUser,
  before: RegisteredUser,
  atMs: number,
): void {
  if (!mayDiffer(user, before)) return;
  const first: EntryMark = { seq: 1, atMs: state.createdAtMs };
  const known: RegistrationTimes = user.registered ?? {
    changed: first,
    methods: {},
    passkeys: before.facts.passkeys.map(() => null),
  };
  const names = listTimedNames(user);
  const heldBefore = new Set(listTimedNames(before));
  const methods = Object.fromEntries(
    names.flatMap((name) => {
      const knownMs = heldBefore.has(name) ? known.methods[name] : atMs;
      return knownMs === undefined ? [] : [[name, knownMs] as const];
    }),
  );
  const passkeys = alignPasskeys(user.facts.passkeys, before.facts.passkeys, known.passkeys, atMs);
  const changed = changesRow(state, user, before) ? { seq: state.lastSeq, atMs } : known.changed;
  user.registered = { changed, methods, passkeys };
}

/** Sets the times of a user who was added after the creation of the sandbox. */
export function beginRegistration(state: RegistrationState, user: TimedUser, atMs: number): void {
  user.registered = {
    changed: { seq: state.lastSeq, atMs },
    methods: Object.fromEntries(listTimedNames(user).map((name) => [name, atMs])),
    passkeys: user.facts.passkeys.map(() => atMs),
  };
}

/**
 * Returns the time of the last entry that changed a user's row of the registration report, in milliseconds. Of the
 * changes of the tenant, only those count that changed this row.
 */
export function findRowChange(
  { registrationPolicies, createdAtMs }: Pick<RegistrationState, 'registrationPolicies' | 'createdAtMs'>,
  user: TimedUser,
): number {
  const changed = user.registered?.changed ?? { seq: 1, atMs: createdAtMs };
  let row: string | null = null;
  for (let index = registrationPolicies.length - 1; index > 0; index -= 1) {
    const [version, earlier] = [registrationPolicies[index], registrationPolicies[index - 1]];
    if (version === undefined || earlier === undefined || version.seq < changed.seq) break;
    row ??= JSON.stringify(deriveRegistration(user, version.policy));
    const rowBefore = JSON.stringify(deriveRegistration(user, earlier.policy));
    if (row !== rowBefore) return version.atMs;
    row = rowBefore;
  }
  return changed.atMs;
}

/** Returns `true` if a part of a user changed that the times or the row can depend on. */
function mayDiffer({ facts, profile }: RegisteredUser, before: RegisteredUser): boolean {
  const known = before.facts;
  return (
    profile !== before.profile ||
    facts.methods !== known.methods ||
    facts.passkeys !== known.passkeys ||
    facts.groups !== known.groups ||
    facts.mfaCapable !== known.mfaCapable ||
    facts.type !== known.type
  );
}

function changesRow(state: RegistrationState, user: RegisteredUser, before: RegisteredUser): boolean {
  const policy = toRegistrationPolicy(state);
  return formatRow(user, policy) !== formatRow(before, policy);
}

function formatRow(user: RegisteredUser, policy: RegistrationPolicy): string {
  const { userPrincipalName, displayName } = user.profile;
  return JSON.stringify([userPrincipalName, displayName, user.facts.type, deriveRegistration(user, policy)]);
}

/** Lists the names of the methods of a user, except for passkeys. */
function listTimedNames({ facts, profile }: RegisteredUser): readonly string[] {
  const { email, phones } = profile.directory ?? {};
  return [
    ...facts.methods,
    ...(email === undefined ? [] : ['email']),
    ...(phones?.alternateMobile === undefined ? [] : ['alternateMobile']),
    ...(phones?.office === undefined ? [] : ['office']),
  ];
}

/** Returns the times of passkeys. A passkey that was there before keeps its time. */
function alignPasskeys(
  passkeys: UserFacts['passkeys'],
  before: UserFacts['passkeys'],
  known: readonly (number | null)[],
  atMs: number,
): readonly (number | null)[] {
  if (passkeys === before) return known;
  const open = before.map((passkey, place) => ({ passkey, timeMs: known[place] ?? null }));
  return passkeys.map((passkey) => {
    const place = open.findIndex((one) => isSame(one.passkey, passkey));
    const [found] = place === -1 ? [] : open.splice(place, 1);
    return found === undefined ? atMs : found.timeMs;
  });
}

function isSame(one: Passkey, other: Passkey): boolean {
  return one.type === other.type && one.deviceId === other.deviceId && one.credentialId === other.credentialId;
}
