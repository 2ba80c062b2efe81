import { judge } from '../../machines/judge.ts';
import type { Verdict } from '../../machines/vocabulary.ts';
import { type AttemptPatch, completeAttempt } from '../contract/facts.schema.ts';
import { unfinishedSignInsMax } from '../core/limits.ts';
import { mergePatch } from '../core/merge-patch.ts';
import { fnv1a32 } from '../core/random.ts';
import type { InputOf, JournalEntry } from './input.ts';
import { moveSignIn, moveUser, notePromptEnd, resolve, settleLeaves, timed } from './prompts.ts';
import { type SandboxState, type SignInRecord, screenOf, signInSnapshot, type UserRecord } from './state.ts';

/** Begins a sign-in: what the user left open is settled (A41), and what was said about the next attempt is used up. */
export function startSignIn(
  state: SandboxState,
  input: InputOf<'signIn.started'>,
  user: UserRecord,
  entry: JournalEntry,
): void {
  settleLeaves(state, user, entry.atMs);
  const { nowMs: _clockDecides, ...patch } = mergePatch(
    state.nextSignIns.get(input.userId) ?? {},
    input.attempt,
    'keep',
  ) as AttemptPatch;
  state.nextSignIns.delete(input.userId);
  const signIn: SignInRecord = {
    id: input.signInId,
    userId: input.userId,
    startedAtMs: entry.atMs,
    patch,
    screen: signInSnapshot('name'),
    judgement: null,
    interstitials: [],
    entries: [entry.seq],
  };
  forgetOldest(state);
  state.signIns.set(signIn.id, signIn);
  if (patch.ssoSession === true) judgeAttempt(state, signIn, user, entry.atMs);
  else moveSignIn(state, signIn, { type: 'name.accepted' });
}

/** The password was right: the second factor follows, or the judgement where none is asked for. */
export function acceptPassword(state: SandboxState, signIn: SignInRecord, user: UserRecord, entry: JournalEntry): void {
  const mfa = signIn.patch.mfa;
  if (mfa?.completed === false) judgeAttempt(state, signIn, user, entry.atMs);
  else {
    const externalMfa = mfa?.provider !== undefined && mfa.provider !== 'service';
    moveSignIn(state, signIn, { type: 'password.accepted', externalMfa });
  }
}

/** Judges the attempt, once, on the facts as they are now; a prompt that is shown opens in the user's lifecycle. */
export function judgeAttempt(state: SandboxState, signIn: SignInRecord, user: UserRecord, nowMs: number): void {
  const attempt = completeAttempt({ ...signIn.patch, nowMs }, user.facts, nowMs);
  const facts = { tenant: state.tenant, user: user.facts, attempt };
  const verdict = judge(facts, state.ruleset);
  state.watcher?.judged(verdict);
  const { outcome, reason, campaign } = verdict;
  signIn.judgement = { facts, outcome, reason, campaign, digest: verdictDigest(verdict) };
  if (outcome !== 'none' && campaign.method !== null) {
    const required = outcome === 'required';
    moveUser(state, user, { type: 'prompt.shown', promptId: signIn.id, method: campaign.method, required, nowMs });
    notePromptEnd(state, signIn.id, signIn.userId, nowMs);
  }
  moveSignIn(state, signIn, {
    type: 'attempt.judged',
    outcome,
    termsOfUse: attempt.termsOfUse,
    registrationBlocked: reason === 'registration-blocked',
  });
  noteInterstitial(signIn);
}

/** The user went on from a screen between second factor and end. */
export function passInterstitial(state: SandboxState, signIn: SignInRecord): void {
  moveSignIn(state, signIn, { type: 'interstitial.passed' });
  noteInterstitial(signIn);
}

/** An answer to a prompt: the lifecycle decides what it means, the sign-in follows. */
export function answerPrompt(
  state: SandboxState,
  signIn: SignInRecord,
  user: UserRecord,
  input: InputOf<
    | 'prompt.nextSelected'
    | 'prompt.skipped'
    | 'prompt.returned'
    | 'browser.closed'
    | 'setup.failed'
    | 'errorScreen.skipped'
  >,
  nowMs: number,
): void {
  const promptId = signIn.id;
  switch (input.type) {
    case 'prompt.skipped': {
      moveUser(state, user, { type: input.type, promptId, ...timed(state, nowMs) });
      const refused = user.nudge.context.openPrompts.some((prompt) => prompt.id === promptId);
      return moveSignIn(state, signIn, { type: input.type, refused });
    }
    case 'errorScreen.skipped':
      moveUser(state, user, { type: input.type, promptId, ...timed(state, nowMs) });
      return moveSignIn(state, signIn, { type: input.type });
    case 'prompt.nextSelected':
    case 'setup.failed':
      moveUser(state, user, { type: input.type, promptId });
      return moveSignIn(state, signIn, { type: input.type });
    case 'prompt.returned':
      moveUser(state, user, { type: input.type, promptId });
      return;
    case 'browser.closed':
      moveUser(state, user, { type: input.type, promptId, nowMs });
      return;
  }
}

/** Set-up was completed: the user holds the method from now on, and other open prompts resolve (A27). */
export function completeSetup(
  state: SandboxState,
  signIn: SignInRecord,
  user: UserRecord,
  input: InputOf<'setup.completed'>,
): void {
  const { passkey } = input;
  const { methods, passkeys } = user.facts;
  user.facts =
    passkey === null
      ? {
          ...user.facts,
          methods: methods.includes('authenticator-push') ? methods : [...methods, 'authenticator-push'],
        }
      : { ...user.facts, passkeys: [...passkeys, passkey] };
  resolve(state, moveUser(state, user, { type: input.type, promptId: signIn.id }), signIn.id);
  moveSignIn(state, signIn, { type: input.type });
}

/** A digest of what a verdict means for the user: answers name it, so that a replay can tell whether they still apply. */
function verdictDigest({ ruleset, outcome, reason, campaign }: Verdict): string {
  const meaning = [ruleset, outcome, reason ?? '', campaign.method ?? '', campaign.limited, campaign.snoozeDays];
  return fnv1a32(meaning.join('|')).toString(16).padStart(8, '0');
}

function noteInterstitial(signIn: SignInRecord): void {
  const screen = screenOf(signIn);
  if (screen === 'termsOfUse' || screen === 'blocked') signIn.interstitials.push(screen);
}

/** Keeps the list of unfinished sign-ins bounded; a forgotten one must begin again. */
function forgetOldest(state: SandboxState): void {
  if (state.signIns.size - state.finished.size < unfinishedSignInsMax) return;
  for (const id of state.signIns.keys()) {
    if (state.finished.has(id) || state.promptEnds.has(id)) continue;
    state.signIns.delete(id);
    return;
  }
}
