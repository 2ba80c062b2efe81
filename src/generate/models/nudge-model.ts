import { dayMs } from '../../../machines/campaign-limits.ts';
import {
  type EffectivePolicy,
  type NudgeContext,
  type NudgeEvent,
  nudgeMachine,
} from '../../../machines/nudge.machine.ts';
import { type NudgeQuotient, nudgeQuotient } from '../../../machines/nudge-quotient.ts';
import type { NudgeState, TargetedMethod } from '../../../machines/vocabulary.ts';
import type { Model, SnapshotFrom } from '../../compiled/model.ts';
import { nudgeInvariants } from './nudge-invariants.ts';

export type NudgeMachine = typeof nudgeMachine;

/**
 * Fixed time of all events, in milliseconds; it is greater than every snooze that the quotient distinguishes. A wait
 * advances the clock by a day and then shifts the times of the context back by a day, which restores this time.
 */
export const frozenAtMs = 100 * dayMs;

/** Alphabet for exploring the lifecycle. */
export interface NudgeAlphabet {
  readonly policies: readonly EffectivePolicy[];
  /** Ids of the prompts, one per tab. */
  readonly prompts: readonly string[];
  readonly methods: readonly TargetedMethod[];
}

/** Lists the policies with the limit on and off for each snooze duration in days. */
export function listPolicies(snoozeDays: readonly number[]): readonly EffectivePolicy[] {
  return [true, false].flatMap((limited) => snoozeDays.map((days) => ({ limited, snoozeDays: days })));
}

/** Creates the model of one user's lifecycle over its quotient, which also distinguishes the prompts by id. */
export function nudgeModel({ policies, prompts, methods }: NudgeAlphabet): Model<NudgeMachine> {
  return {
    name: 'nudge',
    machine: nudgeMachine,
    input: { count: 0, snoozedAtMs: null },
    events: [
      ...prompts.flatMap((promptId) => [
        ...methods.flatMap((method) => listPromptEvents(promptId, method)),
        ...answers(promptId, policies),
      ]),
      ...policies.flatMap((policy) => [
        createWaitEvent(policy),
        { type: 'pendingClose.settled' as const, nowMs: frozenAtMs, ...policy },
      ]),
      ...methods.flatMap((method): readonly NudgeEvent[] => [
        { type: 'method.registered', method },
        ...policies.map((policy) => ({ type: 'method.removed' as const, method, nowMs: frozenAtMs, ...policy })),
      ]),
      { type: 'snooze.set', count: 0, snoozedAtMs: null },
    ],
    serialize: (state) => {
      const ids = state.context.openPrompts.map(({ id }) => id);
      return JSON.stringify([toQuotient(state), ids]);
    },
    normalize: standStill,
    invariants: nudgeInvariants,
  };
}

/** Returns the quotient of a lifecycle at the fixed time. */
export function toQuotient(state: SnapshotFrom<NudgeMachine>): NudgeQuotient {
  return nudgeQuotient(state.value as NudgeState, state.context, frozenAtMs);
}

/** Creates the event for a wait of one day under a policy. */
export function createWaitEvent(policy: EffectivePolicy): NudgeEvent {
  return { type: 'time.passed', ...policy, nowMs: frozenAtMs + dayMs };
}

function listPromptEvents(promptId: string, method: TargetedMethod): readonly NudgeEvent[] {
  return [false, true].map((required) => ({ type: 'prompt.shown', promptId, method, required, nowMs: frozenAtMs }));
}

function answers(promptId: string, policies: readonly EffectivePolicy[]): readonly NudgeEvent[] {
  const timed = policies.map((policy) => ({ promptId, nowMs: frozenAtMs, ...policy }));
  return [
    { type: 'prompt.nextSelected', promptId },
    ...timed.map((fields) => ({ type: 'prompt.skipped' as const, ...fields })),
    { type: 'browser.closed', promptId, nowMs: frozenAtMs },
    { type: 'prompt.resumed', promptId },
    { type: 'setup.completed', promptId },
    { type: 'setup.failed', promptId },
    ...timed.map((fields) => ({ type: 'errorScreen.skipped' as const, ...fields })),
  ];
}

/** Shifts a lifecycle back to the fixed time: all recorded times move back by the elapsed time. */
function standStill(state: SnapshotFrom<NudgeMachine>, event: NudgeEvent): SnapshotFrom<NudgeMachine> {
  const byMs = event.type === 'time.passed' ? event.nowMs - frozenAtMs : 0;
  return byMs === 0 ? state : { ...state, context: movedBack(state.context, byMs) };
}

function movedBack(context: NudgeContext, byMs: number): NudgeContext {
  return {
    ...context,
    snoozedAtMs: context.snoozedAtMs === null ? null : context.snoozedAtMs - byMs,
    openPrompts: context.openPrompts.map((prompt) => ({
      ...prompt,
      shownAtMs: prompt.shownAtMs - byMs,
      leftAtMs: prompt.leftAtMs === null ? null : prompt.leftAtMs - byMs,
    })),
  };
}
