import { instantMsMax } from './limits.ts';
import { machineNow } from './sandbox-date.ts';

/**
 * Time. This folder alone reads the machine's clock; everything else is told the time or asks a virtual clock.
 */

/** Reads the machine's clock, in ms since the epoch. */
export function machineNowMs(): number {
  return machineNow();
}

/** Ms of real time since some moment of the past; it never goes back. */
export function monotonicMs(): number {
  return performance.now();
}

/** A stopwatch for reports: returns a function that tells the ms since the call. */
export function stopwatch(): () => number {
  const startMs = performance.now();
  return () => performance.now() - startMs;
}

/** Writes an instant as ISO 8601 in UTC with milliseconds. Takes ms since the epoch. */
export function toInstant(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Formats a time in milliseconds as an ISO 8601 instant; `null` if there is no time. */
export function toInstantOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toInstant(atMs);
}

const dateForm = /^(\d{4}|[+-]\d{6})-(\d\d)-(\d\d)/;
const timeForm = /^T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * Reads an ISO 8601 instant: a date of the calendar, with a time and its zone or without both for midnight in UTC. Returns ms
 * since the epoch, or `null` when the text is none. A time without a zone would be another instant on each machine.
 */
export function parseInstant(text: string): number | null {
  const [date = '', year, month, day] = dateForm.exec(text) ?? [];
  const time = text.slice(date.length);
  if (date === '' || Number(day) > daysOf(Number(year), Number(month)) || !(time === '' || timeForm.test(time))) {
    return null;
  }
  return parseDate(text.toUpperCase());
}

/** Days of a month of the calendar, from 1. */
function daysOf(year: number, month: number): number {
  const end = new Date(0);
  end.setUTCFullYear(year, month, 0);
  return end.getUTCDate();
}

/** Reads a date in whatever form the platform knows, as certificates write theirs; `null` when the text is none. */
export function parseDate(text: string): number | null {
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : atMs;
}

/** What a virtual clock needs to go on: the offset to the machine's clock while running, or the time it stands at. */
export type ClockSetting =
  | { readonly running: true; readonly offsetMs: number }
  | { readonly running: false; readonly nowMs: number };

/** The clock of one sandbox: frozen at a time, or running at real speed from any time. */
export class VirtualClock {
  #setting: ClockSetting;

  /** Takes the setting to begin with. */
  constructor(setting: ClockSetting) {
    this.#setting = setting;
  }

  /** The virtual time in whole ms since the epoch. A running clock stops at the last instant that there is, and stays there. */
  nowMs(): number {
    if (!this.#setting.running) return this.#setting.nowMs;
    return Math.min(machineNowMs() + this.#setting.offsetMs, instantMsMax);
  }

  get running(): boolean {
    return this.#setting.running;
  }

  /** The setting as journaled. */
  get setting(): ClockSetting {
    return this.#setting;
  }

  /** Replaces the setting. */
  apply(setting: ClockSetting): void {
    this.#setting = setting;
  }
}

/** The setting of a clock that shows `nowMs` now and runs or stands from there. */
export function clockSettingAt(nowMs: number, running: boolean): ClockSetting {
  return running ? { running, offsetMs: nowMs - machineNowMs() } : { running, nowMs };
}

/** Runs a task once the requests that have already arrived were handled; returns nothing. */
export function afterPendingInput(task: () => void): void {
  setImmediate(task);
}

/** Runs a task after a delay in ms of real time; returns the cancellation. It never keeps the process alive. */
export function afterDelay(delayMs: number, task: () => void): () => void {
  const timer = setTimeout(task, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** An instant as the `Date` that some libraries insist on. Takes ms since the epoch. */
export function toDate(atMs: number): Date {
  return new Date(atMs);
}
