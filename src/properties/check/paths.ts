/** Step of a path through a graph: its number in the graph, and the state that it leads to. */
export interface PathStep {
  readonly from: number;
  /** Number of the step in the graph. */
  readonly step: number;
  readonly to: number;
}

/** Counterexample as steps of the graph. */
export interface GraphPath {
  readonly steps: readonly PathStep[];
  /** Number of steps before the part that repeats forever; `null` if the path is finite. */
  readonly cycleFrom: number | null;
}

/** Result of checking one property on a graph. */
export interface Search {
  readonly path: GraphPath | null;
  /** Number of pairs of a state and a state of the automaton that were visited. */
  readonly visited: number;
}

/** Numbers in an array that grows. */
export class NumberList {
  #items = new Int32Array(1024);
  length = 0;

  /** Appends a number. */
  push(value: number): void {
    if (this.length === this.#items.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items[this.length] = value;
    this.length += 1;
  }

  /** Returns the number at an index. */
  get(at: number): number {
    return this.#items[at] as number;
  }

  /** Removes and returns the last number. */
  pop(): number {
    this.length -= 1;
    return this.#items[this.length] as number;
  }
}
