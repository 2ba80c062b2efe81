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

interface LruEntry<V> {
  value: V;
  readonly weight: number;
}

/**
 * Map that stores the most recently used entries and evicts the others, so no cache grows without limit (decision
 * 054). A value that exceeds the total weight by itself is not stored.
 */
export class LruMap<K, V> {
  readonly #limits: LruMapLimits<K, V>;
  /** Entries in order of use. A `Map` preserves insertion order, so a used entry is inserted again. */
  readonly #entries = new Map<K, LruEntry<V>>();
  /** Entry that is the last one in the order, if it was not deleted since. Clients often repeat a request. */
  #newest: LruEntry<V> | null = null;
  #weight = 0;

  /** Creates an empty map with limits. */
  constructor(limits: LruMapLimits<K, V>) {
    this.#limits = limits;
  }

  /** Returns the value of a key and marks it as most recently used. */
  get(key: K): V | undefined {
    const lruEntry = this.#entries.get(key);
    if (lruEntry === undefined) return undefined;
    if (lruEntry !== this.#newest) {
      this.#entries.delete(key);
      this.#entries.set(key, lruEntry);
      this.#newest = lruEntry;
    }
    return lruEntry.value;
  }

  /** Checks whether a key is stored, without marking it as used. */
  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Stores a value, and evicts the least recently used entries beyond the limits. */
  set(key: K, value: V): void {
    const { max = Number.POSITIVE_INFINITY, weightMax = Number.POSITIVE_INFINITY, computeWeight } = this.#limits;
    const weight = computeWeight?.(value) ?? 0;
    const known = this.#entries.get(key);
    if (known !== undefined && known === this.#newest && known.weight === weight) {
      known.value = value;
      return;
    }
    this.delete(key);
    if (weight > weightMax) return;
    this.#newest = { value, weight };
    this.#entries.set(key, this.#newest);
    this.#weight += weight;
    while (this.#entries.size > max || this.#weight > weightMax) this.#dropOldest();
  }

  /** Removes a key. */
  delete(key: K): void {
    const lruEntry = this.#entries.get(key);
    if (lruEntry === undefined) return;
    this.#weight -= lruEntry.weight;
    this.#entries.delete(key);
    if (lruEntry === this.#newest) this.#newest = null;
  }

  /** Removes all entries. */
  clear(): void {
    this.#entries.clear();
    this.#newest = null;
    this.#weight = 0;
  }

  #dropOldest(): void {
    const [oldest] = this.#entries;
    if (oldest === undefined) return;
    const [key, { value }] = oldest;
    this.delete(key);
    this.#limits.onDropped?.(key, value);
  }
}
