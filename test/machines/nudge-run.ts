import { type NudgeEvent, nudgeMachine } from '../../machines/nudge.machine.ts';
import { stepOf } from '../../machines/step.ts';
import { type Action, eventOf } from './nudge-actions.ts';
import { SnoozeAuditor } from './nudge-auditor.ts';
import { nudgeSnapshot, type Seen, seenOf } from './nudge-lifecycle.ts';
import { isSameJson } from './property.ts';

/** One step of a run: the event with what was before and after. */
export interface Step {
  readonly event: NudgeEvent;
  readonly limited: boolean;
  readonly nowMs: number;
  readonly before: Seen;
  readonly after: Seen;
}

/**
 * Plays actions from the beginning of a lifecycle. Takes how a wait is cut into pieces, the whole at once by default, and the
 * machine, for canaries another one.
 */
export function play(
  taken: readonly Action[],
  pieces: (ms: number) => readonly number[] = (ms) => [ms],
  machine: typeof nudgeMachine = nudgeMachine,
): readonly Step[] {
  const steps: Step[] = [];
  const step = stepOf(machine, { count: 0, snoozedAtMs: null });
  let snapshot = nudgeSnapshot('notPrompted', {}, machine);
  let around = { nowMs: 1_000, limited: true, snoozeDays: 1, shown: 0 };
  const cut = taken.flatMap((one): readonly Action[] =>
    one.type === 'wait' ? pieces(one.ms).map((ms) => ({ ...one, ms })) : [one],
  );
  for (const one of cut) {
    const before = seenOf(snapshot);
    const event = eventOf(one, { ...around, count: before.count });
    if (one.type === 'policy') around = { ...around, limited: one.limited, snoozeDays: one.snoozeDays };
    if (one.type === 'show') around = { ...around, shown: around.shown + 1 };
    if (one.type === 'wait') around = { ...around, nowMs: around.nowMs + one.ms };
    if (event === null) continue;
    snapshot = step(snapshot, event);
    steps.push({ event, limited: around.limited, nowMs: around.nowMs, before, after: seenOf(snapshot) });
  }
  return steps;
}

/** Whether an auditor that hears the events of a run keeps state, count, timer and open prompts as the machine does. */
export function auditorAgrees(steps: readonly Step[], hears: (event: NudgeEvent) => boolean = () => true): boolean {
  const auditor = new SnoozeAuditor();
  return steps.every(({ event, after }) => {
    if (hears(event)) auditor.note(event);
    const { state, count, snoozedAtMs, openIds } = auditor;
    return isSameJson({ state, count, snoozedAtMs, open: openIds }, after);
  });
}
