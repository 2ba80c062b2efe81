import type { Passkey, RegisteredMethod } from '../../machines/vocabulary.ts';
import { isOnDevice } from '../contract/passkey-type-detection.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { UserRecord } from '../journal/state.ts';
import { unknownUser } from './explain.ts';
import { offersUpgrade } from './passkey-upgrade.ts';
import {
  getAttestation,
  isCredentialTaken,
  listPasskeys,
  type MadePasskey,
  mayRegister,
  newTestCredential,
  type StoredPasskey,
} from './passkeys.ts';
import type { Recorder } from './recorder.ts';

/**
 * Changes that users make to their own methods outside a prompt. Open prompts for a registered method are resolved
 * (A27).
 */
export class SecurityInfo {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Registers a method. Registering an existing method has no effect. Throws `user-not-found`. */
  async addMethod(userId: string, method: RegisteredMethod): Promise<void> {
    if (this.#getRecord(userId).facts.methods.includes(method)) return;
    await this.#recorder.record({ type: 'method.added', userId, method });
  }

  /**
   * Registers a passkey. Throws `user-not-found`, `credential-taken` if a user already has its credential id, or
   * `passkey-not-allowed` if the policy does not allow it.
   */
  async addPasskey(userId: string, { passkey, credential, attested }: MadePasskey): Promise<void> {
    const { facts } = this.#getRecord(userId);
    if (isCredentialTaken(this.#recorder.state(), credential.id)) throw new NudgeLabError('credential-taken');
    if (!mayRegister(this.#recorder.state().tenant, facts, { type: passkey.type, attested })) {
      throw new NudgeLabError('passkey-not-allowed');
    }
    await this.#recorder.record({ type: 'passkey.added', userId, passkey, credential });
  }

  /** Returns true if the last page of a sign-in lets the browser create a passkey automatically. */
  offersUpgrade(signInId: string): boolean {
    return offersUpgrade(this.#recorder.state(), signInId);
  }

  /**
   * Creates a passkey with a test credential automatically at the end of a sign-in, as an authenticator of this type
   * would. Returns false if the page does not offer it, or if the authenticator does not support it or already has a
   * passkey. Throws `passkey-not-allowed` if the policy does not allow the passkey.
   */
  async upgrade(signInId: string, passkey: Passkey): Promise<boolean> {
    const state = this.#recorder.state();
    const { userId = '', evaluation } = state.signIns.get(signInId) ?? {};
    const { os = 'windows' } = evaluation?.facts.attempt ?? {};
    const isHeld = this.#getRecord(userId).facts.passkeys.some(
      ({ type, deviceId }) => type === passkey.type && deviceId === passkey.deviceId,
    );
    if (isHeld || !isOnDevice(passkey.type, os) || !this.offersUpgrade(signInId)) return false;
    const nowMs = this.#recorder.nowMs();
    const attestation = getAttestation(state.settings, passkey.type, { os, nowMs });
    if (attestation === 'refused') throw new NudgeLabError('passkey-not-allowed');
    const credential = newTestCredential(passkey.type, `${state.seed} ${userId} upgrade ${state.lastSeq}`, nowMs);
    const made = { passkey: { ...passkey, credentialId: credential.id }, credential };
    await this.addPasskey(userId, { ...made, attested: attestation === 'trusted' });
    return true;
  }

  /** Removes one passkey by its position in the list, from 0. Throws `user-not-found` or `bad-request`. */
  async removePasskey(userId: string, place: number): Promise<void> {
    if (this.#passkeys(userId)[place] === undefined) throw noPasskey();
    await this.#recorder.record({ type: 'passkey.removed', userId, place });
  }

  /** Renames a passkey that was created on a page. Throws `user-not-found` or `bad-request`. */
  async renamePasskey(userId: string, place: number, name: string): Promise<void> {
    const { credentialId } = this.#passkeys(userId)[place]?.passkey ?? {};
    if (credentialId === undefined) throw noPasskey();
    await this.#recorder.record({ type: 'passkey.renamed', userId, credentialId, name });
  }

  #passkeys(userId: string): readonly StoredPasskey[] {
    return listPasskeys(this.#recorder.state(), this.#getRecord(userId));
  }

  #getRecord(userId: string): UserRecord {
    const user = this.#recorder.state().users.get(userId);
    if (user === undefined) throw unknownUser(userId);
    return user;
  }
}

function noPasskey(): NudgeLabError {
  return new NudgeLabError('bad-request', { message: 'This passkey is not registered for the user.' });
}
