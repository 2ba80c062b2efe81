import { rulesInForce } from '../../machines/ruleset-gates.ts';
import { interstitialScreens, type Screen, setupScreens } from '../../machines/sign-in.machine.ts';
import type { RulesetWords } from '../../machines/verdict-sentences.ts';
import type { Passkey, Verdict } from '../../machines/vocabulary.ts';
import type { AttemptInput } from '../../src/contract/context.schema.ts';
import { toInstantOrNull } from '../../src/core/clock.ts';
import type { EventOf } from '../../src/journal/journal-event.ts';
import { findSnoozeEnd, getNudgeState } from '../../src/journal/state.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { ClockController, type Span } from '../../src/sandbox/clock-controller.ts';
import { unknownUser } from '../../src/sandbox/explain.ts';
import { Recorder } from '../../src/sandbox/recorder.ts';
import { type SignInView, snoozesLeft } from '../../src/sandbox/sign-in-view.ts';
import { SignIns } from '../../src/sandbox/sign-ins.ts';

/** Nudge status of a user. */
export interface PlaygroundStatus {
  readonly state: ReturnType<typeof getNudgeState>;
  readonly snoozes: number;
  readonly snoozesLeft: number | null;
  /** Instant, or `null` if no snooze is running. */
  readonly nextPromptAt: string | null;
}

const sandboxId = 'playground';

/**
 * One tenant in the browser: the recorder, the sign-ins and the clock of a sandbox, with a journal in memory. Rules and state
 * machines are those of the product; tokens, documents and stores are left out.
 */
export class PlaygroundSession {
  readonly #recorder: Recorder;
  readonly #signIns: SignIns;
  readonly #clock: ClockController;

  private constructor(recorder: Recorder) {
    this.#recorder = recorder;
    this.#signIns = new SignIns(recorder);
    this.#clock = new ClockController(recorder);
  }

  /** Starts a session with a frozen clock. */
  static async begin(event: EventOf<'sandbox.created'>): Promise<PlaygroundSession> {
    return new PlaygroundSession(await Recorder.begin(sandboxId, new MemoryStore(), event));
  }

  /** Virtual time in milliseconds since the epoch. */
  get nowMs(): number {
    return this.#clock.nowMs();
  }

  /** Signs a user in with both factors and passes interstitial pages, up to the first page that requires a decision. */
  async signIn(userId: string, attempt: AttemptInput): Promise<SignInView> {
    let view = await this.#signIns.start(userId, attempt);
    const { id } = view;
    if (view.screen === 'password') view = await this.#signIns.acceptPassword(id);
    if (view.screen === 'mfa' || view.screen === 'externalMfa') view = await this.#signIns.completeMfa(id);
    for (let passed = 0; passed < interstitialScreens.length && isInterstitial(view.screen); passed += 1) {
      view = await this.#signIns.passInterstitial(id);
    }
    return view;
  }

  /** Skips the prompt of a sign-in. Throws `skip-not-allowed` and `unexpected-screen`. */
  async skip(signInId: string): Promise<SignInView> {
    return this.#signIns.skip(signInId);
  }

  /** Closes the browser at the prompt of a sign-in. */
  async close(signInId: string): Promise<SignInView> {
    return this.#signIns.leave(signInId);
  }

  /** Registers the targeted method: the passkey, or the authenticator app. Throws `unexpected-screen`. */
  async register(signInId: string, passkey: Passkey): Promise<SignInView> {
    const view = this.#signIns.view(signInId);
    const isAtSetup = (setupScreens as readonly Screen[]).includes(view.screen);
    const { method } = isAtSetup ? view : await this.#signIns.selectNext(signInId);
    return this.#signIns.completeSetup(signInId, method === 'fido2' ? passkey : null);
  }

  /** Advances the clock. */
  async advance(span: Span): Promise<void> {
    await this.#clock.advance(span);
  }

  /** Returns a sign-in as it is now. */
  view(signInId: string): SignInView {
    return this.#signIns.view(signInId);
  }

  /** Returns the verdict of a sign-in, or `null` if the rules were not evaluated. */
  verdict(signInId: string): Verdict | null {
    return this.#signIns.verdict(signInId);
  }

  /** Returns the words of the ruleset in force, for gates that a file states. */
  words(): RulesetWords | undefined {
    return rulesInForce(this.#recorder.state().ruleset, this.nowMs).extension;
  }

  /** Returns the nudge status of a user. Throws `user-not-found`. */
  status(userId: string): PlaygroundStatus {
    const state = this.#recorder.state();
    const user = state.users.get(userId);
    if (user === undefined) throw unknownUser(userId);
    const { count } = user.nudge.context;
    return {
      state: getNudgeState(state, user),
      snoozes: count,
      snoozesLeft: snoozesLeft(state, count),
      nextPromptAt: toInstantOrNull(findSnoozeEnd(state, user)),
    };
  }
}

function isInterstitial(screen: Screen): boolean {
  return (interstitialScreens as readonly Screen[]).includes(screen);
}
