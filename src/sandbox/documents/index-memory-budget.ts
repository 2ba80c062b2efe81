import { indexRowsMax } from '../../contract/document-limits.ts';

/** Index that can be discarded, because it can be built again. */
export interface ForgettableIndex {
  /** Releases the memory of the index unless it is being built. Returns true if the memory was released. */
  forget(): boolean;
}

/**
 * Memory budget shared by the indexes of all sandboxes in a process. The budget holds only weak references, so the
 * index of a deleted sandbox is garbage-collected.
 */
export class IndexMemoryBudget {
  readonly #rowsMax: number;
  /** Size of each index, least recently used first. */
  #held: readonly { readonly index: WeakRef<ForgettableIndex>; readonly rows: number }[] = [];

  /** Creates a budget for a total number of rows in all indexes. */
  constructor(rowsMax: number = indexRowsMax) {
    this.#rowsMax = rowsMax;
  }

  /**
   * Records the new size of an updated index. Other indexes are discarded if the budget is exceeded, but never this
   * one.
   */
  note(index: ForgettableIndex, rows: number): void {
    const others = this.#held.filter(({ index: held }) => ![index, undefined].includes(held.deref()));
    let total = others.reduce((sum, entry) => sum + entry.rows, rows);
    const kept = others.filter((entry) => {
      if (total <= this.#rowsMax || entry.index.deref()?.forget() === false) return true;
      total -= entry.rows;
      return false;
    });
    this.#held = [...kept, { index: new WeakRef(index), rows }];
  }
}

/** Memory budget of this process. */
export const indexRoom = new IndexMemoryBudget();
