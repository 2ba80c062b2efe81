import { dayMs, promptLifetimeMs, snoozeLimit } from '../../machines/campaign-limits.ts';
import {
  type EffectivePolicy,
  type NudgeContext,
  type NudgeEvent,
  nudgeMachine,
} from '../../machines/nudge.machine.ts';
import type { NudgeState, TargetedMethod } from '../../machines/vocabulary.ts';
import { CompiledMachine } from '../compiled/compiled-machine.ts';
import type { SnapshotFrom } from '../compiled/model.ts';
import { answerPaths } from './action-paths.ts';
import { snoozeStarts } from './snooze-starts.ts';

type NudgeSnapshot = SnapshotFrom<typeof nudgeMachine>;

/** Lifecycle of a user between sign-ins, with the effect of a complete prompt. */
export interface LifecycleTable {
  /** Nudge state of each lifecycle state. */
  readonly states: readonly NudgeState[];
  /** Snooze count of each lifecycle state, up to three. */
  readonly counts: readonly number[];
  /** Next state for each state, requirement and path. The index is `(state * 2 + required) * paths + path`. */
  readonly next: Uint8Array;
  /** Values of `snoozeStarts` at the same index. */
  readonly starts: Uint8Array;
  /** Returns the lifecycle state of a user who starts with a nudge status. */
  getStart(count: number, snoozed: boolean): number;
}

/**
 * Time of all events during the exploration of the lifecycle, in milliseconds. Earlier snooze periods have ended by
 * then for any snooze duration.
 */
const standingMs = 1_000 * dayMs;
const longAgoMs = 100 * dayMs;

const promptId = 'prompt';

/**
 * Explores the lifecycle under the effective policy of a campaign, one complete prompt at a time. A prompt is
 * shown, completed along each path, and settled at the end of its lifetime, which is before the user's next
 * attempt.
 */
export function lifecycleTable(method: TargetedMethod, policy: EffectivePolicy): LifecycleTable {
  const timed = { nowMs: standingMs, ...policy };
  const ended: NudgeEvent = { type: 'time.passed', ...policy, nowMs: standingMs + promptLifetimeMs };
  const shown = [false, true].map(
    (required): NudgeEvent => ({ type: 'prompt.shown', promptId, method, required, nowMs: standingMs }),
  );
  const answers: readonly NudgeEvent[] = [
    { type: 'prompt.skipped', promptId, ...timed },
    { type: 'prompt.nextSelected', promptId },
    { type: 'browser.closed', promptId, nowMs: standingMs },
    { type: 'setup.completed', promptId },
    { type: 'setup.failed', promptId },
    { type: 'errorScreen.skipped', promptId, ...timed },
  ];
  const nudgeStatuses = Array.from({ length: snoozeLimit + 1 }, (_, count) =>
    [null, longAgoMs].map((snoozedAtMs): NudgeEvent => ({ type: 'snooze.set', count, snoozedAtMs })),
  ).flat();
  const compiled = new CompiledMachine(nudgeMachine, {
    events: [...shown, ...answers, ended, ...nudgeStatuses],
    input: { count: 0, snoozedAtMs: null },
    serialize: toKey,
    normalize: (state, event) => (event.type === 'prompt.shown' ? withSnoozeOver(state) : state),
  });
  return createTable(compiled, { shown, answers, ended });
}

interface Alphabet {
  readonly shown: readonly NudgeEvent[];
  readonly answers: readonly NudgeEvent[];
  readonly ended: NudgeEvent;
}

function createTable(
  compiled: CompiledMachine<typeof nudgeMachine>,
  { shown, answers, ended }: Alphabet,
): LifecycleTable {
  const getEventIndex = (event: NudgeEvent | undefined): number =>
    compiled.events.findIndex((known) => JSON.stringify(known) === JSON.stringify(event));
  const getAnswerIndex = (type: NudgeEvent['type']): number =>
    getEventIndex(answers.find((event) => event.type === type));
  const walk = (from: number, events: readonly number[]): number =>
    events.reduce((state, event) => compiled.target(state, event), from);
  const atRest = compiled.states.flatMap(({ context }, number) => (context.openPrompts.length === 0 ? [number] : []));
  const restOf = new Map(atRest.map((state, rest) => [state, rest]));
  const next = new Uint8Array(atRest.length * 2 * answerPaths.length);
  const starts = new Uint8Array(next.length);
  let index = 0;
  for (const from of atRest) {
    for (const event of shown) {
      for (const { events } of answerPaths) {
        const to = walk(from, [getEventIndex(event), ...events.map(getAnswerIndex), getEventIndex(ended)]);
        const rest = restOf.get(to);
        if (rest === undefined) throw new Error('A prompt stays open beyond its lifetime.');
        next[index] = rest;
        starts[index] = snoozeStart(compiled.states[to] as NudgeSnapshot);
        index += 1;
      }
    }
  }
  return {
    states: atRest.map((state) => compiled.states[state]?.value as NudgeState),
    counts: atRest.map((state) => Math.min(compiled.states[state]?.context.count ?? 0, snoozeLimit)),
    next,
    starts,
    getStart: (count, snoozed) => {
      const snoozedAtMs = snoozed ? longAgoMs : null;
      const event: NudgeEvent = { type: 'snooze.set', count: Math.min(count, snoozeLimit), snoozedAtMs };
      return restOf.get(walk(0, [getEventIndex(event)])) as number;
    },
  };
}

/**
 * Normalizes a state with an ended snooze period. A prompt is shown only after it has ended, so the time since then
 * does not matter.
 */
function withSnoozeOver(state: NudgeSnapshot): NudgeSnapshot {
  const { snoozedAtMs } = state.context;
  if (snoozedAtMs === null) return state;
  return { ...state, context: { ...state.context, snoozedAtMs: longAgoMs } satisfies NudgeContext };
}

function toKey({ value, context }: NudgeSnapshot): string {
  const { count, snoozedAtMs, registered, openPrompts } = context;
  const prompts = openPrompts.map(({ required, phase, leftAtMs }) => [required, phase, leftAtMs]);
  return JSON.stringify([value, Math.min(count, snoozeLimit), snoozedAtMs, registered, prompts]);
}

function snoozeStart({ context }: NudgeSnapshot): number {
  if (context.snoozedAtMs === standingMs) return snoozeStarts.atAnswer;
  return context.snoozedAtMs === standingMs + promptLifetimeMs ? snoozeStarts.atLifetimeEnd : snoozeStarts.none;
}
