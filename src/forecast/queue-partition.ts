import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ForecastDescription } from '../contract/forecast.schema.ts';

/** The kind of the jobs that forecasts are cut into. */
export const partitionKindName = 'forecast';

/** One partition of a forecast as it is sent to a worker. It says all that the worker needs. */
export interface PartitionJob {
  /** Digest of the tables that the sender compiled; a worker of another version comes to another one. */
  readonly tables: string;
  readonly description: ForecastDescription;
  readonly seed: number;
  readonly firstUser: number;
  readonly endUser: number;
}

/** What a worker counted. */
export interface PartitionResult {
  /** The counters by `CounterLayout`, deflated, in base64. */
  readonly counters: string;
  readonly digest: number;
}

/** Packs counters to be sent. */
export function packCounters(counters: Int32Array): string {
  const bytes = new Uint8Array(counters.buffer, counters.byteOffset, counters.byteLength);
  return deflateRawSync(bytes, { level: 1 }).toString('base64');
}

/** Unpacks counters. Throws a `RangeError` when there are not as many as expected. */
export function unpackCounters(text: string, size: number): Int32Array {
  const bytes = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: size * Int32Array.BYTES_PER_ELEMENT });
  if (bytes.length !== size * Int32Array.BYTES_PER_ELEMENT) throw new RangeError(`${bytes.length} bytes came back.`);
  return new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
