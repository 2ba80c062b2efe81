import type { NudgeEvent } from '../../machines/nudge.machine.ts';
import type { NudgeState, TargetedMethod } from '../../machines/vocabulary.ts';

const lifetimeMs = 900_000;
const dayMs = 86_400_000;

interface Held {
  readonly method: TargetedMethod;
  readonly shownAtMs: number;
  required: boolean;
  failed: boolean;
  leftAtMs: number | null;
}

/**
 * Independent model of state, snooze count and timer. It is computed from the events only, by a list of open prompts
 * that are each closed once, and has no guards or transitions.
 */
export class SnoozeAuditor {
  state: NudgeState = 'notPrompted';
  count = 0;
  snoozedAtMs: number | null = null;
  #registered: TargetedMethod | null = null;
  readonly #open = new Map<string, Held>();

  get openIds(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** Applies an event. */
  note(event: NudgeEvent): void {
    switch (event.type) {
      case 'prompt.shown': {
        const { method, nowMs, required } = event;
        this.#open.set(event.promptId, { method, shownAtMs: nowMs, required, failed: false, leftAtMs: null });
        this.state = required ? 'registrationRequired' : 'prompted';
        return;
      }
      case 'time.passed':
        this.#strikeOut(event.limited, ({ shownAtMs }) => shownAtMs + lifetimeMs, event.nowMs);
        return;
      case 'pendingClose.settled':
        this.#strikeOut(event.limited, ({ leftAtMs }) => leftAtMs ?? Number.POSITIVE_INFINITY, event.nowMs);
        return;
      case 'snooze.set':
        this.count = event.count;
        this.snoozedAtMs = event.snoozedAtMs;
        if (this.state === 'registered') return;
        if (this.#open.size === 0) this.state = event.snoozedAtMs === null ? 'notPrompted' : 'snoozed';
        else if (this.state === 'snoozed' && event.snoozedAtMs === null) this.state = 'prompted';
        return;
      case 'method.registered':
        this.#register(event.method);
        return;
      case 'method.removed':
        if (this.state !== 'registered' || this.#registered !== event.method) return;
        this.state = this.#snoozeRuns(event) ? 'snoozed' : 'notPrompted';
        return;
      default:
        this.#answer(event);
    }
  }

  #answer(event: Extract<NudgeEvent, { readonly promptId: string }>): void {
    const prompt = this.#open.get(event.promptId);
    if (prompt === undefined) return;
    prompt.leftAtMs = event.type === 'browser.closed' ? event.nowMs : null;
    if (event.type === 'prompt.nextSelected') prompt.failed = false;
    if (event.type === 'setup.failed') prompt.failed = true;
    if (event.type === 'setup.completed') this.#register(prompt.method);
    if (event.type === 'prompt.skipped') this.#skip(event, prompt);
    if (event.type !== 'errorScreen.skipped') return;
    this.#open.delete(event.promptId);
    if (this.state !== 'registrationRequired') this.state = this.#snoozeRuns(event) ? 'snoozed' : this.#idle();
  }

  #skip(event: Extract<NudgeEvent, { readonly type: 'prompt.skipped' }>, prompt: Held): void {
    if (event.limited && this.count >= 3) {
      prompt.required = true;
      this.state = 'registrationRequired';
      return;
    }
    this.#open.delete(event.promptId);
    this.#count(event.nowMs);
  }

  #register(method: TargetedMethod): void {
    this.#open.clear();
    this.#registered = method;
    this.state = 'registered';
  }

  /** Closes due prompts, earliest first. A shown prompt or one in setup counts while the limit allows it. */
  #strikeOut(limited: boolean, dueAtMs: (prompt: Held) => number, nowMs: number): void {
    const due = [...this.#open].filter(([, prompt]) => dueAtMs(prompt) <= nowMs);
    for (const [id, prompt] of due.sort(([, a], [, b]) => dueAtMs(a) - dueAtMs(b))) {
      this.#open.delete(id);
      if (prompt.required || prompt.failed || (limited && this.count >= 3)) {
        if (this.state === 'prompted') this.state = this.#idle();
      } else this.#count(prompt.leftAtMs ?? prompt.shownAtMs + lifetimeMs);
    }
  }

  #count(fromMs: number): void {
    this.state = 'snoozed';
    this.count += 1;
    if (this.snoozedAtMs === null || fromMs > this.snoozedAtMs) this.snoozedAtMs = fromMs;
  }

  #idle(): NudgeState {
    return this.#open.size > 0 ? 'prompted' : 'notPrompted';
  }

  #snoozeRuns({ nowMs, snoozeDays }: { readonly nowMs: number; readonly snoozeDays: number }): boolean {
    return this.snoozedAtMs !== null && Math.max(0, nowMs - this.snoozedAtMs) < snoozeDays * dayMs;
  }
}
