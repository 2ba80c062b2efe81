import { dayMs } from '../../machines/campaign-limits.ts';
import { type ClockSetting, clockSettingAt } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { instantMsMax } from '../core/limits.ts';
import type { Recorder } from './recorder.ts';

/** A span of virtual time; the parts add up. */
export interface Span {
  readonly days?: number | undefined;
  readonly hours?: number | undefined;
  readonly minutes?: number | undefined;
  readonly ms?: number | undefined;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** The length of a span in ms. */
export function spanMs({ days = 0, hours = 0, minutes = 0, ms = 0 }: Span): number {
  return days * dayMs + hours * hourMs + minutes * minuteMs + ms;
}

/** The virtual clock of one sandbox; every change of it is an input of the journal. */
export class ClockController {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** The virtual time in ms since the epoch. */
  nowMs(): number {
    return this.#recorder.nowMs();
  }

  /** Whether the clock runs at real speed or stands. */
  running(): boolean {
    return this.#recorder.clock.running;
  }

  /** Sets time, speed or both; what is left out stays. Back is allowed: elapsed time is then zero. Throws `bad-request`. */
  async set(to: { readonly nowMs?: number; readonly running?: boolean }): Promise<void> {
    const nowMs = to.nowMs ?? this.nowMs();
    if (!Number.isFinite(nowMs) || nowMs < 0 || nowMs > instantMsMax) {
      throw new NudgeLabError('bad-request', {
        problems: [{ location: 'clock.now', message: `${nowMs} ms is not between 1970 and 9999` }],
      });
    }
    await this.#record(clockSettingAt(Math.trunc(nowMs), to.running ?? this.running()));
  }

  /** Advances the clock by a span that is not negative; running or standing stays. Throws `bad-request`. */
  async advance(span: Span): Promise<void> {
    const ms = spanMs(span);
    if (!Number.isFinite(ms) || ms < 0) {
      throw new NudgeLabError('bad-request', {
        problems: [{ location: 'clock.advance', message: `${ms} ms is negative; set the clock to go back` }],
      });
    }
    await this.set({ nowMs: this.nowMs() + ms });
  }

  async #record(clock: ClockSetting): Promise<void> {
    await this.#recorder.record({ type: 'clock.set', clock });
  }
}
