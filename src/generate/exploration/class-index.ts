/** Assigns a number to each distinct JSON value, from 0 in order of arrival. */
export class ClassIndex {
  readonly #numbers = new Map<string, number>();
  readonly values: unknown[] = [];

  /** Returns the class number of a value. */
  getNumber(value: unknown): number {
    const key = JSON.stringify(value) ?? 'undefined';
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}
