import type { Passkey, RegisteredMethod } from '../../machines/vocabulary.ts';
import { isOnDevice } from '../contract/passkey-type-detection.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { UserRecord } from '../journal/state.ts';
import { unknownUser } from './explain.ts';
import { offersUpgrade } from './passkey-upgrade.ts';
import {
  getAttestation,
  type HeldPasskey,
  heldPasskeys,
  isCredentialTaken,
  type MadePasskey,
  mayRegister,
  newTestCredential,
} from './passkeys.ts';
import type { Recorder } from './recorder.ts';

/** What users do to their own methods outside a prompt; prompts that ask for what they register resolve (A27). */
export class SecurityInfo {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Registers a method; one that the user holds already changes nothing. Throws `user-not-found`. */
  async addMethod(userId: string, method: RegisteredMethod): Promise<void> {
    if (this.#held(userId).facts.methods.includes(method)) return;
    await this.#recorder.record({ type: 'method.added', userId, method });
  }

  /**
   * Registers a passkey. Throws `user-not-found`, `credential-taken` for one whose credential id a user has already, and
   * `passkey-not-allowed` for one that the policy does not admit.
   */
  async addPasskey(userId: string, { passkey, credential, attested }: MadePasskey): Promise<void> {
    const { facts } = this.#held(userId);
    if (isCredentialTaken(this.#recorder.state(), credential.id)) throw new NudgeLabError('credential-taken');
    if (!mayRegister(this.#recorder.state().tenant, facts, { type: passkey.type, attested })) {
      throw new NudgeLabError('passkey-not-allowed');
    }
    await this.#recorder.record({ type: 'passkey.added', userId, passkey, credential });
  }

  /** Whether the last page of a sign-in has the browser create a passkey by itself. */
  offersUpgrade(signInId: string): boolean {
    return offersUpgrade(this.#recorder.state(), signInId);
  }

  /**
   * The browser creates a passkey by itself at the end of a sign-in, as an authenticator of this type would; its credential is a test
   * credential. Returns whether one was created: not where the page does not ask for it, where the authenticator does not do this
   * or has one already. Throws `passkey-not-allowed` for one that the policy does not admit.
   */
  async upgrade(signInId: string, passkey: Passkey): Promise<boolean> {
    const state = this.#recorder.state();
    const { userId = '', evaluation } = state.signIns.get(signInId) ?? {};
    const { os = 'windows' } = evaluation?.facts.attempt ?? {};
    const isHeld = this.#held(userId).facts.passkeys.some(
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

  /** Removes one passkey. Takes its place in the list, from 0. Throws `user-not-found` and `bad-request`. */
  async removePasskey(userId: string, place: number): Promise<void> {
    if (this.#passkeys(userId)[place] === undefined) throw noPasskey();
    await this.#recorder.record({ type: 'passkey.removed', userId, place });
  }

  /** Renames one passkey that was made at a page. Throws `user-not-found` and `bad-request`. */
  async renamePasskey(userId: string, place: number, name: string): Promise<void> {
    const { credentialId } = this.#passkeys(userId)[place]?.passkey ?? {};
    if (credentialId === undefined) throw noPasskey();
    await this.#recorder.record({ type: 'passkey.renamed', userId, credentialId, name });
  }

  #passkeys(userId: string): readonly HeldPasskey[] {
    return heldPasskeys(this.#recorder.state(), this.#held(userId));
  }

  #held(userId: string): UserRecord {
    const user = this.#recorder.state().users.get(userId);
    if (user === undefined) throw unknownUser(userId);
    return user;
  }
}

function noPasskey(): NudgeLabError {
  return new NudgeLabError('bad-request', { message: 'The user has no such passkey.' });
}
