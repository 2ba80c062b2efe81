import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Ruleset } from '../../machines/vocabulary.ts';
import type { ForecastDescription } from '../contract/forecast.schema.ts';
import type { OwnForecastDescription } from '../contract/own-forecast.schema.ts';
import type { OwnEngine } from './own/own-engines.ts';

/** Names of the job types for partitions of forecasts: of registration campaigns, and of own rulesets. */
export const partitionKindName = 'forecast';
export const ownPartitionKindName = 'own-forecast';

/** Users to simulate. The end is exclusive. */
export interface PartitionRange {
  readonly seed: number;
  readonly firstUser: number;
  readonly endUser: number;
}

/** Partition of a forecast as sent to a worker. It contains everything that the worker needs. */
export interface PartitionJob extends PartitionRange {
  /** Digest of the tables that the sender compiled. A worker of another version computes a different digest. */
  readonly tables: string;
  readonly description: ForecastDescription;
  /** Ruleset of a file as data; omitted for a built-in one (OC37). */
  readonly ruleset?: Ruleset;
}

/** Partition of the forecast of an own ruleset as sent to a worker. */
export interface OwnPartitionJob extends PartitionRange {
  /** Digest of the draws of the sender. */
  readonly draws: string;
  readonly description: OwnForecastDescription;
  readonly engine: OwnEngine;
  /** Ruleset as the module that reads rulesets sends it (OC37). */
  readonly ruleset: unknown;
}

/** Result of a partition from a worker. */
export interface PartitionResult {
  /** Counters in the order of `CounterLayout`, compressed and encoded in base64. */
  readonly counters: string;
  readonly digest: number;
}

/** Packs counters for sending. */
export function packCounters(counters: Int32Array): string {
  const bytes = new Uint8Array(counters.buffer, counters.byteOffset, counters.byteLength);
  return deflateRawSync(bytes, { level: 1 }).toString('base64');
}

/** Unpacks counters. Throws a `RangeError` if their number is not the expected one. */
export function unpackCounters(text: string, size: number): Int32Array {
  const bytes = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: size * Int32Array.BYTES_PER_ELEMENT });
  if (bytes.length !== size * Int32Array.BYTES_PER_ELEMENT)
    throw new RangeError(`The job returned ${bytes.length} bytes.`);
  return new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
