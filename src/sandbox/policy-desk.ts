import type { Recorder } from './recorder.ts';
import type { Caller } from './token-desk.ts';

/** An answer of the policy API. */
export interface PolicyAnswer {
  readonly status: 200 | 204;
  /** The whole policy on the wire; absent for 204. */
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly etag: string;
}

/** The policy API of one sandbox without its HTTP. */
export class PolicyDesk {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Reads the policy. Throws `access-denied`. */
  read(_caller: Caller): PolicyAnswer {
    void this.#recorder;
    throw new Error('replaced by the policy work');
  }

  /** Updates the policy. */
  async update(
    _caller: Caller,
    _body: unknown,
    _headers: { readonly ifMatch?: string; readonly prefer?: string },
  ): Promise<PolicyAnswer> {
    throw new Error('replaced by the policy work');
  }
}
