/** Arc without a capacity limit. */
export interface Arc {
  readonly from: number;
  readonly to: number;
  /** Cost as a whole number, at least 0. */
  readonly cost: number;
}

/** Flow on each arc, its cost, and a lower bound on the cost of any flow. */
export interface Balance {
  readonly flow: Int32Array;
  readonly cost: number;
  /** Value of a feasible dual; if it equals the cost, the flow is optimal. */
  readonly bound: number;
}

/**
 * Computes the cheapest flow from surplus nodes to deficit nodes by the primal-dual method: potentials from shortest
 * distances, then a blocking flow over arcs with reduced cost 0, repeated until no surplus remains. Every deficit node
 * must be reachable from every node.
 * @param excess - surplus (positive) or deficit (negative) of each node; the sum must be 0
 */
export function cheapestBalance(nodes: number, arcs: readonly Arc[], excess: Int32Array): Balance {
  const balancing = new Balancing(nodes, arcs, excess);
  while (balancing.raisePotentials()) balancing.saturate();
  return balancing.result(excess);
}

/** Step of a push: its arc and node, the amount sent to the node, and the amount that got through. */
interface PushStep {
  readonly node: number;
  readonly by: number;
  readonly wanted: number;
  sent: number;
}

/** State of the flow computation: arc `2n` is the arc n, and `2n + 1` is its reverse arc. */
class Balancing {
  readonly #arcs: readonly Arc[];
  readonly #left: Int32Array;
  readonly #flow: Int32Array;
  readonly #potential: Int32Array;
  readonly #leaving: readonly (readonly number[])[];
  #level: Int32Array = new Int32Array();
  #next: Int32Array = new Int32Array();

  constructor(nodes: number, arcs: readonly Arc[], excess: Int32Array) {
    this.#arcs = arcs;
    this.#left = Int32Array.from(excess);
    this.#flow = new Int32Array(arcs.length);
    this.#potential = new Int32Array(nodes);
    const leaving: number[][] = Array.from({ length: nodes }, () => []);
    for (const [number, { from, to }] of arcs.entries()) {
      leaving[from]?.push(2 * number);
      leaving[to]?.push(2 * number + 1);
    }
    this.#leaving = leaving;
  }

  /**
   * Raises the potentials by the shortest distances from the remaining surplus, so paths to all deficits have reduced
   * cost 0. Returns `false` if no surplus remains.
   */
  raisePotentials(): boolean {
    if (this.#left.every((much) => much <= 0)) return false;
    const distance = new Int32Array(this.#left.length).fill(-1);
    const buckets: number[][] = [[...this.#left.keys()].filter((node) => (this.#left[node] ?? 0) > 0)];
    let farthest = 0;
    for (let far = 0; far < buckets.length; far += 1) {
      for (const node of buckets[far] ?? []) {
        if ((distance[node] ?? 0) >= 0) continue;
        distance[node] = far;
        farthest = far;
        this.#reachOn(node, far, distance, buckets);
      }
    }
    if (this.#left.some((much, node) => much < 0 && (distance[node] ?? 0) < 0)) {
      throw new RangeError('The missing flow at a node cannot be reached.');
    }
    for (const [node, far] of distance.entries()) {
      this.#potential[node] = (this.#potential[node] ?? 0) + (far < 0 ? farthest : far);
    }
    return true;
  }

  /** Pushes flow over arcs with reduced cost 0 until no more gets through. */
  saturate(): void {
    while (this.#findLevels()) {
      this.#next = new Int32Array(this.#left.length);
      for (const [node, much] of this.#left.entries()) {
        for (let left = much; left > 0; ) {
          const sent = this.#push(node, left);
          if (sent === 0) break;
          left -= sent;
          this.#left[node] = left;
        }
      }
    }
  }

  /** Returns the flow with its cost, and the bound from potentials under which no reduced cost is negative. */
  result(excess: Int32Array): Balance {
    const cost = this.#arcs.reduce((sum, arc, number) => sum + arc.cost * (this.#flow[number] ?? 0), 0);
    const isFeasible = this.#arcs.every((_, number) => this.#reduced(2 * number) >= 0);
    const dual = excess.reduce((sum, much, node) => sum - much * (this.#potential[node] ?? 0), 0);
    return { flow: this.#flow, cost, bound: isFeasible ? dual : Number.NEGATIVE_INFINITY };
  }

  /** Adds the successors of a node to the buckets of their distances. */
  #reachOn(node: number, far: number, distance: Int32Array, buckets: number[][]): void {
    for (const arc of this.#leaving[node] ?? []) {
      const to = this.#end(arc);
      if (!this.#carries(arc) || (distance[to] ?? 0) >= 0) continue;
      const at = far + this.#reduced(arc);
      while (buckets.length <= at) buckets.push([]);
      buckets[at]?.push(to);
    }
  }

  /**
   * Computes the number of steps from the remaining surplus to each node. Returns `false` if no deficit is reachable.
   */
  #findLevels(): boolean {
    this.#level = new Int32Array(this.#left.length).fill(-1);
    const queue = [...this.#left.keys()].filter((node) => (this.#left[node] ?? 0) > 0);
    for (const node of queue) this.#level[node] = 0;
    let found = false;
    for (const node of queue) {
      if ((this.#left[node] ?? 0) < 0) found = true;
      for (const arc of this.#leaving[node] ?? []) {
        const to = this.#end(arc);
        if ((this.#level[to] ?? 0) >= 0 || !this.#carries(arc) || this.#reduced(arc) !== 0) continue;
        this.#level[to] = (this.#level[node] ?? 0) + 1;
        queue.push(to);
      }
    }
    return found;
  }

  /**
   * Pushes up to an amount from a node, one level deeper per step, to all deficits on the way. Returns the amount that
   * got through. A path can be as long as the number of nodes, so its steps are in a list and not on the call stack.
   */
  #push(source: number, amount: number): number {
    const way: PushStep[] = [{ node: source, by: -1, wanted: amount, sent: 0 }];
    for (;;) {
      const step = way.at(-1) as PushStep;
      const arc = step.sent < step.wanted ? this.#nextArc(step.node) : null;
      if (arc !== null) {
        way.push(this.#stepOver(arc, step.wanted - step.sent));
        continue;
      }
      way.pop();
      const before = way.at(-1);
      if (before === undefined) return step.sent;
      this.#flow[step.by >> 1] = (this.#flow[step.by >> 1] ?? 0) + (step.by % 2 === 0 ? step.sent : -step.sent);
      before.sent += step.sent;
      // A node that did not pass on the full amount accepts no more flow.
      if (step.sent < step.wanted) this.#next[before.node] = (this.#next[before.node] ?? 0) + 1;
    }
  }

  /** Returns the next arc that can carry flow from a node; `null` if there is none left. */
  #nextArc(node: number): number | null {
    const leaving = this.#leaving[node] ?? [];
    for (; (this.#next[node] ?? 0) < leaving.length; this.#next[node] = (this.#next[node] ?? 0) + 1) {
      const arc = leaving[this.#next[node] ?? 0] ?? 0;
      const isDeeper = this.#level[this.#end(arc)] === (this.#level[node] ?? 0) + 1;
      if (isDeeper && this.#carries(arc) && this.#reduced(arc) === 0) return arc;
    }
    return null;
  }

  /** Pushes as much as possible over an arc; a deficit at its target is filled immediately. */
  #stepOver(arc: number, amount: number): PushStep {
    const node = this.#end(arc);
    const wanted = arc % 2 === 0 ? amount : Math.min(amount, this.#flow[arc >> 1] ?? 0);
    const taken = Math.min(wanted, Math.max(0, -(this.#left[node] ?? 0)));
    this.#left[node] = (this.#left[node] ?? 0) + taken;
    return { node, by: arc, wanted, sent: taken };
  }

  #end(arc: number): number {
    const { from, to } = this.#arcs[arc >> 1] as Arc;
    return arc % 2 === 0 ? to : from;
  }

  #carries(arc: number): boolean {
    return arc % 2 === 0 || (this.#flow[arc >> 1] ?? 0) > 0;
  }

  #reduced(arc: number): number {
    const { from, to, cost } = this.#arcs[arc >> 1] as Arc;
    const forward = cost + (this.#potential[from] ?? 0) - (this.#potential[to] ?? 0);
    return arc % 2 === 0 ? forward : -forward;
  }
}
