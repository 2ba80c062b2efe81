import { promptEndsAtMs } from '../../machines/nudge.machine.ts';
import { rulesInForce } from '../../machines/ruleset-gates.ts';
import { type InterstitialScreen, interstitialScreens, type Screen } from '../../machines/sign-in.machine.ts';
import type { AttemptFacts, Facts, Reason, Verdict } from '../../machines/vocabulary.ts';
import { completeAttempt, resolveMfaMethod } from '../contract/attempt-facts.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import { unfinishedSignInsMax } from '../core/limits.ts';
import { mergePatch } from '../core/merge-patch.ts';
import { fnv1a32 } from '../core/random.ts';
import { meetOccasion } from './faults.ts';
import type { EventOf, JournalEntry } from './journal-event.ts';
import { answerOwnPrompt, completeOwnSetup, evaluateOwnSignIn, hasOwnCampaign } from './own-campaign-events.ts';
import { moveUser, resolve, settlePendingCloses, timed } from './prompts.ts';
import { moveSignIn, notePromptEnd } from './sign-in-moves.ts';
import {
  getScreen,
  noFactors,
  type PushRequest,
  type SandboxState,
  type SignInRecord,
  type UserRecord,
} from './state.ts';
import { withUsableFactor } from './usable-factor.ts';
import { changeCredential } from './user-events.ts';

/** Starts a sign-in. It settles the user's pending closes (A41) and consumes the settings for the next attempt. */
export function startSignIn(
  state: SandboxState,
  event: EventOf<'signIn.started'>,
  user: UserRecord,
  entry: JournalEntry,
): void {
  settlePendingCloses(state, user, entry.atMs);
  const {
    nowMs: _clockDecides,
    network: _derivedFrom,
    session,
    kind,
    browserId,
    ...patch
  } = mergePatch(event.attempt, state.nextSignIns.get(event.userId) ?? {}, 'keep') as AttemptInput;
  state.nextSignIns.delete(event.userId);
  const signIn: SignInRecord = {
    id: event.signInId,
    userId: event.userId,
    startedAtMs: entry.atMs,
    patch,
    ...(state.own === null ? {} : { session: { session, kind, browserId } }),
    ...(event.origin === undefined ? {} : { origin: event.origin }),
    factors: noFactors,
    screen: state.model.signInSnapshot('name'),
    evaluation: null,
    interstitials: [],
    entries: [entry.seq],
  };
  forgetOldest(state);
  state.signIns.set(signIn.id, signIn);
  if (patch.ssoSession === true) evaluateAttempt(state, signIn, user, entry.atMs);
  else moveSignIn(state, signIn, { type: 'name.accepted' });
}

/** Accepts the password. The second factor follows, or the evaluation if none is required. */
export function acceptPassword(state: SandboxState, signIn: SignInRecord, user: UserRecord, entry: JournalEntry): void {
  const { tenant, ruleset } = state;
  const rules = rulesInForce(ruleset, entry.atMs);
  signIn.patch = withUsableFactor(signIn.patch, { tenant, user: user.facts, rules, nowMs: entry.atMs });
  const mfa = signIn.patch.mfa;
  if (mfa?.completed === false) evaluateAttempt(state, signIn, user, entry.atMs);
  else {
    const externalMfa = mfa?.provider !== undefined && mfa.provider !== 'service';
    moveSignIn(state, signIn, { type: 'password.accepted', externalMfa });
    if (!externalMfa) askForFactor(state, signIn, user);
  }
}

/** Sends the one-time code or push notification that the method of the second factor needs. */
function askForFactor(state: SandboxState, signIn: SignInRecord, user: UserRecord): void {
  const method = resolveMfaMethod(signIn.patch, user.facts);
  if (method === 'sms' || method === 'voice') sendCode(state, signIn);
  if (method === 'authenticator-push') sendPush(state, signIn);
}

/** Changes the method of the second factor to the user's choice. */
export function chooseMethod(
  state: SandboxState,
  signIn: SignInRecord,
  user: UserRecord,
  { method }: EventOf<'mfa.methodChosen'>,
): void {
  signIn.patch = { ...signIn.patch, mfa: { ...signIn.patch.mfa, method } };
  moveSignIn(state, signIn, { type: 'mfa.methodChosen' });
  askForFactor(state, signIn, user);
}

/** Sends a code by text message or voice call; faults can prevent its delivery. */
export function sendCode(state: SandboxState, signIn: SignInRecord): void {
  const { codeLost: _ofTheLast, ...factors } = signIn.factors;
  const lost = meetOccasion(state, ['code-never-arrives'], signIn.userId) !== null;
  signIn.factors = { ...factors, codesSent: factors.codesSent + 1, ...(lost ? { codeLost: true } : {}) };
}

/** Sends a push notification to the authenticator app, for the second factor or to test the app during its setup. */
export function sendPush(state: SandboxState, signIn: SignInRecord): void {
  const sent = (signIn.factors.push?.sent ?? 0) + 1;
  signIn.factors = { ...signIn.factors, push: { sent, ...pushFate(state, signIn) } };
}

const pushFaults = ['push-denied', 'push-never-arrives'] as const;

/**
 * Returns the effect of faults on a push notification. Only notifications of the second factor are affected, because
 * the one that tests an app belongs to its registration.
 */
function pushFate(state: SandboxState, signIn: SignInRecord): Pick<PushRequest, 'answer' | 'lost'> {
  const fault = getScreen(signIn) === 'mfa' ? meetOccasion(state, pushFaults, signIn.userId) : null;
  if (fault?.kind === 'push-denied') return { answer: 'denied' };
  return fault === null ? { answer: 'waiting' } : { answer: 'waiting', lost: true };
}

/** Records the response to a push notification; without a pending one, it has no effect. */
export function answerPush(signIn: SignInRecord, approved: boolean): void {
  const { push } = signIn.factors;
  if (push?.answer !== 'waiting') return;
  signIn.factors = { ...signIn.factors, push: { ...push, answer: approved ? 'approved' : 'denied' } };
}

/** Completes MFA and evaluates the attempt, with the passkey as its method if one was used. */
export function completeMfa(
  state: SandboxState,
  signIn: SignInRecord,
  user: UserRecord,
  { used }: EventOf<'mfa.completed'>,
  nowMs: number,
): void {
  if (used !== undefined) {
    signIn.patch = { ...signIn.patch, mfa: { ...signIn.patch.mfa, provider: 'service', method: 'passkey' } };
    const { credentialId, counter, backedUp } = used;
    changeCredential(user, credentialId, backedUp === undefined ? { counter } : { counter, backedUp });
  }
  evaluateAttempt(state, signIn, user, nowMs);
}

/** Evaluates the attempt once, on the current facts. If a prompt is shown, it opens in the user's lifecycle. */
function evaluateAttempt(state: SandboxState, signIn: SignInRecord, user: UserRecord, nowMs: number): void {
  const attempt = completeAttempt({ ...signIn.patch, nowMs }, user.facts, nowMs);
  const facts = { tenant: state.tenant, user: user.facts, attempt };
  if (hasOwnCampaign(state)) evaluateOwnSignIn(state, signIn, facts);
  else evaluateRules(state, signIn, user, facts);
  state.logObserver?.evaluated(state, signIn);
  const { outcome = 'none', reason = null } = signIn.evaluation ?? {};
  // An own campaign decides itself what a prompt is shown after, so no other page comes before it.
  const isOwnPrompt = state.own !== null && outcome !== 'none';
  moveSignIn(state, signIn, {
    type: 'attempt.evaluated',
    outcome: outcome === 'blocked' ? 'none' : outcome,
    // A blocked sign-in ends on its page, which has no way on.
    interstitials: outcome === 'blocked' ? ['blocked'] : isOwnPrompt ? [] : listInterstitials(attempt, reason),
  });
  noteInterstitial(signIn);
}

/** Evaluates the facts by the rules of the registration campaign, and opens the prompt. */
function evaluateRules(state: SandboxState, signIn: SignInRecord, user: UserRecord, facts: Facts): void {
  const { nowMs } = facts.attempt;
  const verdict = state.model.evaluate(facts, state.ruleset);
  state.observer?.evaluated(verdict);
  const { outcome, reason, campaign } = verdict;
  signIn.evaluation = { facts, outcome, reason, campaign, digest: verdictDigest(verdict) };
  if ((outcome === 'skippable' || outcome === 'required') && campaign.method !== null) {
    const required = outcome === 'required';
    moveUser(state, user, { type: 'prompt.shown', promptId: signIn.id, method: campaign.method, required, nowMs });
    notePromptEnd(state, signIn.id, signIn.userId, promptEndsAtMs({ shownAtMs: nowMs }, state.ruleset.limits));
  }
}

/**
 * Lists the interstitial pages in order. A block page is included only if it is the reason for suppressing the prompt
 * (R13.3).
 */
function listInterstitials(attempt: AttemptFacts, reason: Reason | null): readonly InterstitialScreen[] {
  const shown: Readonly<Record<InterstitialScreen, boolean>> = {
    securityInfo: attempt.registeredThisSession,
    termsOfUse: attempt.termsOfUse,
    customControls: attempt.customControls,
    blocked: reason === 'registration-blocked',
  };
  return interstitialScreens.filter((screen) => shown[screen]);
}

/** Continues from an interstitial page. */
export function passInterstitial(state: SandboxState, signIn: SignInRecord): void {
  if (getScreen(signIn) === 'termsOfUse') state.acceptedTerms.add(signIn.userId);
  moveSignIn(state, signIn, { type: 'interstitial.passed' });
  noteInterstitial(signIn);
}

/** Applies an action at a prompt: the lifecycle determines its effect, and the sign-in follows. */
export function answerPrompt(
  state: SandboxState,
  signIn: SignInRecord,
  user: UserRecord,
  event: EventOf<
    | 'prompt.nextSelected'
    | 'prompt.skipped'
    | 'prompt.resumed'
    | 'browser.closed'
    | 'setup.failed'
    | 'errorScreen.skipped'
  >,
  nowMs: number,
): void {
  const promptId = signIn.id;
  if (event.type === 'setup.failed') meetOccasion(state, ['registration-fails'], signIn.userId);
  if (hasOwnCampaign(state)) return answerOwnPrompt(state, signIn, event, nowMs);
  switch (event.type) {
    case 'prompt.skipped': {
      moveUser(state, user, { type: event.type, promptId, ...timed(state, nowMs, user) });
      const refused = user.nudge.context.openPrompts.some((prompt) => prompt.id === promptId);
      return moveSignIn(state, signIn, { type: event.type, refused });
    }
    case 'errorScreen.skipped':
      moveUser(state, user, { type: event.type, promptId, ...timed(state, nowMs, user) });
      return moveSignIn(state, signIn, { type: event.type });
    case 'setup.failed':
      moveUser(state, user, { type: event.type, promptId });
      return moveSignIn(state, signIn, { type: event.type });
    case 'prompt.nextSelected':
      moveUser(state, user, { type: event.type, promptId });
      return moveSignIn(state, signIn, { type: event.type });
    case 'prompt.resumed':
      moveUser(state, user, { type: event.type, promptId });
      return;
    case 'browser.closed':
      moveUser(state, user, { type: event.type, promptId, nowMs });
      return;
  }
}

/** Completes a setup. The method is then registered, and other open prompts are completed (A27). */
export function completeSetup(
  state: SandboxState,
  signIn: SignInRecord,
  user: UserRecord,
  event: EventOf<'setup.completed'>,
  nowMs: number,
): void {
  meetOccasion(state, ['registration-fails'], signIn.userId);
  const { passkey, credential } = event;
  if (credential !== undefined) user.credentials = [...user.credentials, credential];
  signIn.factors = { ...signIn.factors, made: null };
  if (hasOwnCampaign(state)) {
    completeOwnSetup(state, signIn, passkey, nowMs);
    return moveSignIn(state, signIn, { type: event.type });
  }
  const { methods, passkeys } = user.facts;
  user.facts =
    passkey === null
      ? {
          ...user.facts,
          methods: methods.includes('authenticator-push') ? methods : [...methods, 'authenticator-push'],
        }
      : { ...user.facts, passkeys: [...passkeys, passkey] };
  resolve(state, moveUser(state, user, { type: event.type, promptId: signIn.id }), signIn.id);
  moveSignIn(state, signIn, { type: event.type });
}

/** Stores a created and verified passkey; the user enters its name before it is registered. */
export function keepMadePasskey(
  state: SandboxState,
  signIn: SignInRecord,
  { passkey, credential }: EventOf<'passkey.created'>,
): void {
  signIn.factors = { ...signIn.factors, made: { passkey, credential } };
  moveSignIn(state, signIn, { type: 'passkey.created' });
}

/**
 * Returns a digest of a verdict's effect on the user. Actions contain it, so a replay can detect whether they still
 * apply.
 */
function verdictDigest({ ruleset, edition, outcome, reason, campaign }: Verdict): string {
  const rules = edition === undefined || edition === null ? ruleset : `${ruleset} ${edition}`;
  const meaning = [rules, outcome, reason ?? '', campaign.method ?? '', campaign.limited, campaign.snoozeDays];
  return fnv1a32(meaning.join('|')).toString(16).padStart(8, '0');
}

function noteInterstitial(signIn: SignInRecord): void {
  const screen = getScreen(signIn);
  if ((interstitialScreens as readonly Screen[]).includes(screen)) signIn.interstitials.push(screen);
}

/** Removes the oldest unfinished sign-ins above the limit; their users must start over. */
function forgetOldest(state: SandboxState): void {
  if (state.signIns.size - state.finished.size < unfinishedSignInsMax) return;
  for (const id of state.signIns.keys()) {
    if (state.finished.has(id) || state.promptEnds.has(id)) continue;
    state.signIns.delete(id);
    return;
  }
}
