import type { NudgeEvent } from '../../machines/nudge.machine.ts';
import type { NudgeState, RuleId, VerdictOutcome } from '../../machines/vocabulary.ts';

/** Named transition of the nudge machine. All properties that are set must match an executed transition. */
export interface NudgeTransition {
  readonly event: NudgeEvent['type'];
  /** Nudge state before the transition. */
  readonly from?: NudgeState;
  /** Guard that selected the transition. */
  readonly guard?: string;
  /** Action that the transition executed. */
  readonly action?: string;
}

/** Executed transition of the nudge machine: event, previous state, guard, and actions. */
export interface ExecutedTransition {
  readonly event: string;
  readonly from: string;
  readonly guard: string;
  readonly actions: readonly string[];
}

/** Executed transition with the number of times it was executed. */
export interface CountedTransition {
  readonly taken: ExecutedTransition;
  readonly times: number;
}

/** Returns `true` if an executed transition matches every property of the wanted one. */
export function matches(taken: ExecutedTransition, wanted: NudgeTransition): boolean {
  return (
    taken.event === wanted.event &&
    (wanted.from === undefined || wanted.from === taken.from) &&
    (wanted.guard === undefined || wanted.guard === taken.guard) &&
    (wanted.action === undefined || taken.actions.includes(wanted.action))
  );
}

/**
 * Evidence for a rule or an assumption in a test run: a gate that was met or stopped as the primary reason, a verdict
 * outcome, a transition of the nudge machine, an expectation about the nudge status, or an API response. `claimed`
 * means that no such evidence exists and a scenario can only claim it.
 */
export type Observation =
  | { readonly kind: 'gate'; readonly gate: RuleId }
  | { readonly kind: 'verdict'; readonly outcome: VerdictOutcome }
  | { readonly kind: 'lifecycle'; readonly transition: NudgeTransition }
  | { readonly kind: 'nudgeStatus' }
  | { readonly kind: 'policy' }
  /** Response of the lookup API with one of these status codes. */
  | { readonly kind: 'lookup'; readonly statuses: readonly number[] }
  /** Response of the document records API with one of these status codes. */
  | { readonly kind: 'document'; readonly statuses: readonly number[] }
  | { readonly kind: 'claimed' };

/** Returns observations of gates that were met or stopped as the primary reason. */
export function gates(...ids: readonly RuleId[]): readonly Observation[] {
  return ids.map((gate) => ({ kind: 'gate', gate }));
}

/** Returns the observation of a verdict with this outcome. */
export function verdict(outcome: VerdictOutcome): Observation {
  return { kind: 'verdict', outcome };
}

/** Returns observations of nudge machine transitions. Any one of them is sufficient. */
export function steps(...transitions: readonly NudgeTransition[]): readonly Observation[] {
  return transitions.map((transition) => ({ kind: 'lifecycle', transition }));
}

/** Observation of an expectation about the snooze count, timer, or nudge state of a user. */
export const nudgeStatus: Observation = { kind: 'nudgeStatus' };

/** Observation of a response of the policy API. */
export const policyResponse: Observation = { kind: 'policy' };

/** Returns the observation of a lookup API response with one of these status codes. */
export function lookupAnswer(...statuses: readonly number[]): readonly Observation[] {
  return [{ kind: 'lookup', statuses }];
}

/** Returns the observation of a document records API response with one of these status codes. */
export function documentAnswer(...statuses: readonly number[]): readonly Observation[] {
  return [{ kind: 'document', statuses }];
}

/** Observation that no test run can make. */
export const claimed: Observation = { kind: 'claimed' };

/** Describes an observation in words for the documentation and the control API. */
export function describeObservation(observation: Observation): string {
  switch (observation.kind) {
    case 'gate':
      return `gate ${observation.gate} in the evaluation trace`;
    case 'verdict':
      return `a verdict with the outcome ${observation.outcome}`;
    case 'lifecycle':
      return `a lifecycle transition: ${describeTransition(observation.transition)}`;
    case 'nudgeStatus':
      return 'the nudge status of a user';
    case 'policy':
      return 'a response of the policy API';
    case 'lookup':
      return `a response of the lookup API with ${observation.statuses.join(', ')}`;
    case 'document':
      return `a response of the document records API with ${observation.statuses.join(', ')}`;
    case 'claimed':
      return 'claimed only: test runs cannot observe it';
  }
}

function describeTransition({ event, from, guard, action }: NudgeTransition): string {
  return [
    event,
    from === undefined ? '' : ` in ${from}`,
    guard === undefined ? '' : ` when ${guard}`,
    action === undefined ? '' : `, ${action}`,
  ].join('');
}

/** Named transitions of the nudge machine that serve as evidence for rules and assumptions. */
export const lifecycle = {
  requiredPrompt: { event: 'prompt.shown', guard: 'promptIsRequired' },
  promptAfterRegistering: { event: 'prompt.shown', from: 'registered', action: 'openPrompt' },
  skipCounted: { event: 'prompt.skipped', action: 'countSkip' },
  skipRefused: { event: 'prompt.skipped', guard: 'skipIsRefused' },
  markedAsLeft: { event: 'browser.closed', action: 'markAsLeft' },
  leaveMarkWithdrawn: { event: 'prompt.resumed', action: 'withdrawLeaveMark' },
  leaveSettled: { event: 'pendingClose.settled', action: 'settlePrompts' },
  leaveCounted: { event: 'pendingClose.settled', guard: 'settlingCounts' },
  lifetimeEnded: { event: 'time.passed', action: 'settlePrompts' },
  lifetimeCounted: { event: 'time.passed', guard: 'settlingCounts' },
  requiredLifetimeEnded: { event: 'time.passed', from: 'registrationRequired', action: 'settlePrompts' },
  registered: { event: 'setup.completed', action: 'resolveAsRegistered' },
  registeredElsewhere: { event: 'method.registered', action: 'resolveAsRegistered' },
  errorScreenShown: { event: 'setup.failed', action: 'showErrorScreen' },
  errorSkipped: { event: 'errorScreen.skipped', action: 'closePrompt' },
  methodRemoved: { event: 'method.removed', action: 'forgetRegistration' },
  snoozeSet: { event: 'snooze.set', action: 'setSnooze' },
} as const satisfies Record<string, NudgeTransition>;
