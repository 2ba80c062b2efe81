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

/** One step of a push: over which arc to which node, how much is wanted there and how much of it got through. */
interface PushStep {
  readonly node: number;
  readonly by: number;
  readonly wanted: number;
  sent: number;
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

  /**
   * Raises potentials by the shortest distances from what is left too much, so that ways to all that is missing cost nothing
   * more. Returns false when nothing is left.
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
      throw new RangeError('What is missing at a node cannot be reached.');
    }
    for (const [node, far] of distance.entries()) {
      this.#potential[node] = (this.#potential[node] ?? 0) + (far < 0 ? farthest : far);
    }
    return true;
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

  /**
   * Pushes up to an amount on from a node, deeper by one level a step, to all that is missing on the way. Returns what got
   * through. A way may be as long as there are nodes, so the steps of it are kept in a list and not on the stack of calls.
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
      // What did not take all that was sent there takes no more.
      if (step.sent < step.wanted) this.#next[before.node] = (this.#next[before.node] ?? 0) + 1;
    }
  }

  /** The arc by which flow may go on from a node; `null` when there is none any more. */
  #nextArc(node: number): number | null {
    const leaving = this.#leaving[node] ?? [];
    for (; (this.#next[node] ?? 0) < leaving.length; this.#next[node] = (this.#next[node] ?? 0) + 1) {
      const arc = leaving[this.#next[node] ?? 0] ?? 0;
      const isDeeper = this.#level[this.#end(arc)] === (this.#level[node] ?? 0) + 1;
      if (isDeeper && this.#carries(arc) && this.#reduced(arc) === 0) return arc;
    }
    return null;
  }

  /** Goes over an arc with as much as it carries; what is missing where it leads is taken at once. */
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
