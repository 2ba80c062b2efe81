import type { MethodBodies } from '../../../contract/directory-api/method-operations.ts';
import type { UserDirectory } from '../../../contract/sandbox.schema.ts';
import { parseInstant, toInstant } from '../../../core/clock.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { fnv1a32, randomSource } from '../../../core/random.ts';
import type { ChangeCaller, JournalEvent } from '../../../journal/journal-event.ts';
import { isEnabledFor, listPhoneTypes } from '../../../journal/registration-details.ts';
import type { UserRecord } from '../../../journal/state.ts';
import { isCredentialTaken, type MadePasskey, mayRegister } from '../../passkeys.ts';
import type { Recorder } from '../../recorder.ts';
import type { Caller } from '../../token-service.ts';
import type { DirectoryView } from '../directory-view.ts';
import { getConfiguration } from './method-configurations.ts';
import { getPhoneNumber, type MethodObject } from './registered-methods.ts';

/** User whose methods a request changes, in the current state. */
export interface MethodSubject {
  readonly view: DirectoryView;
  readonly user: UserRecord;
  readonly caller: Caller;
}

type UserChange = { readonly caller: ChangeCaller; readonly userId: string };

/**
 * Changes of users' methods by the directory API. Each one is an event of the journal, like a change on a page or by the
 * control API, so rules and open prompts react in the same way (A3, A27, A38, A44).
 */
export class MethodChanges {
  readonly #recorder: Recorder;
  readonly #onRecorded: (seq: number) => void;

  /**
   * @param recorder - recorder of the sandbox
   * @param onRecorded - listener for the sequence number of each event
   */
  constructor(recorder: Recorder, onRecorded: (seq: number) => void = () => undefined) {
    this.#recorder = recorder;
    this.#onRecorded = onRecorded;
  }

  /** Returns the virtual time in milliseconds. */
  nowMs(): number {
    return this.#recorder.nowMs();
  }

  /** Registers a telephone. Throws `bad-request` for one that exists, or for an alternate one without a mobile one. */
  async addPhone(subject: MethodSubject, { phoneNumber, phoneType }: MethodBodies['addPhoneMethod']): Promise<void> {
    const { view, user } = subject;
    const phones = listPhoneTypes(user);
    if (phones.includes(phoneType))
      throw badField('phoneType', `the user already has a phone of the type ${phoneType}`);
    if (phoneType === 'alternateMobile' && !phones.includes('mobile')) {
      throw badField('phoneType', 'an alternate mobile phone requires a mobile phone; register that first');
    }
    // An office phone next to a mobile one is known by its number.
    const kept = phones.includes('office') ? { office: getPhoneNumber(user, 'office') } : {};
    const calls = phoneType !== 'mobile' || getConfiguration(view.state, 'Voice').state === 'enabled';
    const known = user.profile.directory;
    await this.#record(subject, [
      toDirectoryChange(user, { ...known, phones: { ...known?.phones, ...kept, [phoneType]: phoneNumber } }),
      ...(phoneType === 'mobile' ? [{ type: 'method.added', method: 'sms' } as const] : []),
      ...(calls && !user.facts.methods.includes('voice') ? [{ type: 'method.added', method: 'voice' } as const] : []),
    ]);
  }

  /** Changes the number of a telephone. Records nothing if it is the same. Throws `bad-request` for another type. */
  async updatePhone(
    subject: MethodSubject,
    { source, values }: MethodObject,
    { phoneNumber, phoneType }: MethodBodies['updatePhoneMethod'],
  ): Promise<void> {
    if (source.kind !== 'phone') return;
    const { phone } = source;
    if (phoneType !== undefined && phoneType !== phone) {
      throw badField('phoneType', `the type of this phone, ${phone}, cannot be changed; add a phone of the other type`);
    }
    if (values['phoneNumber'] === phoneNumber) return;
    const { phones } = subject.user.profile.directory ?? {};
    await this.changeDirectory(subject, { phones: { ...phones, [phone]: phoneNumber } });
  }

  /** Registers an email address. Throws `bad-request` if the user has one. */
  async addEmail(subject: MethodSubject, { emailAddress }: MethodBodies['addEmailMethod']): Promise<void> {
    const { user } = subject;
    if (user.profile.directory?.email !== undefined) {
      throw badField('emailAddress', 'the user already has an email address; remove it first');
    }
    await this.#record(subject, [toDirectoryChange(user, { ...user.profile.directory, email: emailAddress })]);
  }

  /** Creates a temporary access pass and returns its code, which is not stored. Throws `bad-request`. */
  async addAccessPass(subject: MethodSubject, body: MethodBodies['addTemporaryAccessPass']): Promise<string> {
    const { view, user } = subject;
    const policy = getConfiguration(view.state, 'TemporaryAccessPass');
    if (!isEnabledFor(policy, user.facts, view.state.tenant)) {
      throw badField('body', 'the policy does not allow temporary access passes for this user');
    }
    const lifetimeInMinutes = body.lifetimeInMinutes ?? policy.defaultLifetimeInMinutes;
    const { minimumLifetimeInMinutes: least, maximumLifetimeInMinutes: most } = policy;
    if (lifetimeInMinutes < least || lifetimeInMinutes > most) {
      throw badField('lifetimeInMinutes', `${lifetimeInMinutes} is not from ${least} to ${most}, as the policy allows`);
    }
    const isUsableOnce = body.isUsableOnce ?? policy.isUsableOnce;
    if (policy.isUsableOnce && !isUsableOnce) {
      throw badField('isUsableOnce', 'false is not allowed: the policy allows only passes that are usable once');
    }
    const nowMs = this.nowMs();
    const startMs = parseInstant(body.startDateTime ?? '') ?? nowMs;
    await this.#record(subject, [
      toDirectoryChange(user, {
        ...user.profile.directory,
        temporaryAccessPass: {
          createdDateTime: toInstant(nowMs),
          startDateTime: toInstant(startMs),
          lifetimeInMinutes,
          isUsableOnce,
        },
      }),
    ]);
    return createPassCode(`${view.state.seed} ${view.seq} ${user.facts.id}`, policy.defaultLength);
  }

  /** Throws `bad-request` if the policy does not let users register passkeys themselves, which this API requires too. */
  requirePasskeys({ view, user }: Pick<MethodSubject, 'view' | 'user'>): void {
    const { tenant } = view.state;
    const { fido2 } = tenant.methodsPolicy;
    if (!isEnabledFor(fido2, user.facts, tenant))
      throw badField('body', 'the policy does not allow passkeys for this user');
    if (!fido2.selfService) throw badField('body', 'self-service setup of passkeys is off');
  }

  /** Registers a verified passkey. Throws `bad-request` if its id is taken or the policy does not allow it. */
  async addPasskey(subject: MethodSubject, { passkey, credential, attested }: MadePasskey): Promise<void> {
    const { state } = subject.view;
    if (isCredentialTaken(state, credential.id)) {
      throw badField('publicKeyCredential.id', 'a user already has a passkey with this id');
    }
    if (!mayRegister(state.tenant, subject.user.facts, { type: passkey.type, attested })) {
      throw badField(
        'publicKeyCredential',
        'the policy does not allow this passkey: its type, its model or its attestation',
      );
    }
    await this.#record(subject, [{ type: 'passkey.added', passkey, credential }]);
  }

  /** Changes directory data of a user. Records nothing if it is unchanged. */
  async changeDirectory(subject: MethodSubject, change: Partial<UserDirectory>): Promise<void> {
    const { directory = {} } = subject.user.profile;
    const changed = { ...directory, ...change };
    if (JSON.stringify(changed) === JSON.stringify(directory)) return;
    await this.#record(subject, [toDirectoryChange(subject.user, changed)]);
  }

  /** Removes a method. Throws `bad-request` for a mobile phone next to an alternate one. */
  async remove(subject: MethodSubject, { source }: MethodObject): Promise<void> {
    await this.#record(subject, listRemovals(subject.user, source));
  }

  /** Records events at once, so they are one commit. */
  async #record({ user, caller }: MethodSubject, events: readonly PartialEvent[]): Promise<void> {
    const change: UserChange = { userId: user.facts.id, caller: toChangeCaller(caller) };
    const pending = events.map((event) => {
      const safe = this.#recorder.record({ ...event, ...change } as JournalEvent);
      this.#onRecorded(this.#recorder.state().lastSeq);
      return safe;
    });
    await Promise.all(pending);
  }
}

type MethodEvent = Extract<
  JournalEvent,
  { type: 'method.added' | 'method.removed' | 'passkey.added' | 'passkey.removed' | 'user.directoryChanged' }
>;
type WithoutUser<Event> = Event extends unknown ? Omit<Event, 'userId' | 'caller'> : never;

/** Event without its user and caller, which are those of the request. */
type PartialEvent = WithoutUser<MethodEvent>;

/** Returns the caller of a change as the journal stores it. */
export function toChangeCaller({ kind, subject }: Caller): ChangeCaller {
  return { kind: kind === 'delegated' ? 'user' : 'app', id: subject };
}

function toDirectoryChange(_user: UserRecord, directory: UserDirectory): PartialEvent {
  return { type: 'user.directoryChanged', directory };
}

function listRemovals(user: UserRecord, source: MethodObject['source']): readonly PartialEvent[] {
  switch (source.kind) {
    case 'fact':
      return [{ type: 'method.removed', method: source.method }];
    case 'passkey':
      return [{ type: 'passkey.removed', place: source.place }];
    case 'email':
      return [toDirectoryChange(user, without(user.profile.directory, 'email'))];
    case 'access-pass':
      return [toDirectoryChange(user, without(user.profile.directory, 'temporaryAccessPass'))];
    case 'phone':
      return listPhoneRemovals(user, source.phone);
    case 'password':
      return [];
  }
}

/**
 * Returns the events that remove a telephone. A telephone that a fact stands for is removed by the fact alone, as on the
 * page, and its number stays in the directory.
 */
function listPhoneRemovals(
  user: UserRecord,
  phone: ReturnType<typeof listPhoneTypes>[number],
): readonly PartialEvent[] {
  const phones = listPhoneTypes(user);
  const { directory } = user.profile;
  if (phone === 'mobile') {
    if (phones.includes('alternateMobile')) {
      throw badField(
        'method',
        'the mobile phone cannot be removed while an alternate mobile phone exists; remove that first',
      );
    }
    const keepsCalls = phones.includes('office') || !user.facts.methods.includes('voice');
    return [
      { type: 'method.removed', method: 'sms' },
      ...(keepsCalls ? [] : [{ type: 'method.removed', method: 'voice' } as const]),
    ];
  }
  if (phone === 'office' && !phones.includes('mobile')) return [{ type: 'method.removed', method: 'voice' }];
  return [toDirectoryChange(user, { ...directory, phones: without(directory?.phones, phone) })];
}

function without<T extends object, Key extends keyof T>(values: T | undefined, key: Key): Omit<T, Key> {
  const { [key]: _removed, ...rest } = values ?? ({} as T);
  return rest;
}

/** Characters of a pass, without those that look alike. */
const passCharacters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

function createPassCode(seed: string, length: number): string {
  const draw = randomSource(fnv1a32(seed));
  const characters = Array.from({ length }, () => passCharacters[Math.floor(draw() * passCharacters.length)] ?? '');
  return characters.join('');
}

/** Returns the error for a field with its location. */
export function badField(location: string, message: string): NudgeLabError {
  return new NudgeLabError('bad-request', { problems: [{ location, message }] });
}

/**
 * Checks the type that a client sent with a resource, without regard to its case and namespace.
 *
 * @throws NudgeLabError `bad-request` for another type
 */
export function requireType(
  given: string | undefined,
  wanted: string,
  { dialect }: DirectoryView,
  location = '',
): void {
  if (given === undefined) return;
  if (dialect.fromWireType(given) === wanted.toLowerCase()) return;
  throw badField(`${location}@odata.type`, `"${given.slice(0, 100)}" is not ${dialect.toWireType(wanted)}`);
}
