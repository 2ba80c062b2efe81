import { refusesSnooze } from '../../machines/nudge.machine.ts';
import { rulesInForce } from '../../machines/ruleset-gates.ts';
import type { Screen } from '../../machines/sign-in.machine.ts';
import {
  type AttemptFacts,
  type MfaMethod,
  mfaMethods,
  type Reason,
  type TargetedMethod,
  type Verdict,
  type VerdictOutcome,
} from '../../machines/vocabulary.ts';
import { completeAttempt } from '../contract/attempt-facts.ts';
import { fnv1a32 } from '../core/random.ts';
import type { JournalEntry } from '../journal/journal-event.ts';
import { timed } from '../journal/prompts.ts';
import {
  getScreen,
  isFinished,
  type PushRequest,
  type SandboxState,
  type SignInRecord,
  type UserRecord,
} from '../journal/state.ts';
import { listUsableFactors } from '../journal/usable-factor.ts';
import { createOwnPromptView, type OwnPromptView } from './own-prompt-view.ts';

/** Sign-in with its complete verdict and its events. */
export interface SignInDetail {
  readonly signIn: SignInView;
  readonly attempt: AttemptFacts | null;
  readonly verdict: Verdict | null;
  readonly events: readonly JournalEntry[];
}

/** Sign-in as shown to pages, drivers and the control API. */
export interface SignInView {
  readonly id: string;
  readonly userId: string;
  readonly startedAtMs: number;
  readonly screen: Screen;
  readonly finished: boolean;
  /** Interstitial screens shown before the end, such as terms of use or a blocked registration. */
  readonly interstitials: readonly Screen[];
  /** Outcome of the verdict, or `null` if the rules have not been evaluated yet. */
  readonly outcome: VerdictOutcome | null;
  /** Reason of a verdict without a prompt, or `null` if there is a prompt or no verdict. */
  readonly reason: Reason | null;
  /** Method that the prompt targets, or `null` if there is no prompt. */
  readonly method: TargetedMethod | null;
  /** Prompt of an own campaign; absent without one. */
  readonly own?: OwnPromptView;
  /** True if a prompt was shown and a skip would be accepted now (R6, A39). */
  readonly skippable: boolean;
  /** Number of snoozes left before registration is required, or `null` if snoozes are unlimited. */
  readonly snoozesLeft: number | null;
  /** Second-factor method that the MFA screen requests. */
  readonly mfaMethod: AttemptFacts['mfa']['method'];
  /** Methods that the user can use as second factor. */
  readonly mfaMethods: readonly MfaMethod[];
  /** Pending push notification to the authenticator app, or `null` if none was sent. */
  readonly push: (PushRequest & { readonly number: string }) | null;
  /** Number of codes sent in this sign-in. */
  readonly codesSent: number;
  /** True if the latest code was delivered. A code lost by a fault never is. */
  readonly codeArrived: boolean;
  /** Passkey that was created and has no name yet, or the name under which the setup registered it. */
  readonly passkeyName: string | null;
  readonly os: AttemptFacts['os'];
  /**
   * True if the prompt expired without an action, or was skipped only after its expiry, which is not counted (A40).
   */
  readonly late: boolean;
  /** True if the user can continue after an expired prompt. A required prompt does not allow it (A1). */
  readonly canContinue: boolean;
  readonly deviceId: string;
  /** Number of events in the sign-in so far, which identifies outdated pages. */
  readonly eventCount: number;
}

/** Creates the view of a sign-in. */
export function createSignInView(state: SandboxState, signIn: SignInRecord, user: UserRecord): SignInView {
  const screen = getScreen(signIn);
  const { evaluation } = signIn;
  const { push, codesSent, codeLost, made } = signIn.factors;
  const { count } = user.nudge.context;
  const prompted = evaluation !== null && evaluation.outcome !== 'none' && evaluation.outcome !== 'blocked';
  const own = state.own === null ? null : createOwnPromptView(state, signIn);
  const attempt = evaluation?.facts.attempt ?? completeAttempt(signIn.patch, user.facts, signIn.startedAtMs);
  return {
    id: signIn.id,
    userId: signIn.userId,
    startedAtMs: signIn.startedAtMs,
    screen,
    finished: isFinished(signIn),
    interstitials: signIn.interstitials,
    outcome: evaluation?.outcome ?? null,
    reason: evaluation?.reason ?? null,
    method: prompted && state.own === null ? evaluation.campaign.method : null,
    ...(own === null ? {} : { own }),
    skippable:
      state.own !== null
        ? own?.skippable === true
        : prompted && !refusesSnooze(count, timed(state, state.lastAtMs, user), state.ruleset.limits),
    snoozesLeft: state.own === null ? snoozesLeft(state, count) : (own?.snoozesLeft ?? null),
    mfaMethod: attempt.mfa.method,
    mfaMethods: listOfferedFactors(state, signIn, user),
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

/** Returns the second factors that a page offers: those of the user that the ruleset offers. */
function listOfferedFactors(state: SandboxState, signIn: SignInRecord, user: UserRecord): readonly MfaMethod[] {
  const rules = rulesInForce(state.ruleset, state.lastAtMs);
  if (rules.extension === undefined) return listMfaMethods(user);
  const { tenant, lastAtMs: nowMs } = state;
  return listUsableFactors(signIn.patch, { tenant, user: user.facts, rules, nowMs });
}

/** Returns the methods that a user can use as second factor, in the order of presentation. */
export function listMfaMethods({
  facts,
}: {
  readonly facts: Pick<UserRecord['facts'], 'methods' | 'passkeys'>;
}): readonly MfaMethod[] {
  return mfaMethods.filter((method) =>
    method === 'passkey' ? facts.passkeys.length > 0 : facts.methods.includes(method),
  );
}

/** Returns the two digits for number matching, which are the same on every machine for the same request. */
function pushNumber({ seed }: Pick<SandboxState, 'seed'>, signInId: string, { sent }: PushRequest): string {
  return String(fnv1a32(`${seed} ${signInId} ${sent}`) % pushNumbers).padStart(2, '0');
}

const pushNumbers = 100;

/** Returns the number of snoozes left before registration is required (R6), or `null` if snoozes are unlimited. */
export function snoozesLeft(
  { campaign, ruleset }: Pick<SandboxState, 'campaign' | 'ruleset'>,
  count: number,
): number | null {
  return campaign.limited ? Math.max(0, ruleset.limits.snoozeLimit - count) : null;
}
