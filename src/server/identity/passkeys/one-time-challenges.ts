import { machineNowMs } from '../../../core/clock.ts';
import { parseInstantMs } from '../../../core/hmac.ts';
import { randomId } from '../../../core/ids.ts';
import { sameSecret } from '../../../core/secrets.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { GivenChallenge } from '../../../sandbox/used-challenges.ts';
import type { Sessions } from '../session.ts';
import type { GivenChallenges } from './verify.ts';

/** Challenges of pages outside a running sign-in. Each is valid once, for a limited time, in its own sandbox. */
export class OneTimeChallenges {
  readonly #sessions: Sessions;
  readonly #purpose: string;

  /** Creates the challenges of one kind of page. `sessions` signs them, and `purpose` separates them from others. */
  constructor(sessions: Sessions, purpose: string) {
    this.#sessions = sessions;
    this.#purpose = purpose;
  }

  /** Creates a challenge in base64url. `about` binds it to one subject if not every page of this kind may use it. */
  async make(sandbox: Sandbox, about = ''): Promise<string> {
    const content = [randomId(), String(sandbox.clock.nowMs()), String(machineNowMs())] as const;
    return Buffer.from([...content, await this.#createSeal(sandbox, content, about)].join(' ')).toString('base64url');
  }

  /** Returns the verifier for challenges of a sandbox and subject. */
  of(sandbox: Sandbox, about = ''): GivenChallenges {
    const { usedChallenges } = sandbox;
    return {
      wasGiven: async (text) => {
        const challenge = await this.#read(sandbox, text, about);
        return challenge !== null && usedChallenges.mayBeUsed(challenge);
      },
      use: async (text) => {
        const challenge = await this.#read(sandbox, text, about);
        return challenge !== null && usedChallenges.use(challenge);
      },
    };
  }

  #createSeal(sandbox: Sandbox, content: readonly string[], about: string): Promise<string> {
    return this.#sessions.createSeal(sandbox, 'page-challenge', this.#purpose, about, ...content);
  }

  /** Decodes a challenge. Returns `null` if it was not created for this sandbox. */
  async #read(sandbox: Sandbox, text: string, about: string): Promise<GivenChallenge | null> {
    const parts = Buffer.from(text, 'base64url').toString().split(' ');
    const [id = '', givenAtMs = '', givenMadeMs = '', seal = ''] = parts;
    if (parts.length !== 4) return null;
    if (!sameSecret(seal, await this.#createSeal(sandbox, [id, givenAtMs, givenMadeMs], about))) return null;
    const [atMs, madeMs] = [parseInstantMs(givenAtMs), parseInstantMs(givenMadeMs)];
    return atMs === null || madeMs === null ? null : { id, atMs, madeMs };
  }
}
