import { defaultSandboxId } from '../../../core/default-sandbox.ts';

/** Names of the tenants of sandboxes. Their case plays no part. */
export class TenantIndex {
  /** Ids of sandboxes by name in lower case. */
  readonly #byName = new Map<string, Set<string>>();
  readonly #names = new Map<string, readonly string[]>();
  /** Places of the sandboxes in the order in which they were added. */
  readonly #places = new Map<string, number>();
  #lastPlace = 0;

  /** Returns the ids of all sandboxes in the index. */
  ids(): readonly string[] {
    return [...this.#names.keys()];
  }

  /** Adds a sandbox, or replaces the names of its tenant. */
  set(id: string, names: readonly string[]): void {
    if (!this.#places.has(id)) this.#lastPlace += 1;
    const place = this.#places.get(id) ?? this.#lastPlace;
    this.remove(id);
    this.#places.set(id, place);
    this.#names.set(id, names);
    for (const name of names) {
      const ids = this.#byName.get(name.toLowerCase()) ?? new Set();
      this.#byName.set(name.toLowerCase(), ids.add(id));
    }
  }

  /** Removes a sandbox. */
  remove(id: string): void {
    for (const name of this.#names.get(id) ?? []) {
      const ids = this.#byName.get(name.toLowerCase());
      ids?.delete(id);
      if (ids?.size === 0) this.#byName.delete(name.toLowerCase());
    }
    this.#names.delete(id);
    this.#places.delete(id);
  }

  /** Lists the sandboxes whose tenant has a name: the default one first, then in the order in which they were added. */
  list(name: string): readonly string[] {
    const ids = [...(this.#byName.get(name.toLowerCase()) ?? [])];
    const getPlace = (id: string) => (id === defaultSandboxId ? 0 : (this.#places.get(id) ?? 0));
    return ids.length < 2 ? ids : ids.toSorted((a, b) => getPlace(a) - getPlace(b));
  }
}
