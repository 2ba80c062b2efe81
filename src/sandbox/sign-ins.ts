import { snoozeLimit } from '../../machines/campaign-limits.ts';
import { judge } from '../../machines/judge.ts';
import { maySnooze } from '../../machines/nudge.machine.ts';
import type { Screen } from '../../machines/sign-in.machine.ts';
import type { AttemptFacts, Passkey, TargetedMethod, Verdict, VerdictOutcome } from '../../machines/vocabulary.ts';
import { type AttemptPatch, completeAttempt } from '../contract/facts.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { openPromptsMax } from '../core/limits.ts';
import type { InputType, JournalEntry, JournalInput } from '../journal/input.ts';
import { isFinished, type SandboxState, type SignInRecord, screenOf, type UserRecord } from '../journal/state.ts';
import type { Recorder } from './recorder.ts';

/** One sign-in as pages, drivers and the control API see it. */
export interface SignInView {
  readonly id: string;
  readonly userId: string;
  readonly startedAtMs: number;
  readonly screen: Screen;
  readonly finished: boolean;
  /** Screens on the way that were not the nudge: terms of use, a blocked registration. */
  readonly interstitials: readonly Screen[];
  /** What the rules said; `null` until they have judged. */
  readonly outcome: VerdictOutcome | null;
  /** The method that the prompt asks for; `null` without a prompt. */
  readonly method: TargetedMethod | null;
  /** Whether a prompt was shown and a skip sent now would be accepted (R6, A39). */
  readonly skippable: boolean;
  /** Snoozes that remain before registration is required; `null` without a limit. */
  readonly snoozesLeft: number | null;
  /** The method of the second factor that the mfa screen asks for. */
  readonly mfaMethod: AttemptFacts['mfa']['method'];
  /** The prompt has come to its end without an answer, or was just skipped after it; that counts nothing (A40). */
  readonly late: boolean;
  /** A prompt that has ended lets the user go on all the same; one that had no way out does not (A1). */
  readonly mayGoOn: boolean;
  readonly deviceId: string;
}

/** A sign-in with all that the rules said and the inputs it is made of. */
export interface SignInDetail {
  readonly signIn: SignInView;
  readonly attempt: AttemptFacts | null;
  readonly verdict: Verdict | null;
  readonly events: readonly JournalEntry[];
}

type PromptAnswer = Extract<InputType, 'prompt.nextSelected' | 'setup.failed'>;

/** The sign-ins of one sandbox: each call is one thing a person does at a page. */
export class SignIns {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /**
   * Begins a sign-in of a user, with what is known of the attempt in advance; the rest is filled when it is judged.
   * Throws `user-unknown` and `too-many-prompts`.
   */
  async start(userId: string, attempt: AttemptPatch = {}): Promise<SignInView> {
    const state = this.#recorder.state();
    const user = state.users.get(userId);
    if (user === undefined) throw unknownUser(userId);
    if (user.nudge.context.openPrompts.length >= openPromptsMax) throw new NudgeLabError('too-many-prompts');
    const signInId = `s${state.lastSeq + 1}`;
    await this.#recorder.record({ type: 'signIn.started', signInId, userId, attempt });
    return this.view(signInId);
  }

  /** The password was right. Throws `wrong-screen` when the sign-in is not at the password. */
  async acceptPassword(signInId: string): Promise<SignInView> {
    this.#at(signInId, 'password');
    return this.#record({ type: 'password.accepted', signInId });
  }

  /** The second factor was right, here or at the other provider. Throws `wrong-screen`. */
  async completeMfa(signInId: string): Promise<SignInView> {
    this.#at(signInId, 'mfa', 'externalMfa');
    return this.#record({ type: 'mfa.completed', signInId });
  }

  /** The user went on from terms of use or a block. Throws `wrong-screen`. */
  async passInterstitial(signInId: string): Promise<SignInView> {
    this.#at(signInId, 'termsOfUse', 'blocked');
    return this.#record({ type: 'interstitial.passed', signInId });
  }

  /** Next on the prompt, or "try again" on the error screen. Throws `prompt-expired` and `wrong-screen`. */
  async selectNext(signInId: string): Promise<SignInView> {
    const signIn = this.#answerable(signInId, 'prompt', 'required', 'setup', 'errorScreen', 'resolved');
    return this.#answer('prompt.nextSelected', signIn);
  }

  /**
   * "Skip for now". A skip of an answered prompt changes nothing (A26), a late one counts nothing (A40).
   * Throws `skip-refused` when the snoozes are used up (A1, A39, A42): that is an input too, and nobody is signed in.
   */
  async skip(signInId: string): Promise<SignInView> {
    const signIn = this.#held(signInId);
    if (screenOf(signIn) === 'signedIn') return this.view(signInId);
    this.#at(signInId, 'prompt', 'required', 'setup', 'expired', 'resolved');
    const late = screenOf(signIn) === 'expired';
    const view = await this.#record({ type: 'prompt.skipped', ...answerOf(signIn) });
    if (view.screen === 'required' || view.screen === 'expired') throw skipRefused(view);
    return { ...view, late };
  }

  /**
   * Set-up succeeded. Takes the passkey that was made, or `null` for the app; a passkey without device is of this device.
   * Throws `prompt-expired` and `wrong-screen`.
   */
  async completeSetup(signInId: string, passkey: Passkey | null): Promise<SignInView> {
    const signIn = this.#answerable(signInId, 'setup');
    return this.#record({ type: 'setup.completed', passkey, ...answerOf(signIn) });
  }

  /** Set-up failed: the error screen follows. Throws `prompt-expired` and `wrong-screen`. */
  async failSetup(signInId: string): Promise<SignInView> {
    const signIn = this.#answerable(signInId, 'setup');
    return this.#answer('setup.failed', signIn);
  }

  /** "Skip" on the error screen: signs in and counts nothing (R11.8, A12, A13), also when it comes late. */
  async skipError(signInId: string): Promise<SignInView> {
    const signIn = this.#held(signInId);
    if (screenOf(signIn) === 'expired') return this.skip(signInId);
    this.#at(signInId, 'errorScreen', 'resolved');
    return this.#record({ type: 'errorScreen.skipped', ...answerOf(signIn) });
  }

  /** The browser said that the page was left (A41). For a prompt that is answered or ended it is ignored (A25). */
  async leave(signInId: string): Promise<SignInView> {
    const signIn = this.#held(signInId);
    if (!this.#recorder.state().promptEnds.has(signInId)) return this.view(signInId);
    return this.#record({ type: 'browser.closed', ...answerOf(signIn) });
  }

  /** The page was loaded again: a leave mark is withdrawn (A41). Without a mark nothing is recorded. */
  async comeBack(signInId: string): Promise<SignInView> {
    const signIn = this.#held(signInId);
    const prompt = this.#user(signIn).nudge.context.openPrompts.find(({ id }) => id === signInId);
    if (prompt === undefined || prompt.leftAtMs === null) return this.view(signInId);
    return this.#record({ type: 'prompt.returned', ...answerOf(signIn) });
  }

  /** One sign-in. Throws `sign-in-unknown`. */
  view(signInId: string): SignInView {
    const signIn = this.#held(signInId);
    return viewOf(this.#recorder.state(), signIn, this.#user(signIn));
  }

  /** The sign-ins held, newest first; of one user when named. Takes how many at most. */
  list(options: { readonly userId?: string; readonly limit: number }): readonly SignInView[] {
    const state = this.#recorder.state();
    const views: SignInView[] = [];
    for (const signIn of [...state.signIns.values()].reverse()) {
      if (views.length >= options.limit) break;
      if (options.userId !== undefined && signIn.userId !== options.userId) continue;
      const user = state.users.get(signIn.userId);
      if (user !== undefined) views.push(viewOf(state, signIn, user));
    }
    return views;
  }

  /** One sign-in with the verdict's whole trace and its inputs. Throws `sign-in-unknown`. */
  async detail(signInId: string): Promise<SignInDetail> {
    const signIn = this.#held(signInId);
    const { judgement } = signIn;
    return {
      signIn: this.view(signInId),
      attempt: judgement?.facts.attempt ?? null,
      verdict: this.verdict(signInId),
      events: await this.#entries(signIn),
    };
  }

  /** The verdict of a sign-in, judged again on the facts it was judged on; `null` before. Throws `sign-in-unknown`. */
  verdict(signInId: string): Verdict | null {
    const { judgement } = this.#held(signInId);
    return judgement === null ? null : judge(judgement.facts, this.#recorder.state().ruleset);
  }

  async #entries(signIn: SignInRecord): Promise<readonly JournalEntry[]> {
    const { store, sandboxId } = this.#recorder;
    const entries: JournalEntry[] = [];
    for (const seq of signIn.entries) entries.push(...(await store.entries(sandboxId, { after: seq - 1, limit: 1 })));
    return entries;
  }

  async #answer(type: PromptAnswer, signIn: SignInRecord): Promise<SignInView> {
    return this.#record({ type, ...answerOf(signIn) });
  }

  async #record(input: Extract<JournalInput, { signInId: string }>): Promise<SignInView> {
    await this.#recorder.record(input);
    return this.view(input.signInId);
  }

  #held(signInId: string): SignInRecord {
    const signIn = this.#recorder.state().signIns.get(signInId);
    if (signIn === undefined) throw new NudgeLabError('sign-in-unknown', { message: 'This sign-in is not held.' });
    return signIn;
  }

  #user(signIn: SignInRecord): UserRecord {
    const user = this.#recorder.state().users.get(signIn.userId);
    if (user === undefined) throw unknownUser(signIn.userId);
    return user;
  }

  #answerable(signInId: string, ...screens: readonly Screen[]): SignInRecord {
    if (screenOf(this.#held(signInId)) === 'expired') throw new NudgeLabError('prompt-expired');
    return this.#at(signInId, ...screens);
  }

  #at(signInId: string, ...screens: readonly Screen[]): SignInRecord {
    const signIn = this.#held(signInId);
    const screen = screenOf(signIn);
    if (screens.includes(screen)) return signIn;
    throw new NudgeLabError('wrong-screen', {
      message: `The sign-in is at ${screen}; this needs ${screens.join(' or ')}.`,
    });
  }
}

/**
 * Judges a sign-in that has not taken place: would this user be asked, on this device, now, and if not, why. Changes nothing.
 * Throws `user-unknown`.
 */
export function explain(state: SandboxState, userId: string, attempt: AttemptPatch, nowMs: number): Verdict {
  const user = state.users.get(userId);
  if (user === undefined) throw unknownUser(userId);
  const facts = { tenant: state.tenant, user: user.facts, attempt: completeAttempt(attempt, user.facts, nowMs) };
  return judge(facts, state.ruleset);
}

/** The error for a user that the sandbox does not hold. */
export function unknownUser(userId: string): NudgeLabError {
  return new NudgeLabError('user-unknown', { message: `This sandbox holds no user "${userId}".` });
}

function skipRefused(view: SignInView): NudgeLabError {
  return new NudgeLabError('skip-refused', {
    message: `The ${view.method === 'fido2' ? 'passkey' : 'authenticator app'} has to be registered: no snooze is left.`,
  });
}

function answerOf(signIn: SignInRecord): { signInId: string; verdict: string } {
  return { signInId: signIn.id, verdict: signIn.judgement?.digest ?? '' };
}

function viewOf(state: SandboxState, signIn: SignInRecord, user: UserRecord): SignInView {
  const screen = screenOf(signIn);
  const { judgement } = signIn;
  const { count } = user.nudge.context;
  const prompted = judgement !== null && judgement.outcome !== 'none';
  const attempt = judgement?.facts.attempt ?? completeAttempt(signIn.patch, user.facts, signIn.startedAtMs);
  return {
    id: signIn.id,
    userId: signIn.userId,
    startedAtMs: signIn.startedAtMs,
    screen,
    finished: isFinished(signIn),
    interstitials: signIn.interstitials,
    outcome: judgement?.outcome ?? null,
    method: prompted ? judgement.campaign.method : null,
    skippable: prompted && maySnooze(count, state.campaign.limited),
    snoozesLeft: snoozesLeft(state, count),
    mfaMethod: attempt.mfa.method,
    late: screen === 'expired',
    mayGoOn: screen === 'expired' && !signIn.screen.context.required,
    deviceId: attempt.deviceId,
  };
}

/** Snoozes that remain before registration is required (R6); `null` without a limit. Takes the state and the count. */
export function snoozesLeft(state: Pick<SandboxState, 'campaign'>, count: number): number | null {
  return state.campaign.limited ? Math.max(0, snoozeLimit - count) : null;
}
