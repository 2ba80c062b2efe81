import { maySnooze } from '../../machines/nudge.machine.ts';
import type { Screen } from '../../machines/sign-in.machine.ts';
import {
  type AttemptFacts,
  type MfaMethod,
  mfaMethods,
  type TargetedMethod,
  type VerdictOutcome,
} from '../../machines/vocabulary.ts';
import { completeAttempt } from '../contract/attempt-facts.ts';
import { fnv1a32 } from '../core/random.ts';
import {
  getScreen,
  isFinished,
  type PushRequest,
  type SandboxState,
  type SignInRecord,
  type UserRecord,
} from '../journal/state.ts';

/** One sign-in as pages, drivers and the control API see it. */
export interface SignInView {
  readonly id: string;
  readonly userId: string;
  readonly startedAtMs: number;
  readonly screen: Screen;
  readonly finished: boolean;
  /** Screens on the way that were not the nudge: terms of use, a blocked registration. */
  readonly interstitials: readonly Screen[];
  /** What the rules said; `null` until they have evaluated. */
  readonly outcome: VerdictOutcome | null;
  /** The method that the prompt asks for; `null` without a prompt. */
  readonly method: TargetedMethod | null;
  /** Whether a prompt was shown and a skip sent now would be accepted (R6, A39). */
  readonly skippable: boolean;
  /** Snoozes that remain before registration is required; `null` without a limit. */
  readonly snoozesLeft: number | null;
  /** The method of the second factor that the mfa screen asks for. */
  readonly mfaMethod: AttemptFacts['mfa']['method'];
  /** The methods that the user can give the second factor with. */
  readonly mfaMethods: readonly MfaMethod[];
  /** The request to the authenticator app that is going on; `null` when none was sent. */
  readonly push: (PushRequest & { readonly number: string }) | null;
  /** How often a code was sent in this sign-in. */
  readonly codesSent: number;
  /** Whether the code that was sent last has come; one that a fault swallowed never does. */
  readonly codeArrived: boolean;
  /** The passkey that was made and waits for its name, or the name under which the setup registered it. */
  readonly passkeyName: string | null;
  readonly os: AttemptFacts['os'];
  /** The prompt has come to its end without an answer, or was just skipped after it; that counts nothing (A40). */
  readonly late: boolean;
  /** A prompt that has ended lets the user go on all the same; one that had no way out does not (A1). */
  readonly canContinue: boolean;
  readonly deviceId: string;
  /** How many inputs it is made of so far; a page that was shown before another one is an older one. */
  readonly eventCount: number;
}

/** A sign-in as it is shown. Takes the state, the sign-in and its user. */
export function createSignInView(state: SandboxState, signIn: SignInRecord, user: UserRecord): SignInView {
  const screen = getScreen(signIn);
  const { evaluation } = signIn;
  const { push, codesSent, codeLost, made } = signIn.factors;
  const { count } = user.nudge.context;
  const prompted = evaluation !== null && evaluation.outcome !== 'none';
  const attempt = evaluation?.facts.attempt ?? completeAttempt(signIn.patch, user.facts, signIn.startedAtMs);
  return {
    id: signIn.id,
    userId: signIn.userId,
    startedAtMs: signIn.startedAtMs,
    screen,
    finished: isFinished(signIn),
    interstitials: signIn.interstitials,
    outcome: evaluation?.outcome ?? null,
    method: prompted ? evaluation.campaign.method : null,
    skippable: prompted && maySnooze(count, state.campaign.limited, state.ruleset.limits),
    snoozesLeft: snoozesLeft(state, count),
    mfaMethod: attempt.mfa.method,
    mfaMethods: listMfaMethods(user),
    push: push === null ? null : { ...push, number: pushNumber(state, signIn.id, push) },
    codesSent,
    codeArrived: codesSent > 0 && codeLost !== true,
    passkeyName: made?.credential.name ?? null,
    os: attempt.os,
    late: screen === 'expired',
    canContinue: screen === 'expired' && !signIn.screen.context.required,
    deviceId: attempt.deviceId,
    eventCount: signIn.entries.length,
  };
}

/** The methods that a user can give the second factor with, in the order in which they are offered. */
export function listMfaMethods({
  facts,
}: {
  readonly facts: Pick<UserRecord['facts'], 'methods' | 'passkeys'>;
}): readonly MfaMethod[] {
  return mfaMethods.filter((method) =>
    method === 'passkey' ? facts.passkeys.length > 0 : facts.methods.includes(method),
  );
}

/** The two digits that the page shows and the phone asks for; the same on every machine for the same request. */
function pushNumber({ seed }: Pick<SandboxState, 'seed'>, signInId: string, { sent }: PushRequest): string {
  return String(fnv1a32(`${seed} ${signInId} ${sent}`) % pushNumbers).padStart(2, '0');
}

const pushNumbers = 100;

/** Snoozes that remain before registration is required (R6); `null` without a limit. Takes the state and the count. */
export function snoozesLeft(
  { campaign, ruleset }: Pick<SandboxState, 'campaign' | 'ruleset'>,
  count: number,
): number | null {
  return campaign.limited ? Math.max(0, ruleset.limits.snoozeLimit - count) : null;
}
