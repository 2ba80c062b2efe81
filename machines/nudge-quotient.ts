import { dayMs, snoozeDaysMax, snoozeLimit } from './campaign-limits.ts';
import type { NudgeContext, OpenPrompt } from './nudge.machine.ts';
import { snoozeElapsedMs } from './snooze.ts';
import type { NudgeState } from './vocabulary.ts';

/** What of an open prompt can still matter: not its id, not its exact times. */
export type PromptQuotient = Pick<OpenPrompt, 'method' | 'required' | 'phase'> & { readonly left: boolean };

/** The finite image of a user's nudge lifecycle, on which tables and explored state spaces stand. */
export interface NudgeQuotient {
  readonly state: NudgeState;
  /** Snoozes, up to three: more make no difference. */
  readonly count: number;
  /** Whole days since the latest snooze began, up to fourteen; `null` without one. */
  readonly daysElapsed: number | null;
  readonly openPrompts: readonly PromptQuotient[];
  readonly registered: NudgeContext['registered'];
}

/**
 * The quotient of a lifecycle at a time. The quotient of a step depends on the quotient, the event and the policy alone, for
 * answers at this time and for waits of whole days; a property test holds that.
 * Takes the machine's state and context, and the time in ms of the virtual clock.
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
