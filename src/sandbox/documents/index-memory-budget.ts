import { indexRowsMax } from '../../contract/document-limits.ts';

/** An index that can be forgotten, since it can be made again. */
export interface ForgettableIndex {
  /** Gives its memory back, unless it is being made just now. Returns whether it did. */
  forget(): boolean;
}

/**
 * The room that the indexes of all sandboxes of a process share. It keeps no index alive: one whose sandbox was deleted is gone
 * with it.
 */
export class IndexMemoryBudget {
  readonly #rowsMax: number;
  /** What each index holds, the one that was asked longest ago first. */
  #held: readonly { readonly index: WeakRef<ForgettableIndex>; readonly rows: number }[] = [];

  /** Takes how many rows there is room for. */
  constructor(rowsMax: number = indexRowsMax) {
    this.#rowsMax = rowsMax;
  }

  /** Notes that an index was brought up to date and holds so many rows; others make room for it, and it is never forgotten itself. */
  note(index: ForgettableIndex, rows: number): void {
    const others = this.#held.filter(({ index: held }) => ![index, undefined].includes(held.deref()));
    let total = others.reduce((sum, held) => sum + held.rows, rows);
    const kept = others.filter((held) => {
      if (total <= this.#rowsMax || held.index.deref()?.forget() === false) return true;
      total -= held.rows;
      return false;
    });
    this.#held = [...kept, { index: new WeakRef(index), rows }];
  }
}

/** The room of this process. */
export const indexRoom = new IndexMemoryBudget();
