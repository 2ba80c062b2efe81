/** Limits of an `LruMap`. */
export interface LruMapLimits<K, V> {
  /** Maximum number of entries. */
  readonly max?: number;
  /** Maximum total weight of all entries. It requires `computeWeight`. */
  readonly weightMax?: number;
  readonly computeWeight?: (value: V) => number;
  /** Callback for an entry that was evicted. */
  readonly onDropped?: (key: K, value: V) => void;
}

interface Held<V> {
  readonly value: V;
  readonly weight: number;
}

/**
 * Map that stores the most recently used entries and evicts the others, so no cache grows without limit (decision
 * 054). A value that exceeds the total weight by itself is not stored.
 */
export class LruMap<K, V> {
  readonly #limits: LruMapLimits<K, V>;
  /** Entries in order of use. A `Map` preserves insertion order, so a used entry is inserted again. */
  readonly #held = new Map<K, Held<V>>();
  #weight = 0;

  /** Creates an empty map with limits. */
  constructor(limits: LruMapLimits<K, V>) {
    this.#limits = limits;
  }

  /** Returns the value of a key and marks it as most recently used. */
  get(key: K): V | undefined {
    const held = this.#held.get(key);
    if (held === undefined) return undefined;
    this.#held.delete(key);
    this.#held.set(key, held);
    return held.value;
  }

  /** Checks whether a key is stored, without marking it as used. */
  has(key: K): boolean {
    return this.#held.has(key);
  }

  /** Stores a value, and evicts the least recently used entries beyond the limits. */
  set(key: K, value: V): void {
    const { max = Number.POSITIVE_INFINITY, weightMax = Number.POSITIVE_INFINITY, computeWeight } = this.#limits;
    const weight = computeWeight?.(value) ?? 0;
    this.delete(key);
    if (weight > weightMax) return;
    this.#held.set(key, { value, weight });
    this.#weight += weight;
    while (this.#held.size > max || this.#weight > weightMax) this.#dropOldest();
  }

  /** Removes a key. */
  delete(key: K): void {
    this.#weight -= this.#held.get(key)?.weight ?? 0;
    this.#held.delete(key);
  }

  /** Removes all entries. */
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
