import { crc32 } from 'node:zlib';
import { NudgeLabError } from '../../src/core/errors.ts';

/** Effect of a power cut on bytes that were written but not synced. */
export interface PowerCut {
  /** Number of complete lines that still reached the medium, modulo the number of pending lines. */
  readonly kept: number;
  /** True if half of the next line was also written. */
  readonly torn: boolean;
}

/**
 * Simulated disk that keeps only the synced lines. Writers wait for `sync`, which the simulation controls, so the
 * disk is as slow as the simulation requires. It can fail and it can be full. Both conditions are reported at the
 * next sync and are permanent.
 */
export class SimulatedDisk {
  readonly #synced: string[];
  #pending: string[] = [];
  #waiting: PromiseWithResolvers<void> | null = null;
  #failure: NudgeLabError | null = null;
  #trouble: string | null = null;

  /** Creates a disk with the lines that an earlier disk contained. */
  constructor(lines: readonly string[] = []) {
    this.#synced = [...lines];
  }

  /** Returns the readable lines: all before the first line with a wrong checksum. */
  lines(): readonly string[] {
    const damaged = this.#synced.findIndex((line) => !isWhole(line));
    return (damaged === -1 ? this.#synced : this.#synced.slice(0, damaged)).map((line) => line.slice(9));
  }

  /** Throws `store-failed` once a write has failed. */
  refuseFailed(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** Writes a line, which is durable after the next sync. Throws `store-failed` once a write has failed. */
  write(line: string): void {
    this.refuseFailed();
    this.#pending.push(`${seal(line)} ${line}`);
    this.#waiting ??= unheard();
  }

  /** Returns a promise for the sync of all written lines, or `null` if all are synced. */
  flushed(): Promise<void> | null {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return this.#waiting?.promise ?? null;
  }

  /** Makes the next sync and all later ones fail with the given reason. */
  breakDown(why: string): void {
    this.#trouble = why;
  }

  /** Syncs all written lines, or fails. A faulty disk silently loses the given number of last lines. */
  sync(loses = 0): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    this.#waiting = null;
    const written = this.#pending;
    this.#pending = [];
    if (this.#trouble !== null) {
      this.#failure = new NudgeLabError('store-failed', { message: `The simulated disk: ${this.#trouble}.` });
      // A part of the failed write may still be on the medium.
      this.#synced.push(...written.slice(0, written.length >> 1));
      waiting.reject(this.#failure);
      return;
    }
    this.#synced.push(...written.slice(0, Math.max(0, written.length - loses)));
    waiting.resolve();
  }

  /** Returns the disk that the next process finds after a power cut. This disk accepts no further writes. */
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
