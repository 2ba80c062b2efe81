import { type NudgeEvent, nudgeMachine } from '../../machines/nudge.machine.ts';
import { createStepper } from '../../machines/step.ts';
import { findDifference } from './difference.ts';
import { type Action, toNudgeEvent } from './nudge-actions.ts';
import { SnoozeAuditor } from './nudge-auditor.ts';
import { nudgeSnapshot, observeSnapshot, type Seen } from './nudge-lifecycle.ts';

/** Step of a run: the event, and the state before and after it. */
export interface Step {
  readonly event: NudgeEvent;
  readonly limited: boolean;
  readonly nowMs: number;
  readonly before: Seen;
  readonly after: Seen;
}

/**
 * Applies actions to a new lifecycle. A wait can be split into several steps and is a single step by default.
 * Canaries replace the machine.
 */
export function play(
  taken: readonly Action[],
  pieces: (ms: number) => readonly number[] = (ms) => [ms],
  machine: typeof nudgeMachine = nudgeMachine,
): readonly Step[] {
  const steps: Step[] = [];
  const step = createStepper(machine, { count: 0, snoozedAtMs: null });
  let snapshot = nudgeSnapshot('notPrompted', {}, machine);
  let around = { nowMs: 1_000, limited: true, snoozeDays: 1, shown: 0 };
  const cut = taken.flatMap((one): readonly Action[] =>
    one.type === 'wait' ? pieces(one.ms).map((ms) => ({ ...one, ms })) : [one],
  );
  for (const one of cut) {
    const before = observeSnapshot(snapshot);
    const event = toNudgeEvent(one, { ...around, count: before.count });
    if (one.type === 'policy') around = { ...around, limited: one.limited, snoozeDays: one.snoozeDays };
    if (one.type === 'show') around = { ...around, shown: around.shown + 1 };
    if (one.type === 'wait') around = { ...around, nowMs: around.nowMs + one.ms };
    if (event === null) continue;
    snapshot = step(snapshot, event);
    steps.push({ event, limited: around.limited, nowMs: around.nowMs, before, after: observeSnapshot(snapshot) });
  }
  return steps;
}

/**
 * Compares an auditor that receives the events of a run with the machine. Returns the step, event and field of the
 * first difference in state, count, timer or open prompts, or `null` if there is none.
 */
export function auditorDiffers(
  steps: readonly Step[],
  hears: (event: NudgeEvent) => boolean = () => true,
): string | null {
  const auditor = new SnoozeAuditor();
  return firstDifference(steps, ({ event, after }) => {
    if (hears(event)) auditor.note(event);
    const { state, count, snoozedAtMs, openIds } = auditor;
    return findDifference(after, { state, count, snoozedAtMs, open: openIds });
  });
}

/**
 * Returns the first step with a difference, by number and event, and the difference. Returns `null` if there is
 * none.
 */
export function firstDifference(steps: readonly Step[], differs: (step: Step) => string | null): string | null {
  for (const [at, step] of steps.entries()) {
    const found = differs(step);
    if (found !== null) return `step ${at + 1} (${step.event.type}), ${found}`;
  }
  return null;
}
