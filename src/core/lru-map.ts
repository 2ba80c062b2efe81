/** How much a `LruMap` holds. */
export interface LruMapLimits<K, V> {
  /** The most entries. */
  readonly max?: number;
  /** The most that all entries may weigh together; needs `weightOf`. */
  readonly weightMax?: number;
  readonly weightOf?: (value: V) => number;
  /** Is told of an entry that had to make room. */
  readonly onDropped?: (key: K, value: V) => void;
}

interface Held<V> {
  readonly value: V;
  readonly weight: number;
}

/**
 * A map that holds what was used most recently and lets go of the rest, so that no cache grows without bound (decision 054).
 * A value that alone weighs more than all may is not held.
 */
export class LruMap<K, V> {
  readonly #limits: LruMapLimits<K, V>;
  /** In the order of use: a `Map` keeps the order of its insertions, and what is used is inserted again. */
  readonly #held = new Map<K, Held<V>>();
  #weight = 0;

  /** Takes the limits. */
  constructor(limits: LruMapLimits<K, V>) {
    this.#limits = limits;
  }

  /** The value of a key, which is now the one that was used last. */
  get(key: K): V | undefined {
    const held = this.#held.get(key);
    if (held === undefined) return undefined;
    this.#held.delete(key);
    this.#held.set(key, held);
    return held.value;
  }

  /** Whether it holds a key; asking is no use of it. */
  has(key: K): boolean {
    return this.#held.has(key);
  }

  /** Holds a value, and lets go of those unused for longest until the limits are kept. */
  set(key: K, value: V): void {
    const { max = Number.POSITIVE_INFINITY, weightMax = Number.POSITIVE_INFINITY, weightOf } = this.#limits;
    const weight = weightOf?.(value) ?? 0;
    this.delete(key);
    if (weight > weightMax) return;
    this.#held.set(key, { value, weight });
    this.#weight += weight;
    while (this.#held.size > max || this.#weight > weightMax) this.#dropOldest();
  }

  /** Lets go of a key. */
  delete(key: K): void {
    this.#weight -= this.#held.get(key)?.weight ?? 0;
    this.#held.delete(key);
  }

  /** Lets go of everything. */
  clear(): void {
    this.#held.clear();
    this.#weight = 0;
  }

  #dropOldest(): void {
    const [oldest] = this.#held;
    if (oldest === undefined) return;
    const [key, { value }] = oldest;
    this.delete(key);
    this.#limits.onDropped?.(key, value);
  }
}
