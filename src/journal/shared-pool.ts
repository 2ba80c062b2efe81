/** Number of a shared object, in order of first mention. */
export type SharedNumber = number;

/** Assigns numbers to objects at their first mention. */
export class SharedPool {
  readonly #numbers = new Map<object, SharedNumber>();
  #added: object[] = [];

  /** Creates the pool. `first` gets number 0 and is written elsewhere. */
  constructor(first: object) {
    this.#numbers.set(first, 0);
  }

  /** Returns the number of an object, which is a new one at its first mention. */
  getNumber(object: object): SharedNumber {
    const known = this.#numbers.get(object);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(object, number);
    this.#added.push(object);
    return number;
  }

  /** Returns the objects that were first mentioned since the last call. */
  added(): readonly object[] {
    const added = this.#added;
    this.#added = [];
    return added;
  }
}
