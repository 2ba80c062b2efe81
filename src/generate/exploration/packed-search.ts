import { NudgeLabError } from '../../core/errors.ts';
import type { PackedTable } from './packed-table.ts';

/** Maximum number of packed state codes; each needs one bit. */
const codesMax = 2 ** 31;

/** Result of a search. A state's number is its index in the order of discovery. */
export interface Found {
  /** Packed codes by state number. */
  readonly codes: Uint32Array;
  /** Number of the state from which each state was discovered; the first state has its own number. */
  readonly from: Uint32Array;
  /** Number of the action that led to each state. */
  readonly by: Uint16Array;
  /** First state for each table and each violation number. */
  readonly breaches: readonly FoundViolation[];
}

export interface FoundViolation {
  readonly state: number;
  readonly table: PackedTable;
  /** Index in the table's `breaches`. */
  readonly breach: number;
}

/**
 * Runs a breadth-first search over packed states. For each code, a row of each table gives the differences to all next
 * codes. Throws `state-space-too-large` above the limit.
 */
export function packedSearch(
  tables: readonly PackedTable[],
  sizes: readonly number[],
  first: number,
  limitStates: number,
): Found {
  const space = sizes.reduce((all, size) => all * size, 1);
  if (space > codesMax) throw tooLarge(`The parts have ${space} combinations; the maximum is ${codesMax}.`);
  const capacity = Math.min(space, limitStates);
  const search = new Search(tables, sizes, first, space, capacity);
  if (!search.run()) throw tooLarge(`The state space has more than ${limitStates} reachable states.`);
  return search.found();
}

function tooLarge(message: string): NudgeLabError {
  return new NudgeLabError('state-space-too-large', { message });
}

class Search {
  readonly #tables: readonly PackedTable[];
  readonly #sizes: Uint32Array;
  readonly #seen: Uint32Array;
  readonly #codes: Uint32Array;
  readonly #from: Uint32Array;
  readonly #by: Uint16Array;
  readonly #breaches: FoundViolation[] = [];
  #count = 1;

  constructor(
    tables: readonly PackedTable[],
    sizes: readonly number[],
    first: number,
    space: number,
    capacity: number,
  ) {
    this.#tables = tables;
    this.#sizes = Uint32Array.from(sizes);
    this.#seen = new Uint32Array((space >>> 5) + 1);
    this.#codes = new Uint32Array(capacity);
    this.#from = new Uint32Array(capacity);
    this.#by = new Uint16Array(capacity);
    this.#codes[0] = first;
    this.#seen[first >>> 5] = 1 << (first & 31);
  }

  /** Runs the search. Returns `false` if there are more states than the limit. */
  run(): boolean {
    const sizes = this.#sizes;
    const states = new Uint32Array(sizes.length);
    for (let head = 0; head < this.#count; head += 1) {
      let rest = this.#codes[head] as number;
      for (let part = 0; part < sizes.length; part += 1) {
        const size = sizes[part] as number;
        const above = (rest / size) | 0;
        states[part] = rest - above * size;
        rest = above;
      }
      for (const table of this.#tables) {
        if (!this.#follow(table, states, head)) return false;
      }
    }
    return true;
  }

  found(): Found {
    const end = this.#count;
    return {
      codes: this.#codes.subarray(0, end),
      from: this.#from.subarray(0, end),
      by: this.#by.subarray(0, end),
      breaches: this.#breaches,
    };
  }

  /**
   * Discovers the states that one table leads to. As the innermost loop, it only reads typed arrays and allocates
   * nothing.
   */
  #follow(table: PackedTable, states: Uint32Array, head: number): boolean {
    const { axes, offsets, deltas, actions, flags } = table;
    const [seen, codes] = [this.#seen, this.#codes];
    const code = codes[head] as number;
    let row = 0;
    for (const { part, rowOf } of axes) row += rowOf[states[part] as number] as number;
    const end = offsets[row + 1] as number;
    for (let at = offsets[row] as number; at < end; at += 1) {
      const next = code + (deltas[at] as number);
      const bit = 1 << (next & 31);
      const word = seen[next >>> 5] as number;
      if ((word & bit) !== 0) continue;
      if (this.#count === codes.length) return false;
      seen[next >>> 5] = word | bit;
      codes[this.#count] = next;
      this.#from[this.#count] = head;
      this.#by[this.#count] = actions[at] as number;
      this.#count += 1;
    }
    if (flags !== null && flags[row] !== 0) this.#noteBreach(table, head, (flags[row] as number) - 1);
    return true;
  }

  #noteBreach(table: PackedTable, state: number, breach: number): void {
    if (this.#breaches.some((noted) => noted.table === table && noted.breach === breach)) return;
    this.#breaches.push({ state, table, breach });
  }
}
