import type { BuchiProduct, Cursor } from './buchi-product.ts';
import { NumberList } from './paths.ts';

/** Component of a pair that was not searched. */
const none = -1;

/** Strongly connected components of a product. */
export interface StrongComponents {
  /** Component of each pair; -1 if the pair was left out. */
  readonly of: Int32Array;
  /** `true` for each component in which a path can visit every acceptance set forever. */
  readonly accepting: readonly boolean[];
}

/**
 * Finds the strongly connected components of a product by Tarjan's algorithm, without recursion.
 * @param group - number for each state of the automaton; only steps between states with equal numbers are followed, and
 * states with a negative number are left out
 */
export function findComponents(product: BuchiProduct, group: Int32Array): StrongComponents {
  const search = new ComponentSearch(product, group);
  for (let node = 0; node < product.size; node += 1) search.searchFrom(node);
  return { of: search.components, accepting: search.listAccepting() };
}

class ComponentSearch {
  readonly components: Int32Array;
  readonly #product: BuchiProduct;
  readonly #group: Int32Array;
  /** Order of discovery, from 1; 0 for pairs that were not visited. */
  readonly #order: Int32Array;
  readonly #low: Int32Array;
  readonly #open = new NumberList();
  readonly #path = new NumberList();
  readonly #steps = new NumberList();
  readonly #transitions = new NumberList();
  #visited = 0;
  #count = 0;

  constructor(product: BuchiProduct, group: Int32Array) {
    this.#product = product;
    this.#group = group;
    this.components = new Int32Array(product.size).fill(none);
    this.#order = new Int32Array(product.size);
    this.#low = new Int32Array(product.size);
  }

  searchFrom(root: number): void {
    if (this.#order[root] !== 0 || this.#getGroup(root) < 0) return;
    const cursor: Cursor = { step: 0, transition: -1 };
    this.#enter(root, cursor);
    while (this.#path.length > 0) {
      const node = this.#path.get(this.#path.length - 1);
      cursor.step = this.#steps.pop();
      cursor.transition = this.#transitions.pop();
      const next = this.#product.advance(node, cursor);
      if (next === -1) this.#leave(node);
      else {
        this.#steps.push(cursor.step);
        this.#transitions.push(cursor.transition);
        this.#follow(node, next, cursor);
      }
    }
  }

  /** Lists for each component whether its inner steps visit every acceptance set. */
  listAccepting(): readonly boolean[] {
    const { sets, accepts } = this.#product.automaton;
    const bits = new Uint32Array(this.#count);
    const inner = new Uint8Array(this.#count);
    const cursor: Cursor = { step: 0, transition: -1 };
    for (let node = 0; node < this.#product.size; node += 1) {
      const component = this.components[node] as number;
      if (component === none) continue;
      this.#product.begin(node, cursor);
      for (let next = this.#product.advance(node, cursor); next !== -1; next = this.#product.advance(node, cursor)) {
        if (this.components[next] !== component) continue;
        inner[component] = 1;
        bits[component] = (bits[component] as number) | (accepts[cursor.transition] as number);
      }
    }
    const whole = 2 ** sets - 1;
    return Array.from(bits, (own, component) => inner[component] === 1 && own === whole);
  }

  #follow(node: number, next: number, cursor: Cursor): void {
    if (this.#getGroup(next) !== this.#getGroup(node)) return;
    const order = this.#order[next] as number;
    if (order === 0) this.#enter(next, cursor);
    else if (this.components[next] === none) this.#lower(node, order);
  }

  #enter(node: number, cursor: Cursor): void {
    this.#visited += 1;
    this.#order[node] = this.#visited;
    this.#low[node] = this.#visited;
    this.#open.push(node);
    this.#path.push(node);
    this.#product.begin(node, cursor);
    this.#steps.push(cursor.step);
    this.#transitions.push(cursor.transition);
  }

  #leave(node: number): void {
    this.#path.pop();
    if (this.#low[node] === this.#order[node]) {
      for (let member = none; member !== node; ) {
        member = this.#open.pop();
        this.components[member] = this.#count;
      }
      this.#count += 1;
    }
    if (this.#path.length > 0) this.#lower(this.#path.get(this.#path.length - 1), this.#low[node] as number);
  }

  #lower(node: number, order: number): void {
    if (order < (this.#low[node] as number)) this.#low[node] = order;
  }

  #getGroup(node: number): number {
    return this.#group[this.#product.getAutomatonState(node)] as number;
  }
}
