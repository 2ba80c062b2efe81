import type { NudgeEvent } from '../../machines/nudge.machine.ts';

const lifetimeMs = 900_000;

interface Held {
  readonly shownAtMs: number;
  required: boolean;
  failed: boolean;
  leftAtMs: number | null;
}

/**
 * Keeps the snooze count a second time, from the events alone and in another way than the machine: a ledger of prompts that
 * are open, each struck out once. It knows nothing of states, guards or transitions.
 */
export class SnoozeAuditor {
  count = 0;
  snoozedAtMs: number | null = null;
  readonly #open = new Map<string, Held>();

  get openIds(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** Takes note of an event. */
  note(event: NudgeEvent): void {
    switch (event.type) {
      case 'prompt.shown':
        this.#open.set(event.promptId, {
          shownAtMs: event.nowMs,
          required: event.required,
          failed: false,
          leftAtMs: null,
        });
        return;
      case 'time.passed':
        this.#strikeOut(event.limited, ({ shownAtMs }) => shownAtMs + lifetimeMs, event.nowMs);
        return;
      case 'leaves.settled':
        this.#strikeOut(event.limited, ({ leftAtMs }) => leftAtMs ?? Number.POSITIVE_INFINITY, event.nowMs);
        return;
      case 'ledger.set':
        this.count = event.count;
        this.snoozedAtMs = event.snoozedAtMs;
        return;
      case 'method.registered':
        this.#open.clear();
        return;
      case 'method.removed':
        return;
      default:
        this.#answer(event);
    }
  }

  #answer(event: Extract<NudgeEvent, { readonly promptId: string }>): void {
    const prompt = this.#open.get(event.promptId);
    if (prompt === undefined) return;
    if (event.type !== 'setup.completed') prompt.leftAtMs = event.type === 'browser.closed' ? event.nowMs : null;
    if (event.type === 'setup.completed') this.#open.clear();
    if (event.type === 'errorScreen.skipped') this.#open.delete(event.promptId);
    if (event.type === 'prompt.nextSelected') prompt.failed = false;
    if (event.type === 'setup.failed') prompt.failed = true;
    if (event.type !== 'prompt.skipped') return;
    if (event.limited && this.count >= 3) prompt.required = true;
    else {
      this.#open.delete(event.promptId);
      this.#count(event.nowMs);
    }
  }

  /** Closes what is due by a time, earliest first; what was merely shown or being set up counts while there is room. */
  #strikeOut(limited: boolean, dueAtMs: (prompt: Held) => number, nowMs: number): void {
    const due = [...this.#open].filter(([, prompt]) => dueAtMs(prompt) <= nowMs);
    for (const [id, prompt] of due.sort(([, a], [, b]) => dueAtMs(a) - dueAtMs(b))) {
      this.#open.delete(id);
      if (prompt.required || prompt.failed || (limited && this.count >= 3)) continue;
      this.#count(prompt.leftAtMs ?? prompt.shownAtMs + lifetimeMs);
    }
  }

  #count(fromMs: number): void {
    this.count += 1;
    if (this.snoozedAtMs === null || fromMs > this.snoozedAtMs) this.snoozedAtMs = fromMs;
  }
}
