import type { RegisteredMethod } from '../../machines/vocabulary.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { UserRecord } from '../journal/state.ts';
import { unknownUser } from './explain.ts';
import { type HeldPasskey, heldPasskeys, type MadePasskey, mayRegister } from './passkeys.ts';
import type { Recorder } from './recorder.ts';

/** What users do to their own methods outside a prompt; prompts that ask for what they register resolve (A27). */
export class SecurityInfo {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Registers a method; one that the user holds already changes nothing. Throws `user-unknown`. */
  async addMethod(userId: string, method: RegisteredMethod): Promise<void> {
    if (this.#held(userId).facts.methods.includes(method)) return;
    await this.#recorder.record({ type: 'method.added', userId, method });
  }

  /** Registers a passkey. Throws `user-unknown`, and `registration-refused` for one that the policy does not admit. */
  async addPasskey(userId: string, { passkey, credential, attested }: MadePasskey): Promise<void> {
    const { facts } = this.#held(userId);
    if (!mayRegister(this.#recorder.state().tenant, facts, { type: passkey.type, attested })) {
      throw new NudgeLabError('registration-refused');
    }
    await this.#recorder.record({ type: 'passkey.added', userId, passkey, credential });
  }

  /** Removes one passkey. Takes its place in the list, from 0. Throws `user-unknown` and `bad-request`. */
  async removePasskey(userId: string, place: number): Promise<void> {
    if (this.#passkeys(userId)[place] === undefined) throw noPasskey();
    await this.#recorder.record({ type: 'passkey.removed', userId, place });
  }

  /** Renames one passkey that was made at a page. Throws `user-unknown` and `bad-request`. */
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
