import { unrepeatableId } from '../../../core/ids.ts';
import { usedChallengesMax } from '../../../core/limits.ts';
import { RecentMap } from '../../../core/recent-map.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { type Sessions, sameText } from '../session.ts';

/** How long a page may be open before its challenge is too old, in ms of virtual time. */
const lifetimeMs = 600_000;

/** Challenges of pages that belong to no running sign-in: each is good once, for a while, in the sandbox that made it. */
export class OneTimeChallenges {
  readonly #sessions: Sessions;
  readonly #used = new RecentMap<string, true>({ max: usedChallengesMax });

  /** Takes what seals for a sandbox. */
  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** A new challenge, base64url. */
  async make(sandbox: Sandbox): Promise<string> {
    const content = `${unrepeatableId()} ${sandbox.clock.nowMs()}`;
    return Buffer.from(`${content} ${await this.#sessions.sealOf(sandbox, content)}`).toString('base64url');
  }

  /** Whether a challenge is one of this sandbox, not too old and not used before; from now on it is used. */
  async use(sandbox: Sandbox, challenge: string): Promise<boolean> {
    const [nonce = '', atMs = '', seal = ''] = Buffer.from(challenge, 'base64url').toString().split(' ');
    if (!sameText(seal, await this.#sessions.sealOf(sandbox, `${nonce} ${atMs}`))) return false;
    const ageMs = sandbox.clock.nowMs() - Number(atMs);
    // Asked and remembered in one go: of two answers that come at the same moment one is too late.
    if (this.#used.has(nonce) || ageMs < 0 || ageMs > lifetimeMs) return false;
    this.#used.set(nonce, true);
    return true;
  }
}
