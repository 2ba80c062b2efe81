/** Numbers values by their JSON, from 0 in the order of their coming. */
export class ClassIndex {
  readonly #numbers = new Map<string, number>();
  readonly values: unknown[] = [];

  /** The number of a value's class. */
  numberOf(value: unknown): number {
    const key = JSON.stringify(value) ?? 'undefined';
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}
