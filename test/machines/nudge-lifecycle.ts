import { type NudgeEvent, nudgeMachine, type OpenPrompt } from '../../machines/nudge.machine.ts';
import { createStepper } from '../../machines/step.ts';
import type { NudgeState, SnoozeRecord, TargetedMethod } from '../../machines/vocabulary.ts';

/** Time in ms, written out so that no expectation leans on the code under test. */
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

const step = createStepper(nudgeMachine, { count: 0, snoozedAtMs: null });

export type NudgeSnapshot = ReturnType<typeof step>;

/** What a test looks at after a step. */
export interface Seen {
  readonly state: NudgeState;
  readonly count: number;
  readonly snoozedAtMs: number | null;
  /** Ids of open prompts, oldest first. */
  readonly open: readonly string[];
}

/** A snapshot of the nudge machine, or of another one of its kind, in a state: for tables that begin in the middle. */
export function nudgeSnapshot(
  value: NudgeState,
  context: Partial<NudgeSnapshot['context']> = {},
  machine: typeof nudgeMachine = nudgeMachine,
): NudgeSnapshot {
  const whole = { count: 0, snoozedAtMs: null, openPrompts: [], registered: null, ...context };
  return machine.resolveState({ value, context: whole } as never);
}

/** The next snapshot. */
export function stepNudge(snapshot: NudgeSnapshot, event: NudgeEvent): NudgeSnapshot {
  return step(snapshot, event);
}

/** What of a snapshot a test looks at. */
export function observeSnapshot(snapshot: NudgeSnapshot): Seen {
  const { count, snoozedAtMs, openPrompts } = snapshot.context;
  return { state: snapshot.value as NudgeState, count, snoozedAtMs, open: openPrompts.map(({ id }) => id) };
}

/** An open prompt, shown at 0 and merely offered unless said otherwise. */
export function openPrompt(id: string, fields: Partial<OpenPrompt> = {}): OpenPrompt {
  return {
    id,
    method: 'vendorAuthenticator',
    required: false,
    phase: 'offered',
    shownAtMs: 0,
    leftAtMs: null,
    ...fields,
  };
}

/** One user's lifecycle under a policy, at a time that the test moves; it sends what a person does. */
export class Lifecycle {
  nowMs = 0;
  limited = true;
  snoozeDays = 1;
  #snapshot: NudgeSnapshot;

  /** Takes the nudge status to begin with. */
  constructor(nudgeStatus: SnoozeRecord = { count: 0, snoozedAtMs: null }, state: NudgeState = 'notPrompted') {
    this.#snapshot = nudgeSnapshot(state, nudgeStatus);
  }

  get seen(): Seen {
    return observeSnapshot(this.#snapshot);
  }

  send(event: NudgeEvent): Seen {
    this.#snapshot = step(this.#snapshot, event);
    return this.seen;
  }

  /** Lets time pass in one go; prompts whose lifetime ends are closed. */
  wait(ms: number): Seen {
    this.nowMs += ms;
    return this.send({ type: 'time.passed', ...this.#timed() });
  }

  show(promptId: string, { required = false, method = 'vendorAuthenticator' as TargetedMethod } = {}): Seen {
    return this.send({ type: 'prompt.shown', promptId, method, required, nowMs: this.nowMs });
  }

  next(promptId: string): Seen {
    return this.send({ type: 'prompt.nextSelected', promptId });
  }

  skip(promptId: string): Seen {
    return this.send({ type: 'prompt.skipped', promptId, ...this.#timed() });
  }

  leave(promptId: string): Seen {
    return this.send({ type: 'browser.closed', promptId, nowMs: this.nowMs });
  }

  comeBack(promptId: string): Seen {
    return this.send({ type: 'prompt.resumed', promptId });
  }

  /** The user's next sign-in, or the control API, settles what was left. */
  settle(): Seen {
    return this.send({ type: 'pendingClose.settled', ...this.#timed() });
  }

  register(promptId: string): Seen {
    return this.send({ type: 'setup.completed', promptId });
  }

  fail(promptId: string): Seen {
    return this.send({ type: 'setup.failed', promptId });
  }

  skipError(promptId: string): Seen {
    return this.send({ type: 'errorScreen.skipped', promptId, ...this.#timed() });
  }

  setSnooze(nudgeStatus: SnoozeRecord): Seen {
    return this.send({ type: 'snooze.set', ...nudgeStatus });
  }

  remove(method: TargetedMethod): Seen {
    return this.send({ type: 'method.removed', method, ...this.#timed() });
  }

  #timed(): { nowMs: number; limited: boolean; snoozeDays: number } {
    return { nowMs: this.nowMs, limited: this.limited, snoozeDays: this.snoozeDays };
  }
}
