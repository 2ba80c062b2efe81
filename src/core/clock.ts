import { instantMsMax } from './limits.ts';
import { machineNow } from './sandbox-date.ts';

/**
 * Time functions. Only this folder reads the machine's clock. All other modules receive the time or use a virtual
 * clock.
 */

/** Returns the time of the machine's clock in milliseconds since the epoch. */
export function machineNowMs(): number {
  return machineNow();
}

/** Returns milliseconds of real time since a fixed moment in the past. The value never decreases. */
export function monotonicMs(): number {
  return performance.now();
}

/**
 * Returns the time of the machine in milliseconds since the epoch with fractions, for traces. Adjustments of the
 * machine's clock after the start of the process have no effect.
 */
export function preciseNowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Starts a stopwatch for reports. The returned function gives the elapsed milliseconds. */
export function stopwatch(): () => number {
  const startMs = performance.now();
  return () => performance.now() - startMs;
}

/** Longest interval of a timer of Node.js in milliseconds. */
const timerMsMax = 2 ** 31 - 1;

/** Latest formatted instant, because the responses of a frozen clock repeat one, and formatting takes microseconds. */
const latest = { atMs: 0, text: new Date(0).toISOString() };

/** Formats milliseconds since the epoch as an ISO 8601 instant in UTC with milliseconds. */
export function toInstant(atMs: number): string {
  if (atMs !== latest.atMs) {
    latest.text = new Date(atMs).toISOString();
    latest.atMs = atMs;
  }
  return latest.text;
}

/** Formats a time in milliseconds as an ISO 8601 instant; `null` if there is no time. */
export function toInstantOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toInstant(atMs);
}

const dateForm = /^(\d{4}|[+-]\d{6})-(\d\d)-(\d\d)/;
const timeForm = /^T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * Parses an ISO 8601 instant: a date with a time and a time zone, or only a date for midnight in UTC. A time
 * without a zone is invalid, because it would be a different instant on each machine. Returns milliseconds since
 * the epoch; `null` if the text is invalid.
 */
export function parseInstant(text: string): number | null {
  const [date = '', year, month, day] = dateForm.exec(text) ?? [];
  const time = text.slice(date.length);
  if (date === '' || Number(day) > countDays(Number(year), Number(month)) || !(time === '' || timeForm.test(time))) {
    return null;
  }
  return parseDate(text.toUpperCase());
}

/** Returns the number of days of a calendar month, where 1 is January. */
function countDays(year: number, month: number): number {
  const end = new Date(0);
  end.setUTCFullYear(year, month, 0);
  return end.getUTCDate();
}

/**
 * Parses a date in any format that the platform supports, as certificates use it. Returns milliseconds since the
 * epoch; `null` if the text is invalid.
 */
export function parseDate(text: string): number | null {
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : atMs;
}

/** State of a virtual clock: the offset to the machine's clock if it is running, or its time if it is frozen. */
export type ClockSetting =
  | { readonly running: true; readonly offsetMs: number }
  | { readonly running: false; readonly nowMs: number };

/** Virtual clock of one sandbox. It is frozen, or runs at real speed from any instant. */
export class VirtualClock {
  #setting: ClockSetting;

  /** Creates a clock with an initial setting. */
  constructor(setting: ClockSetting) {
    this.#setting = setting;
  }

  /**
   * Returns the virtual time in milliseconds since the epoch. A running clock stops at the latest supported instant.
   */
  nowMs(): number {
    if (!this.#setting.running) return this.#setting.nowMs;
    return Math.min(machineNowMs() + this.#setting.offsetMs, instantMsMax);
  }

  get running(): boolean {
    return this.#setting.running;
  }

  /** Current setting, as recorded in the journal. */
  get setting(): ClockSetting {
    return this.#setting;
  }

  /** Replaces the setting. */
  apply(setting: ClockSetting): void {
    this.#setting = setting;
  }
}

/** Returns the setting of a clock that currently shows `nowMs` and is running or frozen. */
export function clockSettingAt(nowMs: number, running: boolean): ClockSetting {
  return running ? { running, offsetMs: nowMs - machineNowMs() } : { running, nowMs };
}

/** Runs a task as soon as the code that is running has returned, before any other input is handled. */
export function afterThisCode(task: () => void): void {
  queueMicrotask(task);
}

/** Runs a task after the requests that have already arrived were handled. */
export function afterPendingInput(task: () => void): void {
  setImmediate(task);
}

/**
 * Runs a task after a delay in milliseconds of real time. Returns the function that cancels it. The delay never
 * keeps the process running.
 */
export function afterDelay(delayMs: number, task: () => void): () => void {
  const timer = setTimeout(task, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Keeps the process running until the returned function is called. */
export function keepRunning(): () => void {
  const timer = setInterval(() => undefined, timerMsMax);
  return () => clearInterval(timer);
}

/** Converts milliseconds since the epoch to a `Date`, which some libraries require. */
export function toDate(atMs: number): Date {
  return new Date(atMs);
}
