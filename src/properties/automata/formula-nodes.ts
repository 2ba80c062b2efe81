/** Counter of a fixpoint. */
export interface NodeCounter {
  /** Number of the predicate whose occurrences are counted. */
  readonly by: number;
  /**
   * `here` if the occurrence at the current position counts, and `there` if the one at the next position does. Time
   * counts `there`: the clock advances in the step to the next position.
   */
  readonly at: 'here' | 'there';
  /** Occurrences that are still allowed. */
  readonly left: number;
  /** Value of the formula once more have occurred. */
  readonly end: boolean;
}

/**
 * Node of a formula in negation normal form. A fixpoint holds if `goal` holds, or if `hold` does and the fixpoint holds
 * at the next position. A strong one requires that the goal, or the end of its counter, is reached.
 */
export type FormulaNode =
  | { readonly type: 'constant'; readonly value: boolean }
  | { readonly type: 'test'; readonly predicate: number; readonly negated: boolean }
  | { readonly type: 'and' | 'or'; readonly parts: readonly number[] }
  | { readonly type: 'next'; readonly of: number }
  | {
      readonly type: 'fixpoint';
      readonly hold: number;
      readonly goal: number;
      readonly strong: boolean;
      readonly counter: NodeCounter | null;
    }
  /** Fixpoint with a counter of time at the next position: the step there decides how many units are left. */
  | { readonly type: 'advance'; readonly of: number };

/** Nodes of formulas by number; equal nodes have equal numbers. */
export class FormulaNodes {
  readonly #nodes: FormulaNode[] = [];
  readonly #numbers = new Map<string, number>();
  readonly true: number;
  readonly false: number;

  /** Creates the constants. */
  constructor() {
    this.true = this.#intern({ type: 'constant', value: true });
    this.false = this.#intern({ type: 'constant', value: false });
  }

  /** Returns the node with a number. */
  get(number: number): FormulaNode {
    return this.#nodes[number] as FormulaNode;
  }

  /** Returns the number of a test of a predicate. */
  test(predicate: number, negated = false): number {
    return this.#intern({ type: 'test', predicate, negated });
  }

  /** Returns the number of a node one position later. */
  next(of: number): number {
    return of === this.true || of === this.false ? of : this.#intern({ type: 'next', of });
  }

  /** Returns the number of a conjunction, without repeated parts and constants. */
  and(parts: readonly number[]): number {
    return this.#join('and', parts, this.true, this.false);
  }

  /** Returns the number of a disjunction, without repeated parts and constants. */
  or(parts: readonly number[]): number {
    return this.#join('or', parts, this.false, this.true);
  }

  /** Returns the number of a fixpoint. */
  fixpoint(node: Omit<Extract<FormulaNode, { type: 'fixpoint' }>, 'type'>): number {
    if (node.goal === this.true) return this.true;
    return this.#intern({ type: 'fixpoint', ...node });
  }

  /** Returns the number of a fixpoint whose counter of time advances with the step to the next position. */
  advance(of: number): number {
    return this.#intern({ type: 'advance', of });
  }

  /** Returns the number of a fixpoint after one more occurrence of what its counter counts. */
  counted(number: number): number {
    const node = this.get(number);
    if (node.type !== 'fixpoint' || node.counter === null) return number;
    const { counter } = node;
    if (counter.left === 0) return counter.end ? this.true : this.false;
    return this.#intern({ ...node, counter: { ...counter, left: counter.left - 1 } });
  }

  /** Returns the number of the negation of a node. */
  negate(number: number): number {
    const node = this.get(number);
    switch (node.type) {
      case 'constant':
        return node.value ? this.false : this.true;
      case 'test':
        return this.test(node.predicate, !node.negated);
      case 'and':
        return this.or(node.parts.map((part) => this.negate(part)));
      case 'or':
        return this.and(node.parts.map((part) => this.negate(part)));
      case 'next':
        return this.next(this.negate(node.of));
      case 'advance':
        return this.advance(this.negate(node.of));
      case 'fixpoint': {
        const { counter, strong } = node;
        const [hold, goal] = [this.negate(node.hold), this.negate(node.goal)];
        return this.fixpoint({
          hold: goal,
          goal: this.and([hold, goal]),
          strong: !strong,
          counter: counter === null ? null : { ...counter, end: !counter.end },
        });
      }
    }
  }

  #join(type: 'and' | 'or', parts: readonly number[], neutral: number, absorbing: number): number {
    const flat = parts.flatMap((part) => {
      const node = this.get(part);
      return node.type === type ? node.parts : [part];
    });
    const unique = [...new Set(flat)].filter((part) => part !== neutral).toSorted((a, b) => a - b);
    if (unique.includes(absorbing)) return absorbing;
    const [only] = unique;
    if (only === undefined) return neutral;
    return unique.length === 1 ? only : this.#intern({ type, parts: unique });
  }

  #intern(node: FormulaNode): number {
    const key = JSON.stringify(node);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#nodes.push(node) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}
