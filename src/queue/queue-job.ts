import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Name of the queue between senders and workers, and prefix of its keys in Redis. */
export const queueName = 'jobs';
export const queuePrefix = 'nudgelab';

/** Job in the queue. It contains everything that the worker needs; its name is the job type. */
export interface SentJob {
  /** `programText` of the sender; `null` if the job type verifies the worker's version itself. */
  readonly program: string | null;
  readonly payload: unknown;
  /** Value of `traceparent` of the sender, whose trace the worker continues. */
  readonly traceparent?: string;
}

/** Worker implementation of one job type. */
export interface JobKind {
  readonly name: string;
  /**
   * Runs a job. `onProgress` reports that the job is alive. Returns the result as JSON data. Throws `PermanentJobError`
   * if a retry would fail in the same way.
   */
  readonly work: (payload: unknown, onProgress: (share: number) => Promise<unknown>) => Promise<unknown>;
  /** Returns the counts of a finished job for the worker's statistics, such as `{ users: 131072 }`. */
  readonly counts: (payload: unknown) => Readonly<Record<string, number>>;
}

/** Job failure that a retry cannot fix. */
export class PermanentJobError extends Error {
  override readonly name = 'PermanentJobError';
}

/** Maximum size in bytes of unpacked text; larger text was not packed by this program. */
const unpackedBytesMax = 536_870_912;

/** Packs a value for sending: its JSON, deflated, in base64. */
export function packJson(value: unknown): string {
  return deflateRawSync(JSON.stringify(value), { level: 1 }).toString('base64');
}

/**
 * Unpacks a value from `packJson`.
 * @throws an error for any other text
 */
export function unpackJson(text: string): unknown {
  const bytes = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: unpackedBytesMax });
  return JSON.parse(bytes.toString('utf8'));
}
