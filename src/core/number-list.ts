/** Form in which a `NumberList` stores its numbers. */
export type NumberForm = 'float64' | 'uint32';

/** Number of numbers per block. */
const blockNumbers = 4_096;

const blockTypes = { float64: Float64Array, uint32: Uint32Array } as const;

/**
 * Append-only list of numbers in blocks of a fixed size, so a long list needs no more memory than its numbers, and
 * growing never copies it.
 */
export class NumberList {
  readonly #form: NumberForm;
  readonly #blocks: (Float64Array | Uint32Array)[] = [];
  #length = 0;

  /** Creates an empty list of times (`float64`), or of integers from 0 below 2^32 (`uint32`). */
  constructor(form: NumberForm) {
    this.#form = form;
  }

  get length(): number {
    return this.#length;
  }

  /** Appends a number. */
  push(value: number): void {
    const place = this.#length % blockNumbers;
    if (place === 0) this.#blocks.push(new blockTypes[this.#form](blockNumbers));
    this.#length += 1;
    this.set(this.#length - 1, value);
  }

  /** Returns the number at an index. Throws `RangeError` outside the list. */
  at(index: number): number {
    const value = this.#findBlock(index)[index % blockNumbers];
    return value ?? failOutside(index, this.#length);
  }

  /** Replaces the number at an index. Throws `RangeError` outside the list. */
  set(index: number, value: number): void {
    const block = this.#findBlock(index);
    if (!Number.isInteger(index)) failOutside(index, this.#length);
    block[index % blockNumbers] = value;
  }

  /** Counts the numbers up to a maximum. The numbers must be in ascending order. */
  countUpTo(max: number): number {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.at(middle) > max) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #findBlock(index: number): Float64Array | Uint32Array {
    const block = index < this.#length ? this.#blocks[Math.floor(index / blockNumbers)] : undefined;
    return block ?? failOutside(index, this.#length);
  }
}

function failOutside(index: number, length: number): never {
  throw new RangeError(`A list of ${length} numbers has none at ${index}.`);
}
