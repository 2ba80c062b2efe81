import { interstitialScreens, type Screen, setupScreens } from '../../machines/sign-in.machine.ts';
import type { AttemptFacts, Passkey, Verdict } from '../../machines/vocabulary.ts';
import { resolveMfaMethod } from '../contract/attempt-facts.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import type { CredentialUse, PasskeyCredential } from '../contract/credential.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { openPromptsMax } from '../core/limits.ts';
import { mergePatch } from '../core/merge-patch.ts';
import { dueFault } from '../journal/faults.ts';
import type { EventType, JournalEntry, JournalEvent } from '../journal/journal-event.ts';
import { getScreen, type SignInRecord, type UserRecord } from '../journal/state.ts';
import { contextFor } from './context.ts';
import { unknownUser, withDerivedTypeWarnings } from './explain.ts';
import { getAttestation, isCredentialTaken, type MadePasskey, mayRegister } from './passkeys.ts';
import type { Recorder } from './recorder.ts';
import { pageNames } from './screen-names.ts';
import { createSignInView, listMfaMethods, type SignInView } from './sign-in-view.ts';

/** A sign-in with all that the rules said and the events it is made of. */
export interface SignInDetail {
  readonly signIn: SignInView;
  readonly attempt: AttemptFacts | null;
  readonly verdict: Verdict | null;
  readonly events: readonly JournalEntry[];
}

type PromptAnswer = Extract<EventType, 'prompt.nextSelected' | 'setup.failed'>;

/** Which sign-ins of a list are wanted: those of a user, and those that began before another. */
export interface SignInFilter {
  readonly userId?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** The sign-ins of one sandbox: each call is one thing a person does at a page. */
export class SignIns {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /**
   * Begins a sign-in of a user, with what is known of the attempt in advance: what was said about the next sign-in comes
   * first, then what is said here, then what the tenant's settings make of it; the rest is filled when it is evaluated.
   * Throws `user-not-found`, `too-many-prompts`, and `bad-request` for a network that the tenant does not name.
   */
  async start(userId: string, attempt: AttemptInput = {}): Promise<SignInView> {
    const state = this.#recorder.state();
    const user = state.users.get(userId);
    if (user === undefined) throw unknownUser(userId);
    if (user.nudge.context.openPrompts.length >= openPromptsMax) throw new NudgeLabError('too-many-prompts');
    const signInId = `s${state.lastSeq + 1}`;
    const said = mergePatch(attempt, state.nextSignIns.get(userId) ?? {}, 'keep') as AttemptInput;
    return this.#record({ type: 'signIn.started', signInId, userId, attempt: contextFor(state, userId, said) });
  }

  /** The password was right. Throws `unexpected-screen` when the sign-in is not at the password. */
  async acceptPassword(signInId: string): Promise<SignInView> {
    this.#at(signInId, 'password');
    return this.#record({ type: 'password.accepted', signInId });
  }

  /**
   * The second factor was right, here or at the other provider. Throws `unexpected-screen`; `second-factor-rejected` where a fault
   * swallowed the code or denied the request, and `second-factor-pending` where one kept the request from coming.
   */
  async completeMfa(signInId: string): Promise<SignInView> {
    const signIn = this.#at(signInId, 'mfa', 'externalMfa');
    const obstacle = getScreen(signIn) === 'mfa' ? obstacleTo(signIn, this.#user(signIn)) : null;
    if (obstacle !== null) throw new NudgeLabError(obstacle);
    return this.#record({ type: 'mfa.completed', signInId });
  }

  /** A passkey was verified: it is both factors, so that no password is asked for (A22). Throws `unexpected-screen`. */
  async usePasskey(signInId: string, used: CredentialUse): Promise<SignInView> {
    this.#at(signInId, 'password', 'mfa', 'mfaChoice');
    return this.#record({ type: 'mfa.completed', signInId, used });
  }

  /** The user asked for another way to give the second factor. Throws `unexpected-screen`. */
  async openMfaChoice(signInId: string): Promise<SignInView> {
    this.#at(signInId, 'mfa');
    return this.#record({ type: 'mfa.methodListOpened', signInId });
  }

  /** The user chose a method; its code or request is sent. Throws `unexpected-screen`, and `bad-request` for a method not held. */
  async chooseMfaMethod(signInId: string, method: string): Promise<SignInView> {
    const signIn = this.#at(signInId, 'mfaChoice');
    const chosen = listMfaMethods(this.#user(signIn)).find((held) => held === method);
    if (chosen === undefined) throw new NudgeLabError('bad-request', { message: 'The user has no such method.' });
    return this.#record({ type: 'mfa.methodChosen', signInId, method: chosen });
  }

  /** A code is sent again. Throws `unexpected-screen`. */
  async sendCode(signInId: string): Promise<SignInView> {
    this.#at(signInId, 'mfa');
    return this.#record({ type: 'code.sent', signInId });
  }

  /** A request is sent to the authenticator app: again, or to try the one being set up. Throws `unexpected-screen`. */
  async sendPush(signInId: string): Promise<SignInView> {
    this.#answerable(signInId, 'mfa', 'setup', 'setupTest');
    return this.#record({ type: 'push.sent', signInId });
  }

  /**
   * The phone answers the request. Takes whether it was approved, and the number that was entered with it. Throws
   * `unexpected-screen` when no request waits, `bad-request` for a number that the page does not show: then it still waits.
   */
  async answerPush(signInId: string, approved: boolean, number: string | null): Promise<SignInView> {
    const { push } = this.view(signInId);
    if (push?.answer !== 'waiting' || push.lost === true) {
      throw new NudgeLabError('unexpected-screen', { message: 'No request of this sign-in waits for an answer.' });
    }
    if (approved && number !== push.number) {
      throw new NudgeLabError('bad-request', {
        problems: [{ location: 'number', message: 'it is not the number that the page of the sign-in shows' }],
      });
    }
    return this.#record({ type: 'push.answered', signInId, approved });
  }

  /** The user went on from terms of use or a block. Throws `unexpected-screen`. */
  async passInterstitial(signInId: string): Promise<SignInView> {
    this.#at(signInId, ...interstitialScreens);
    return this.#record({ type: 'interstitial.passed', signInId });
  }

  /** Next on the prompt, or "try again" on the error screen. Throws `prompt-expired` and `unexpected-screen`. */
  async selectNext(signInId: string): Promise<SignInView> {
    const signIn = this.#answerable(signInId, 'prompt', 'required', ...setupScreens, 'errorScreen', 'resolved');
    return this.#answer('prompt.nextSelected', signIn);
  }

  /**
   * "Skip for now". A skip of an answered prompt changes nothing (A26), a late one counts nothing (A40).
   * Throws `skip-not-allowed` when the snoozes are used up (A1, A39, A42): that is an event too, and no one is signed in.
   */
  async skip(signInId: string): Promise<SignInView> {
    const signIn = this.#held(signInId);
    if (getScreen(signIn) === 'signedIn') return this.view(signInId);
    this.#at(signInId, 'prompt', 'required', ...setupScreens, 'expired', 'resolved');
    const late = getScreen(signIn) === 'expired';
    const view = await this.#record({ type: 'prompt.skipped', ...answerOf(signIn) });
    if (view.screen === 'required' || view.screen === 'expired') throw skipRefused(view);
    return { ...view, late };
  }

  /**
   * Setup succeeded. Takes the passkey that was made, or `null` for the app; a passkey without device is of this device.
   * Throws `prompt-expired` and `unexpected-screen`.
   */
  async completeSetup(signInId: string, passkey: Passkey | null): Promise<SignInView> {
    const signIn = this.#answerable(signInId, 'setup', 'setupTest');
    const asked = signIn.evaluation?.campaign.method ?? null;
    if ((passkey === null) !== (asked === 'vendorAuthenticator')) {
      throw new NudgeLabError('bad-request', { message: `The prompt asks for ${asked}.` });
    }
    const fails = this.#isToFail(signIn) || (passkey !== null && !this.#admitsUnseen(signIn, passkey));
    if (fails) return this.#answer('setup.failed', signIn);
    return this.#record({ type: 'setup.completed', passkey, ...answerOf(signIn) });
  }

  /**
   * A passkey was made and verified; its name is asked for next. One that the policy of the tenant does not admit, or whose
   * credential id a user has already, fails the setup. Throws `prompt-expired` and `unexpected-screen`.
   */
  async keepMadePasskey(signInId: string, { passkey, credential, attested }: MadePasskey): Promise<SignInView> {
    const signIn = this.#answerable(signInId, 'setup');
    if (this.#isTaken(credential) || !this.#admits(signIn, passkey, attested))
      return this.#answer('setup.failed', signIn);
    return this.#record({ type: 'passkey.created', passkey, credential, ...answerOf(signIn) });
  }

  /** The passkey that was made gets its name and is registered. Throws `prompt-expired` and `unexpected-screen`. */
  async namePasskey(signInId: string, name: string): Promise<SignInView> {
    const signIn = this.#answerable(signInId, 'setupName');
    const { made } = signIn.factors;
    if (made === null) throw new NudgeLabError('unexpected-screen', { message: 'No passkey waits for a name.' });
    const { passkey, credential } = made;
    // Another user may have registered the same one in the meantime.
    if (this.#isToFail(signIn) || this.#isTaken(credential)) return this.#answer('setup.failed', signIn);
    return this.#record({ type: 'setup.completed', passkey, credential: { ...credential, name }, ...answerOf(signIn) });
  }

  /** Setup failed: the error screen follows. Throws `prompt-expired` and `unexpected-screen`. */
  async failSetup(signInId: string): Promise<SignInView> {
    const signIn = this.#answerable(signInId, 'setup', 'setupTest', 'setupName');
    return this.#answer('setup.failed', signIn);
  }

  /** "Skip" on the error screen: signs in and counts nothing (R11.8, A12, A13), also when it comes late. */
  async skipError(signInId: string): Promise<SignInView> {
    const signIn = this.#held(signInId);
    if (getScreen(signIn) === 'expired') return this.skip(signInId);
    this.#at(signInId, 'errorScreen', 'resolved');
    return this.#record({ type: 'errorScreen.skipped', ...answerOf(signIn) });
  }

  /** The browser said that the page was left (A41). For a prompt that is answered or ended it is ignored (A25). */
  async leave(signInId: string): Promise<SignInView> {
    const signIn = this.#held(signInId);
    if (!this.#recorder.state().promptEnds.has(signInId)) return this.view(signInId);
    return this.#record({ type: 'browser.closed', ...answerOf(signIn) });
  }

  /** The page was loaded again: an unload beacon is withdrawn (A41). Without a mark nothing is recorded. */
  async comeBack(signInId: string): Promise<SignInView> {
    const signIn = this.#held(signInId);
    const prompt = this.#user(signIn).nudge.context.openPrompts.find(({ id }) => id === signInId);
    if (prompt === undefined || prompt.leftAtMs === null) return this.view(signInId);
    return this.#record({ type: 'prompt.resumed', ...answerOf(signIn) });
  }

  /** One sign-in; `null` for one that is not held. */
  find(signInId: string): SignInView | null {
    return this.#recorder.state().signIns.has(signInId) ? this.view(signInId) : null;
  }

  /** The facts that a sign-in was evaluated on; `null` before it was evaluated. Throws `sign-in-not-found`. */
  attempt(signInId: string): AttemptFacts | null {
    return this.#held(signInId).evaluation?.facts.attempt ?? null;
  }

  /** One sign-in. Throws `sign-in-not-found`. */
  view(signInId: string): SignInView {
    const signIn = this.#held(signInId);
    return createSignInView(this.#recorder.state(), signIn, this.#user(signIn));
  }

  /** The sign-ins held, newest first; of one user when named, and those that began before another. Takes how many at most. */
  list({ userId, before, limit }: SignInFilter): readonly SignInView[] {
    const state = this.#recorder.state();
    const views: SignInView[] = [];
    let reached = before === undefined;
    for (const signIn of [...state.signIns.values()].reverse()) {
      if (views.length >= limit) break;
      if (!reached) {
        reached = signIn.id === before;
        continue;
      }
      if (userId !== undefined && signIn.userId !== userId) continue;
      const user = state.users.get(signIn.userId);
      if (user !== undefined) views.push(createSignInView(state, signIn, user));
    }
    return views;
  }

  /** One sign-in with the verdict's whole trace and its events. Throws `sign-in-not-found`. */
  async detail(signInId: string): Promise<SignInDetail> {
    const signIn = this.#held(signInId);
    const { evaluation } = signIn;
    return {
      signIn: this.view(signInId),
      attempt: evaluation?.facts.attempt ?? null,
      verdict: this.verdict(signInId),
      events: await this.#entries(signIn),
    };
  }

  /** The verdict of a sign-in, evaluated again on the facts it was evaluated on; `null` before. Throws `sign-in-not-found`. */
  verdict(signInId: string): Verdict | null {
    const signIn = this.#held(signInId);
    const { evaluation } = signIn;
    if (evaluation === null) return null;
    const { model, ruleset } = this.#recorder.state();
    const verdict = model.evaluate(evaluation.facts, ruleset);
    return withDerivedTypeWarnings(verdict, evaluation.facts.user, this.#user(signIn));
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

  async #record(event: Extract<JournalEvent, { signInId: string }>): Promise<SignInView> {
    return this.#recorder.recordAndSay(event, () => this.view(event.signInId));
  }

  #isTaken({ id }: PasskeyCredential): boolean {
    return isCredentialTaken(this.#recorder.state(), id);
  }

  /** Whether a passkey that no authenticator has made would be registered; what its model attests is taken from its type. */
  #admitsUnseen(signIn: SignInRecord, passkey: Passkey): boolean {
    const { os = 'windows' } = signIn.evaluation?.facts.attempt ?? {};
    const place = { os, nowMs: this.#recorder.nowMs() };
    const attestation = getAttestation(this.#recorder.state().settings, passkey.type, place);
    return attestation !== 'refused' && this.#admits(signIn, passkey, attestation === 'trusted');
  }

  #admits(signIn: SignInRecord, { type }: Passkey, attested: boolean): boolean {
    return mayRegister(this.#recorder.state().tenant, this.#user(signIn).facts, { type, attested });
  }

  /** Whether a fault makes this try to register fail: the error screen follows (R11.8, A45). */
  #isToFail({ userId }: SignInRecord): boolean {
    return dueFault(this.#recorder.state(), ['registration-fails'], userId) !== null;
  }

  #held(signInId: string): SignInRecord {
    const signIn = this.#recorder.state().signIns.get(signInId);
    if (signIn === undefined) throw new NudgeLabError('sign-in-not-found', { message: 'This sign-in is not held.' });
    return signIn;
  }

  #user(signIn: SignInRecord): UserRecord {
    const user = this.#recorder.state().users.get(signIn.userId);
    if (user === undefined) throw unknownUser(signIn.userId);
    return user;
  }

  #answerable(signInId: string, ...screens: readonly Screen[]): SignInRecord {
    if (getScreen(this.#held(signInId)) === 'expired') throw new NudgeLabError('prompt-expired');
    return this.#at(signInId, ...screens);
  }

  #at(signInId: string, ...screens: readonly Screen[]): SignInRecord {
    const signIn = this.#held(signInId);
    const screen = getScreen(signIn);
    if (screens.includes(screen)) return signIn;
    // A page of the same name that is another screen would read as a contradiction.
    const wanted = screens.map((one) => pageNames[one]).filter((name) => name !== pageNames[screen]);
    const message = `The sign-in is at the page ${pageNames[screen]}; this needs ${wanted.join(' or ')}.`;
    throw new NudgeLabError('unexpected-screen', { message });
  }
}

/** What a fault put in the way of the second factor that is asked for; `null` when nothing. */
function obstacleTo(
  { patch, factors }: SignInRecord,
  { facts }: UserRecord,
): 'second-factor-rejected' | 'second-factor-pending' | null {
  const method = resolveMfaMethod(patch, facts);
  if (method === 'sms' || method === 'voice') return factors.codeLost === true ? 'second-factor-rejected' : null;
  if (method !== 'authenticator-push') return null;
  if (factors.push?.lost === true) return 'second-factor-pending';
  return factors.push?.answer === 'denied' ? 'second-factor-rejected' : null;
}

function skipRefused(view: SignInView): NudgeLabError {
  return new NudgeLabError('skip-not-allowed', {
    message: `The ${view.method === 'fido2' ? 'passkey' : 'authenticator app'} has to be registered: no snooze is left.`,
  });
}

function answerOf(signIn: SignInRecord): { signInId: string; verdict: string } {
  return { signInId: signIn.id, verdict: signIn.evaluation?.digest ?? '' };
}
