import type { NudgeEvent } from '../../machines/nudge.machine.ts';
import type { GateId, NudgeState, VerdictOutcome } from '../../machines/vocabulary.ts';

/** A named transition of the nudge machine; all that is given has to hold of the step that was taken. */
export interface NudgeTransition {
  readonly event: NudgeEvent['type'];
  /** State of the lifecycle before the step. */
  readonly from?: NudgeState;
  /** The guard that chose the transition. */
  readonly guard?: string;
  /** The action that the transition carried out. */
  readonly action?: string;
}

/** A step of a lifecycle as the machine itself names it: event, state before, guard and actions. */
export interface ExecutedTransition {
  readonly event: string;
  readonly from: string;
  readonly guard: string;
  readonly actions: readonly string[];
}

/** Whether a transition is one that a rule or an assumption is seen by: all that the other says has to hold of it. */
export function matches(taken: ExecutedTransition, wanted: NudgeTransition): boolean {
  return (
    taken.event === wanted.event &&
    (wanted.from === undefined || wanted.from === taken.from) &&
    (wanted.guard === undefined || wanted.guard === taken.guard) &&
    (wanted.action === undefined || taken.actions.includes(wanted.action))
  );
}

/**
 * How a run can see a rule or an assumption: a gate that was met or stopped as the primary reason, the outcome of a verdict,
 * a step of a user's lifecycle, an expectation about the nudge status, an answer of the policy API; `claimed` when there is no such
 * point and a scenario can only say so.
 */
export type Observation =
  | { readonly kind: 'gate'; readonly gate: GateId }
  | { readonly kind: 'verdict'; readonly outcome: VerdictOutcome }
  | { readonly kind: 'lifecycle'; readonly transition: NudgeTransition }
  | { readonly kind: 'nudgeStatus' }
  | { readonly kind: 'policy' }
  /** An answer of the lookup API with one of these statuses. */
  | { readonly kind: 'lookup'; readonly statuses: readonly number[] }
  /** An answer of the document records API with one of these statuses. */
  | { readonly kind: 'document'; readonly statuses: readonly number[] }
  | { readonly kind: 'claimed' };

/** The gates that show it: each met, or stopped as the primary reason. */
export function gates(...ids: readonly GateId[]): readonly Observation[] {
  return ids.map((gate) => ({ kind: 'gate', gate }));
}

/** A verdict with this outcome shows it. */
export function verdict(outcome: VerdictOutcome): Observation {
  return { kind: 'verdict', outcome };
}

/** The steps of a lifecycle that show it, any one of them. */
export function steps(...transitions: readonly NudgeTransition[]): readonly Observation[] {
  return transitions.map((transition) => ({ kind: 'lifecycle', transition }));
}

/** An expectation about count, timer or state of a user shows it. */
export const nudgeStatus: Observation = { kind: 'nudgeStatus' };

/** An answer of the policy API shows it. */
export const policyResponse: Observation = { kind: 'policy' };

/** An answer of the lookup API with one of these statuses shows it. */
export function lookupAnswer(...statuses: readonly number[]): readonly Observation[] {
  return [{ kind: 'lookup', statuses }];
}

/** An answer of the document records API with one of these statuses shows it. */
export function documentAnswer(...statuses: readonly number[]): readonly Observation[] {
  return [{ kind: 'document', statuses }];
}

/** Nothing in a run shows it. */
export const claimed: Observation = { kind: 'claimed' };

/** Says in words how an observation is made, for documentation and the control API. */
export function describeObservation(observation: Observation): string {
  switch (observation.kind) {
    case 'gate':
      return `gate ${observation.gate} in the trace of a verdict`;
    case 'verdict':
      return `a verdict with the outcome ${observation.outcome}`;
    case 'lifecycle':
      return `a lifecycle step: ${describeTransition(observation.transition)}`;
    case 'nudgeStatus':
      return 'the nudge status of a user';
    case 'policy':
      return 'an answer of the policy API';
    case 'lookup':
      return `an answer of the lookup API with ${observation.statuses.join(', ')}`;
    case 'document':
      return `an answer of the document records API with ${observation.statuses.join(', ')}`;
    case 'claimed':
      return 'claimed alone: no point of a run shows it';
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

/** Named transitions of the nudge machine that rules and assumptions are seen by. */
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
