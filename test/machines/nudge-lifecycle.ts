import { type NudgeEvent, nudgeMachine, type OpenPrompt } from '../../machines/nudge.machine.ts';
import { createStepper } from '../../machines/step.ts';
import type { NudgeState, SnoozeRecord, TargetedMethod } from '../../machines/vocabulary.ts';

/** Length of a minute in milliseconds. The value is explicit, so no expectation depends on the code under test. */
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

const step = createStepper(nudgeMachine, { count: 0, snoozedAtMs: null });

export type NudgeSnapshot = ReturnType<typeof step>;

/** State that a test compares after a step. */
export interface Seen {
  readonly state: NudgeState;
  readonly count: number;
  readonly snoozedAtMs: number | null;
  /** Ids of open prompts, oldest first. */
  readonly open: readonly string[];
}

/** Creates a snapshot of the nudge machine, or of a variant of it, in a given state. */
export function nudgeSnapshot(
  value: NudgeState,
  context: Partial<NudgeSnapshot['context']> = {},
  machine: typeof nudgeMachine = nudgeMachine,
): NudgeSnapshot {
  const whole = { count: 0, snoozedAtMs: null, openPrompts: [], registered: null, ...context };
  return machine.resolveState({ value, context: whole } as never);
}

/** Returns the next snapshot. */
export function stepNudge(snapshot: NudgeSnapshot, event: NudgeEvent): NudgeSnapshot {
  return step(snapshot, event);
}

/** Returns the state of a snapshot that a test compares. */
export function observeSnapshot(snapshot: NudgeSnapshot): Seen {
  const { count, snoozedAtMs, openPrompts } = snapshot.context;
  return { state: snapshot.value as NudgeState, count, snoozedAtMs, open: openPrompts.map(({ id }) => id) };
}

/** Creates an open prompt, by default shown at time 0 and without further progress. */
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

/**
 * Lifecycle of one user under a policy, with a clock controlled by the test. Its methods send the events of the
 * user.
 */
export class Lifecycle {
  nowMs = 0;
  limited = true;
  snoozeDays = 1;
  #snapshot: NudgeSnapshot;

  /** Creates a lifecycle with the given initial nudge status. */
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

  /** Advances the time in one step. Prompts whose lifetime ends are closed. */
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

  /** Settles the pending closes, as the next sign-in of the user or the control API does. */
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
