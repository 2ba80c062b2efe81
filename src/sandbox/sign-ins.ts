import type { OwnVerdict } from '../../machines/own/evaluate-own.ts';
import { interstitialScreens, type Screen, setupScreens } from '../../machines/sign-in.machine.ts';
import type { AttemptFacts, Passkey, Verdict } from '../../machines/vocabulary.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import type { CredentialUse, PasskeyCredential } from '../contract/credential.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { openPromptsMax } from '../core/limits.ts';
import { mergePatch } from '../core/merge-patch.ts';
import { dueFault } from '../journal/faults.ts';
import type { EventType, JournalEntry, JournalEvent, SignInOrigin } from '../journal/journal-event.ts';
import { getScreen, type SignInRecord, type UserRecord } from '../journal/state.ts';
import { contextFor } from './context.ts';
import { refuseAttempt } from './declared-facts.ts';
import { unknownUser, withDerivedTypeWarnings } from './explain.ts';
import { listSignIns, type SignInFilter } from './list-sign-ins.ts';
import { evaluateAgain, toVerdict } from './own-explain.ts';
import { getAttestation, isCredentialTaken, type MadePasskey, mayRegister } from './passkeys.ts';
import type { Recorder } from './recorder.ts';
import {
  createScreenRefusal,
  createSkipRefusal,
  createUnknownSignIn,
  findObstacle,
  refuseUnknownAnswer,
} from './sign-in-refusals.ts';
import { createSignInView, type SignInDetail, type SignInView } from './sign-in-view.ts';
import { traceEvaluation } from './telemetry-spans.ts';

type PromptAnswer = Extract<EventType, 'prompt.nextSelected' | 'setup.failed'>;

/** Sign-ins of one sandbox. Every method represents one user action on a page. */
export class SignIns {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /**
   * Starts a sign-in of a user. The preset for the next sign-in takes precedence over `attempt`, and both over the
   * settings of the tenant. Missing facts are completed at the evaluation. Throws `user-not-found`,
   * `too-many-prompts`, or `bad-request` for a network that is not a named location of the tenant.
   *
   * @param origin - application of the sign-in, which only the sign-in log shows
   */
  async start(
    userId: string,
    attempt: AttemptInput = {},
    origin: Omit<SignInOrigin, 'network'> = {},
  ): Promise<SignInView> {
    const state = this.#recorder.state();
    const user = state.users.get(userId);
    if (user === undefined) throw unknownUser(userId);
    const openPrompts = state.own?.users.get(userId)?.prompts ?? user.nudge.context.openPrompts;
    if (openPrompts.length >= openPromptsMax) throw new NudgeLabError('too-many-prompts');
    const signInId = `s${state.lastSeq + 1}`;
    const said = mergePatch(attempt, state.nextSignIns.get(userId) ?? {}, 'keep') as AttemptInput;
    refuseAttempt(state, said);
    const { network } = said;
    const known: SignInOrigin = { ...origin, ...(network === undefined ? {} : { network }) };
    return this.#record({
      type: 'signIn.started',
      signInId,
      userId,
      attempt: contextFor(state, userId, said),
      ...(Object.keys(known).length === 0 ? {} : { origin: known }),
    });
  }

  /** Accepts the password. Throws `unexpected-screen` if the sign-in is not at the password screen. */
  async acceptPassword(signInId: string): Promise<SignInView> {
    this.#at(signInId, 'password');
    return this.#record({ type: 'password.accepted', signInId });
  }

  /**
   * Completes the second factor, here or at the external provider. Throws `unexpected-screen`,
   * `second-factor-rejected` if a fault lost the code or denied the push notification, or `second-factor-pending` if
   * a fault kept the notification from arriving.
   */
  async completeMfa(signInId: string): Promise<SignInView> {
    const signIn = this.#at(signInId, 'mfa', 'externalMfa');
    const obstacle = getScreen(signIn) === 'mfa' ? findObstacle(signIn, this.#user(signIn)) : null;
    if (obstacle !== null) throw new NudgeLabError(obstacle);
    return this.#record({ type: 'mfa.completed', signInId });
  }

  /**
   * Completes the MFA with a verified passkey, which counts as both factors, so no password is required (A22). Throws
   * `unexpected-screen`.
   */
  async usePasskey(signInId: string, used: CredentialUse): Promise<SignInView> {
    this.#at(signInId, 'password', 'mfa', 'mfaChoice');
    return this.#record({ type: 'mfa.completed', signInId, used });
  }

  /** Opens the list of second-factor methods. Throws `unexpected-screen`. */
  async openMfaChoice(signInId: string): Promise<SignInView> {
    this.#at(signInId, 'mfa');
    return this.#record({ type: 'mfa.methodListOpened', signInId });
  }

  /**
   * Selects a second-factor method and sends its code or notification. Throws `unexpected-screen`, or `bad-request`
   * for an unregistered method.
   */
  async chooseMfaMethod(signInId: string, method: string): Promise<SignInView> {
    this.#at(signInId, 'mfaChoice');
    const chosen = this.view(signInId).mfaMethods.find((candidate) => candidate === method);
    if (chosen === undefined)
      throw new NudgeLabError('bad-request', { message: 'This method is not registered for the user.' });
    return this.#record({ type: 'mfa.methodChosen', signInId, method: chosen });
  }

  /** Sends a code again. Throws `unexpected-screen`. */
  async sendCode(signInId: string): Promise<SignInView> {
    this.#at(signInId, 'mfa');
    return this.#record({ type: 'code.sent', signInId });
  }

  /**
   * Sends a push notification to the authenticator app, either again or to test the app during setup. Throws
   * `unexpected-screen`.
   */
  async sendPush(signInId: string): Promise<SignInView> {
    this.#answerable(signInId, 'mfa', 'setup', 'setupTest');
    return this.#record({ type: 'push.sent', signInId });
  }

  /**
   * Records the user's response to the push notification on the phone. Throws `unexpected-screen` if none is pending,
   * or `bad-request` for a number that the page does not show. In the latter case the notification stays pending.
   *
   * @param approved - true if the user approved the sign-in
   * @param number - number entered for number matching
   */
  async answerPush(signInId: string, approved: boolean, number: string | null): Promise<SignInView> {
    const { push } = this.view(signInId);
    if (push?.answer !== 'waiting' || push.lost === true) {
      throw new NudgeLabError('unexpected-screen', { message: 'This sign-in has no pending request to approve.' });
    }
    if (approved && number !== push.number) {
      throw new NudgeLabError('bad-request', {
        problems: [{ location: 'number', message: 'must be the number shown on the sign-in page' }],
      });
    }
    return this.#record({ type: 'push.answered', signInId, approved });
  }

  /** Continues after terms of use or another interstitial page. Throws `unexpected-screen`. */
  async passInterstitial(signInId: string): Promise<SignInView> {
    const { evaluation } = this.#at(signInId, ...interstitialScreens);
    if (evaluation?.outcome === 'blocked') {
      throw new NudgeLabError('unexpected-screen', { message: 'The sign-in is blocked and cannot continue.' });
    }
    return this.#record({ type: 'interstitial.passed', signInId });
  }

  /**
   * Selects "Next" on the prompt, or "try again" on the error screen. Throws `prompt-expired` or `unexpected-screen`.
   */
  async selectNext(signInId: string): Promise<SignInView> {
    const signIn = this.#answerable(signInId, 'prompt', 'required', ...setupScreens, 'errorScreen', 'resolved');
    return this.#answer('prompt.nextSelected', signIn);
  }

  /**
   * Skips the prompt. Skipping a completed prompt has no effect (A26), and skipping an expired one is not counted
   * (A40). Throws `skip-not-allowed` if no snoozes are left (A1, A39, A42). The rejected skip is recorded too, and
   * the user is not signed in.
   *
   * @param answer - answer of an own campaign, by default the first one; another one is a `bad-request`
   */
  async skip(signInId: string, answer?: string): Promise<SignInView> {
    const signIn = this.#getRecord(signInId);
    refuseUnknownAnswer(this.#recorder.state(), answer);
    if (getScreen(signIn) === 'signedIn') return this.view(signInId);
    this.#at(signInId, 'prompt', 'required', ...setupScreens, 'expired', 'resolved');
    const late = getScreen(signIn) === 'expired';
    const given = answer === undefined ? {} : { answer };
    const view = await this.#record({ type: 'prompt.skipped', ...given, ...createAnswer(signIn) });
    if (view.screen === 'required' || view.screen === 'expired') throw createSkipRefusal(view);
    return { ...view, late };
  }

  /**
   * Completes the setup. Throws `prompt-expired` or `unexpected-screen`.
   *
   * @param passkey - created passkey, or `null` for the app. A passkey without a device belongs to the device of the
   *   sign-in.
   */
  async completeSetup(signInId: string, passkey: Passkey | null): Promise<SignInView> {
    const signIn = this.#answerable(signInId, 'setup', 'setupTest');
    const own = this.view(signInId).own?.method;
    const method = own?.id ?? signIn.evaluation?.campaign.method ?? null;
    if ((passkey !== null) !== (own === undefined ? method === 'fido2' : own.kind === 'passkey')) {
      throw new NudgeLabError('bad-request', { message: `The prompt is for ${method}.` });
    }
    const isAdmitted = passkey === null || own !== undefined || this.#admitsUnseen(signIn, passkey);
    const fails = this.#isToFail(signIn) || !isAdmitted;
    if (fails) return this.#answer('setup.failed', signIn);
    return this.#record({ type: 'setup.completed', passkey, ...createAnswer(signIn) });
  }

  /**
   * Stores a passkey that was created and verified, and requests its name next. The setup fails if the policy does
   * not allow the passkey or if a user already has its credential id. Throws `prompt-expired` or `unexpected-screen`.
   */
  async keepMadePasskey(signInId: string, { passkey, credential, attested }: MadePasskey): Promise<SignInView> {
    const signIn = this.#answerable(signInId, 'setup');
    // The policy of the tenant belongs to registration campaigns (OC56).
    const isAdmitted = this.#recorder.state().own !== null || this.#admits(signIn, passkey, attested);
    if (this.#isTaken(credential) || !isAdmitted) return this.#answer('setup.failed', signIn);
    return this.#record({ type: 'passkey.created', passkey, credential, ...createAnswer(signIn) });
  }

  /** Names and registers the created passkey. Throws `prompt-expired` or `unexpected-screen`. */
  async namePasskey(signInId: string, name: string): Promise<SignInView> {
    const signIn = this.#answerable(signInId, 'setupName');
    const { made } = signIn.factors;
    if (made === null)
      throw new NudgeLabError('unexpected-screen', { message: 'No new passkey is waiting for a name.' });
    const { passkey, credential } = made;
    // Another user may have registered the same credential in the meantime.
    if (this.#isToFail(signIn) || this.#isTaken(credential)) return this.#answer('setup.failed', signIn);
    return this.#record({
      type: 'setup.completed',
      passkey,
      credential: { ...credential, name },
      ...createAnswer(signIn),
    });
  }

  /** Fails the setup and shows the error screen. Throws `prompt-expired` or `unexpected-screen`. */
  async failSetup(signInId: string): Promise<SignInView> {
    const signIn = this.#answerable(signInId, 'setup', 'setupTest', 'setupName');
    return this.#answer('setup.failed', signIn);
  }

  /**
   * Skips the error screen. The user is signed in, and nothing is counted (R11.8, A12, A13), even after the prompt
   * expired.
   */
  async skipError(signInId: string): Promise<SignInView> {
    const signIn = this.#getRecord(signInId);
    if (getScreen(signIn) === 'expired') return this.skip(signInId);
    this.#at(signInId, 'errorScreen', 'resolved');
    const view = await this.#record({ type: 'errorScreen.skipped', ...createAnswer(signIn) });
    if (view.screen === 'errorScreen') throw createSkipRefusal(view);
    return view;
  }

  /** Records the unload beacon of the page (A41). A beacon of a completed or expired prompt is ignored (A25). */
  async leave(signInId: string): Promise<SignInView> {
    const signIn = this.#getRecord(signInId);
    if (!this.#recorder.state().promptEnds.has(signInId)) return this.view(signInId);
    return this.#record({ type: 'browser.closed', ...createAnswer(signIn) });
  }

  /** Withdraws a pending close after the page was loaded again (A41). Without a pending close nothing is recorded. */
  async comeBack(signInId: string): Promise<SignInView> {
    const signIn = this.#getRecord(signInId);
    const { own } = this.#recorder.state();
    const user = this.#user(signIn);
    const open = own?.users.get(signIn.userId)?.prompts ?? user.nudge.context.openPrompts;
    const prompt = open.find(({ id }) => id === signInId);
    if (prompt === undefined || prompt.leftAtMs === null) return this.view(signInId);
    return this.#record({ type: 'prompt.resumed', ...createAnswer(signIn) });
  }

  /** Returns one sign-in, or `null` if it is not stored. */
  find(signInId: string): SignInView | null {
    return this.#recorder.state().signIns.has(signInId) ? this.view(signInId) : null;
  }

  /**
   * Returns the facts that a sign-in was evaluated on, or `null` if it was not evaluated yet. Throws
   * `sign-in-not-found`.
   */
  attempt(signInId: string): AttemptFacts | null {
    return this.#getRecord(signInId).evaluation?.facts.attempt ?? null;
  }

  /** Returns one sign-in. Throws `sign-in-not-found`. */
  view(signInId: string): SignInView {
    const signIn = this.#getRecord(signInId);
    return createSignInView(this.#recorder.state(), signIn, this.#user(signIn));
  }

  /**
   * Returns stored sign-ins, newest first, optionally of one user or only those started before another. `limit` is
   * their maximum number.
   */
  list(filter: SignInFilter): readonly SignInView[] {
    return listSignIns(this.#recorder.state(), filter);
  }

  /** Returns one sign-in with its events and the complete evaluation trace. Throws `sign-in-not-found`. */
  async detail(signInId: string): Promise<SignInDetail> {
    const signIn = this.#getRecord(signInId);
    const { evaluation } = signIn;
    return {
      signIn: this.view(signInId),
      attempt: evaluation?.facts.attempt ?? null,
      verdict: this.verdict(signInId),
      events: await this.#entries(signIn),
    };
  }

  /**
   * Evaluates a sign-in again on its stored facts. Returns `null` if it was not evaluated yet. Throws
   * `sign-in-not-found`.
   */
  verdict(signInId: string): Verdict | null {
    const signIn = this.#getRecord(signInId);
    const { evaluation } = signIn;
    if (evaluation === null) return null;
    const state = this.#recorder.state();
    const ofOwn = evaluateAgain(state.own, evaluation);
    if (ofOwn !== null) return toVerdict(ofOwn, state);
    const { model, ruleset } = state;
    const verdict = model.evaluate(evaluation.facts, ruleset);
    return withDerivedTypeWarnings(verdict, evaluation.facts.user, this.#user(signIn));
  }

  /** Returns the verdict of a sign-in by an own campaign, or `null` if there is none. Throws `sign-in-not-found`. */
  ownVerdict(signInId: string): OwnVerdict | null {
    return evaluateAgain(this.#recorder.state().own, this.#getRecord(signInId).evaluation);
  }

  async #entries(signIn: SignInRecord): Promise<readonly JournalEntry[]> {
    const { store, sandboxId } = this.#recorder;
    const entries: JournalEntry[] = [];
    for (const seq of signIn.entries) entries.push(...(await store.entries(sandboxId, { after: seq - 1, limit: 1 })));
    return entries;
  }

  async #answer(type: PromptAnswer, signIn: SignInRecord): Promise<SignInView> {
    return this.#record({ type, ...createAnswer(signIn) });
  }

  async #record(event: Extract<JournalEvent, { signInId: string }>): Promise<SignInView> {
    const { signInId } = event;
    return traceEvaluation(this, signInId, () => this.#recorder.recordAndSay(event, () => this.view(signInId)));
  }

  #isTaken({ id }: PasskeyCredential): boolean {
    return isCredentialTaken(this.#recorder.state(), id);
  }

  /**
   * Returns true if a passkey without a real authenticator would be registered, with the attestation derived from its
   * type.
   */
  #admitsUnseen(signIn: SignInRecord, passkey: Passkey): boolean {
    const { os = 'windows' } = signIn.evaluation?.facts.attempt ?? {};
    const place = { os, nowMs: this.#recorder.nowMs() };
    const attestation = getAttestation(this.#recorder.state().settings, passkey.type, place);
    return attestation !== 'refused' && this.#admits(signIn, passkey, attestation === 'trusted');
  }

  #admits(signIn: SignInRecord, { type }: Passkey, attested: boolean): boolean {
    return mayRegister(this.#recorder.state().tenant, this.#user(signIn).facts, { type, attested });
  }

  /** Returns true if a fault makes this registration attempt fail and show the error screen (R11.8, A45). */
  #isToFail({ userId }: SignInRecord): boolean {
    return dueFault(this.#recorder.state(), ['registration-fails'], userId) !== null;
  }

  #getRecord(signInId: string): SignInRecord {
    const signIn = this.#recorder.state().signIns.get(signInId);
    if (signIn === undefined) throw createUnknownSignIn(signInId);
    return signIn;
  }

  #user(signIn: SignInRecord): UserRecord {
    const user = this.#recorder.state().users.get(signIn.userId);
    if (user === undefined) throw unknownUser(signIn.userId);
    return user;
  }

  #answerable(signInId: string, ...screens: readonly Screen[]): SignInRecord {
    if (getScreen(this.#getRecord(signInId)) === 'expired') throw new NudgeLabError('prompt-expired');
    return this.#at(signInId, ...screens);
  }

  #at(signInId: string, ...screens: readonly Screen[]): SignInRecord {
    const signIn = this.#getRecord(signInId);
    const screen = getScreen(signIn);
    if (screens.includes(screen)) return signIn;
    throw createScreenRefusal(screen, screens);
  }
}

function createAnswer(signIn: SignInRecord): { signInId: string; verdict: string } {
  return { signInId: signIn.id, verdict: signIn.evaluation?.digest ?? '' };
}
