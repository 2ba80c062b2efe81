import { afterPendingInput } from '../../../core/clock.ts';
import { WireIds } from '../wire-ids.ts';

/** Lists the ids in responses that the rows of a record can have. */
type ListIds = (index: number, wireIds: WireIds) => readonly string[];

/** Rows of a log by their ids in each form. */
export type RowIdsByForm = Readonly<Record<WireIds['form'], RowIds>>;

/** Creates the rows by id of a log. They are read when an id is first looked up. */
export function createRowIds(records: { readonly length: number }, listIds: ListIds): RowIdsByForm {
  const create = (form: WireIds['form']) => {
    const wireIds = new WireIds(form);
    return new RowIds(records, (index) => listIds(index, wireIds));
  };
  return { facts: create('facts'), guid: create('guid') };
}

/** Number of records after which other requests are served. */
const sliceRecords = 1_000;

/** Number of slots of an empty table. Tables have a power of two as their size. */
const slotsMin = 1_024;

/** Highest share of used slots. */
const loadMax = 0.7;

/**
 * Finds the records of rows by their ids in one form. Ids are hashed into a table of eight bytes per slot; the records confirm
 * which of them match. Each search adds the records since the last one, so no record is read twice.
 */
export class RowIds {
  readonly #records: { readonly length: number };
  readonly #listIds: (index: number) => readonly string[];
  /** Number of records in the table. */
  #known = 0;
  #used = 0;
  /** Index of a record and 1, or 0 for an empty slot. */
  #slots = new Uint32Array(slotsMin);
  #hashes = new Uint32Array(slotsMin);

  constructor(records: { readonly length: number }, listIds: (index: number) => readonly string[]) {
    this.#records = records;
    this.#listIds = listIds;
  }

  /** Returns the indexes of the records that can have a row with an id in responses, without regard to case. */
  async find(id: string): Promise<readonly number[]> {
    await this.#extend();
    const hash = computeHash(id);
    const found: number[] = [];
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.#hashes[slot] === hash) found.push((this.#slots[slot] ?? 0) - 1);
    }
    return found;
  }

  /** Adds the records that the table lacks. Several searches can do so together. */
  async #extend(): Promise<void> {
    while (this.#known < this.#records.length) {
      for (const id of this.#listIds(this.#known)) this.#add(computeHash(id), this.#known + 1);
      this.#known += 1;
      if (this.#known % sliceRecords === 0) await new Promise<void>(afterPendingInput);
    }
  }

  #add(hash: number, value: number): void {
    if (this.#used >= this.#slots.length * loadMax) this.#grow();
    this.#used += 1;
    this.#put(hash, value);
  }

  #put(hash: number, value: number): void {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = value;
    this.#hashes[slot] = hash;
  }

  #grow(): void {
    const [slots, hashes] = [this.#slots, this.#hashes];
    this.#slots = new Uint32Array(slots.length * 2);
    this.#hashes = new Uint32Array(slots.length * 2);
    for (const [slot, value] of slots.entries()) if (value !== 0) this.#put(hashes[slot] ?? 0, value);
  }
}

/** Computes a hash of 32 bits (FNV-1a) from an id in lower case. */
function computeHash(id: string): number {
  let hash = 0x811c9dc5;
  const lower = id.toLowerCase();
  for (let place = 0; place < lower.length; place += 1) {
    hash = Math.imul(hash ^ lower.charCodeAt(place), 0x01000193);
  }
  // The low bits of similar ids are mixed with the high ones.
  return (hash ^ (hash >>> 15)) >>> 0;
}
