import { journeyFormat } from '../../contract/journey.schema.ts';

/** Bytes of a file, of which the first ones are known. */
export interface PeekedBytes {
  readonly first: Uint8Array;
  /** All bytes, with the first ones. */
  readonly all: AsyncIterable<Uint8Array>;
}

/** Reads the first chunk of a file. */
export async function peekBytes(chunks: AsyncIterable<Uint8Array>): Promise<PeekedBytes> {
  const iterator = chunks[Symbol.asyncIterator]();
  const start = await iterator.next();
  const first = start.done === true ? new Uint8Array() : start.value;
  async function* all(): AsyncGenerator<Uint8Array, void> {
    yield first;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { first, all: all() };
}

/** Checks whether a file starts like a journey. */
export function isJourneyStart(first: Uint8Array): boolean {
  const head = Buffer.from(first.subarray(0, 200)).toString('utf8');
  return head.includes(`"format":"${journeyFormat}"`);
}
