import { dayMs } from '../../machines/campaign-limits.ts';
import { type ClockSetting, clockSettingAt } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { instantMsMax } from '../core/limits.ts';
import type { Recorder } from './recorder.ts';

/** Duration in virtual time, the sum of its parts. */
export interface Span {
  readonly days?: number | undefined;
  readonly hours?: number | undefined;
  readonly minutes?: number | undefined;
  readonly ms?: number | undefined;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** Returns the length of a duration in milliseconds. */
export function spanMs({ days = 0, hours = 0, minutes = 0, ms = 0 }: Span): number {
  return days * dayMs + hours * hourMs + minutes * minuteMs + ms;
}

/** Virtual clock of one sandbox. Every change of the clock is recorded in the journal. */
export class ClockController {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Returns the virtual time in milliseconds since the epoch. */
  nowMs(): number {
    return this.#recorder.nowMs();
  }

  /** Returns true if the clock runs at real speed, or false if it is frozen. */
  running(): boolean {
    return this.#recorder.clock.running;
  }

  /**
   * Sets the time, the mode, or both. Moving the clock back is allowed: elapsed time never goes below zero. Throws
   * `bad-request`.
   */
  async set(to: { readonly nowMs?: number; readonly running?: boolean }): Promise<void> {
    const nowMs = to.nowMs ?? this.nowMs();
    if (!Number.isFinite(nowMs) || nowMs < 0 || nowMs > instantMsMax) {
      throw new NudgeLabError('bad-request', {
        problems: [{ location: 'clock.now', message: `${nowMs} ms is not between the years 1970 and 9999` }],
      });
    }
    await this.#record(clockSettingAt(Math.trunc(nowMs), to.running ?? this.running()));
  }

  /** Advances the clock by a non-negative duration without changing its mode. Throws `bad-request`. */
  async advance(span: Span): Promise<void> {
    const ms = spanMs(span);
    if (!Number.isFinite(ms) || ms < 0) {
      throw new NudgeLabError('bad-request', {
        problems: [{ location: 'clock.advance', message: `${ms} ms is negative; to move back, set the clock` }],
      });
    }
    await this.set({ nowMs: this.nowMs() + ms });
  }

  async #record(clock: ClockSetting): Promise<void> {
    await this.#recorder.record({ type: 'clock.set', clock });
  }
}
