import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The queue that senders and workers meet at, and what its keys in Redis begin with. */
export const queueName = 'jobs';
export const queuePrefix = 'nudgelab';

/** A job as it stands in the queue. It says all that the worker needs; its name is its kind. */
export interface SentJob {
  /** `programText` of the sender; `null` for a kind that finds out by itself whether the worker is of its version. */
  readonly program: string | null;
  readonly payload: unknown;
}

/** What a worker does for jobs of one kind. */
export interface JobKind {
  readonly name: string;
  /**
   * Does a job. Takes what the sender said, and how to tell the queue that the job is alive. Returns the result, which travels as
   * JSON. Throws `PermanentJobError` where another attempt would come to the same.
   */
  readonly work: (payload: unknown, onProgress: (share: number) => Promise<unknown>) => Promise<unknown>;
  /** What a finished job counts as, for the worker's own account: `{ users: 131072 }`. */
  readonly counts: (payload: unknown) => Readonly<Record<string, number>>;
}

/** A job that no other attempt mends. */
export class PermanentJobError extends Error {
  override readonly name = 'PermanentJobError';
}

/** The largest text that is unpacked: what is larger was never packed here. */
const unpackedBytesMax = 536_870_912;

/** Packs a value to be sent: its JSON, deflated, in base64. */
export function packJson(value: unknown): string {
  return deflateRawSync(JSON.stringify(value), { level: 1 }).toString('base64');
}

/** Unpacks what was packed. Throws for a text that was not. */
export function unpackJson(text: string): unknown {
  const bytes = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: unpackedBytesMax });
  return JSON.parse(bytes.toString('utf8'));
}
