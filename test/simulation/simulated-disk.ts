import { crc32 } from 'node:zlib';
import { NudgeLabError } from '../../src/core/errors.ts';

/** What becomes of the bytes that were written and not synced when the machine goes down. */
export interface PowerCut {
  /** How many whole lines still reached the medium, counted round their number. */
  readonly kept: number;
  /** Whether the line after them got half way. */
  readonly torn: boolean;
}

/**
 * A disk that keeps lines, and of them only what was synced. Anyone who writes waits for `sync`, which someone else decides on:
 * so it is as slow as it is told to be. It can fail, and it can be full; both are told at the next sync, and last.
 */
export class SimulatedDisk {
  readonly #synced: string[];
  #pending: string[] = [];
  #waiting: PromiseWithResolvers<void> | null = null;
  #failure: NudgeLabError | null = null;
  #trouble: string | null = null;

  /** Takes the lines that it begins with, as an earlier disk left them. */
  constructor(lines: readonly string[] = []) {
    this.#synced = [...lines];
  }

  /** The lines that are readable: up to the first one whose checksum is wrong. */
  lines(): readonly string[] {
    const damaged = this.#synced.findIndex((line) => !isWhole(line));
    return (damaged === -1 ? this.#synced : this.#synced.slice(0, damaged)).map((line) => line.slice(9));
  }

  /** Throws `store-failed` once writing has failed. */
  refuseFailed(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** Writes a line, which is safe after the next sync. Throws `store-failed`. */
  write(line: string): void {
    this.refuseFailed();
    this.#pending.push(`${seal(line)} ${line}`);
    this.#waiting ??= unheard();
  }

  /** A promise for the sync of all that was written; `null` when all is safe. */
  flushed(): Promise<void> | null {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return this.#waiting?.promise ?? null;
  }

  /** Makes the next sync fail, and all after it. Takes why. */
  breakDown(why: string): void {
    this.#trouble = why;
  }

  /** Syncs all that was written, or fails. Takes how many of the last lines a dishonest disk loses all the same. */
  sync(loses = 0): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    this.#waiting = null;
    const written = this.#pending;
    this.#pending = [];
    if (this.#trouble !== null) {
      this.#failure = new NudgeLabError('store-failed', { message: `The simulated disk: ${this.#trouble}.` });
      // Part of what failed may be on the medium all the same.
      this.#synced.push(...written.slice(0, written.length >> 1));
      waiting.reject(this.#failure);
      return;
    }
    this.#synced.push(...written.slice(0, Math.max(0, written.length - loses)));
    waiting.resolve();
  }

  /** The disk that the next process finds after the power was cut; this one takes nothing more. */
  powerCut({ kept, torn }: PowerCut): SimulatedDisk {
    const lines = [...this.#synced];
    const whole = kept % (this.#pending.length + 1);
    lines.push(...this.#pending.slice(0, whole));
    const next = this.#pending[whole];
    if (torn && next !== undefined) lines.push(next.slice(0, next.length >> 1));
    this.#failure = new NudgeLabError('store-failed', { message: 'The power was cut.' });
    const readable = new SimulatedDisk(lines);
    return new SimulatedDisk(readable.lines().map((line) => `${seal(line)} ${line}`));
  }
}

function seal(line: string): string {
  return crc32(line).toString(16).padStart(8, '0');
}

function isWhole(line: string): boolean {
  return line.slice(0, 8) === seal(line.slice(9));
}

function unheard(): PromiseWithResolvers<void> {
  const waiting = Promise.withResolvers<void>();
  waiting.promise.catch(() => undefined);
  return waiting;
}
