import { dayMs, snoozeDaysMax, snoozeLimit } from './campaign-limits.ts';
import type { NudgeContext, OpenPrompt } from './nudge.machine.ts';
import { snoozeElapsedMs } from './snooze.ts';
import type { NudgeState } from './vocabulary.ts';

/** Part of an open prompt that can affect later steps, without its id and exact times. */
export type PromptQuotient = Pick<OpenPrompt, 'method' | 'required' | 'phase'> & { readonly left: boolean };

/** Finite abstraction of a user's nudge lifecycle, used by the generated tables and the explored state spaces. */
export interface NudgeQuotient {
  readonly state: NudgeState;
  /** Snooze count, capped at 3 because a higher count makes no difference. */
  readonly count: number;
  /** Whole days since the latest snooze began, capped at 14, or `null` if there is no snooze. */
  readonly daysElapsed: number | null;
  readonly openPrompts: readonly PromptQuotient[];
  readonly registered: NudgeContext['registered'];
}

/**
 * Computes the quotient of a lifecycle. The quotient after a step depends only on the quotient before it, the event
 * and the policy, for actions at this time and for waits of whole days. A property test verifies this.
 *
 * @param state - state of the machine
 * @param context - context of the machine
 * @param nowMs - time of the virtual clock in milliseconds
 */
export function nudgeQuotient(state: NudgeState, context: NudgeContext, nowMs: number): NudgeQuotient {
  const elapsedMs = snoozeElapsedMs(context, nowMs);
  return {
    state,
    count: Math.min(context.count, snoozeLimit),
    daysElapsed: elapsedMs === null ? null : Math.min(Math.floor(elapsedMs / dayMs), snoozeDaysMax),
    openPrompts: context.openPrompts.map(({ method, required, phase, leftAtMs }) => ({
      method,
      required,
      phase,
      left: leftAtMs !== null,
    })),
    registered: context.registered,
  };
}
