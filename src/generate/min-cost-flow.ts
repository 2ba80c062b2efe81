/** An arc that may be taken as often as one wants. */
export interface Arc {
  readonly from: number;
  readonly to: number;
  /** A whole number, at least 0. */
  readonly cost: number;
}

/** How often each arc is taken, what that costs, and a bound below which no other choice can be. */
export interface Balance {
  readonly flow: Int32Array;
  readonly cost: number;
  /** The value of a feasible dual; equal to the cost, it proves the optimum. */
  readonly bound: number;
}

/**
 * The cheapest flow from the nodes that have too much to those that miss it, by the primal-dual method: potentials from
 * shortest distances, then a blocking flow over the arcs of reduced cost 0, until nothing is left. Takes the number of nodes,
 * the arcs, and for each node what is too much (positive) or missing (negative), which sums to 0. What is missing has to be
 * reachable from everywhere.
 */
export function cheapestBalance(nodes: number, arcs: readonly Arc[], excess: Int32Array): Balance {
  const balancing = new Balancing(nodes, arcs, excess);
  while (balancing.raisePotentials()) balancing.saturate();
  return balancing.result(excess);
}

/** Arc `2n` is the arc n, and `2n + 1` takes its flow back. */
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

  /** Raises potentials until something missing is reached at reduced cost 0. Returns false when nothing is left. */
  raisePotentials(): boolean {
    if (this.#left.every((much) => much <= 0)) return false;
    const distance = new Int32Array(this.#left.length).fill(-1);
    const buckets: number[][] = [[...this.#left.keys()].filter((node) => (this.#left[node] ?? 0) > 0)];
    for (let far = 0; far < buckets.length; far += 1) {
      for (const node of buckets[far] ?? []) {
        if ((distance[node] ?? 0) >= 0) continue;
        distance[node] = far;
        if ((this.#left[node] ?? 0) < 0) return this.#raiseBy(distance, far);
        this.#reachOn(node, far, distance, buckets);
      }
    }
    throw new RangeError('What is missing at a node cannot be reached.');
  }

  /** Sends flow over arcs of reduced cost 0 until no more gets through. */
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

  /** The flow with its cost, and the bound of the potentials where no arc's reduced cost is below 0. */
  result(excess: Int32Array): Balance {
    const cost = this.#arcs.reduce((sum, arc, number) => sum + arc.cost * (this.#flow[number] ?? 0), 0);
    const isFeasible = this.#arcs.every((_, number) => this.#reduced(2 * number) >= 0);
    const dual = excess.reduce((sum, much, node) => sum - much * (this.#potential[node] ?? 0), 0);
    return { flow: this.#flow, cost, bound: isFeasible ? dual : Number.NEGATIVE_INFINITY };
  }

  /** Puts the nodes behind one node into the buckets of their distances. */
  #reachOn(node: number, far: number, distance: Int32Array, buckets: number[][]): void {
    for (const arc of this.#leaving[node] ?? []) {
      const to = this.#end(arc);
      if (!this.#carries(arc) || (distance[to] ?? 0) >= 0) continue;
      const at = far + this.#reduced(arc);
      while (buckets.length <= at) buckets.push([]);
      buckets[at]?.push(to);
    }
  }

  #raiseBy(distance: Int32Array, nearest: number): true {
    for (const [node, far] of distance.entries()) {
      this.#potential[node] = (this.#potential[node] ?? 0) + (far < 0 ? nearest : far);
    }
    return true;
  }

  /** How many steps each node is from what is left too much; false when nothing missing is reached. */
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

  /** Pushes up to an amount on from a node, deeper by one level a step. Returns what got through. */
  #push(node: number, amount: number): number {
    const missing = -(this.#left[node] ?? 0);
    if (missing > 0) {
      const taken = Math.min(amount, missing);
      this.#left[node] = taken - missing;
      return taken;
    }
    const leaving = this.#leaving[node] ?? [];
    for (; (this.#next[node] ?? 0) < leaving.length; this.#next[node] = (this.#next[node] ?? 0) + 1) {
      const arc = leaving[this.#next[node] ?? 0] ?? 0;
      const to = this.#end(arc);
      if (this.#level[to] !== (this.#level[node] ?? 0) + 1 || !this.#carries(arc) || this.#reduced(arc) !== 0) continue;
      const sent = this.#push(to, arc % 2 === 0 ? amount : Math.min(amount, this.#flow[arc >> 1] ?? 0));
      if (sent === 0) continue;
      this.#flow[arc >> 1] = (this.#flow[arc >> 1] ?? 0) + (arc % 2 === 0 ? sent : -sent);
      return sent;
    }
    return 0;
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
