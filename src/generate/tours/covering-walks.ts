import { type Arc, cheapestBalance } from './min-cost-flow.ts';

/** Link of a covering walk, with its cost and the labels that it represents. */
export interface Link extends Arc {
  readonly labels: readonly number[];
}

/** Network with required and optional links for covering walks. */
export interface WalkNetwork {
  readonly nodes: number;
  /** Start node of every test. */
  readonly start: number;
  /** Links that the tests must use at least once. */
  readonly required: readonly Link[];
  /** Links that the tests can use any number of times. */
  readonly optional: readonly Link[];
  /** Cost of ending a test, by node; `null` if no test can end there. */
  readonly endCosts: readonly (number | null)[];
  /** Cost of starting a test. */
  readonly resetCost: number;
}

/** Tests that cover a network. */
export interface Walks {
  /** Links of each test, and its end node. */
  readonly tests: readonly { readonly links: readonly Link[]; readonly end: number }[];
  readonly cost: number;
  /** Lower bound on the cost of any tests that cover the network. */
  readonly lowerBound: number;
}

/**
 * Computes the cheapest tests that use every required link: a directed Chinese postman tour with resets. Repeated links
 * form a minimum-cost flow from nodes with a surplus to nodes with a deficit, and the potentials of the flow give the
 * lower bound. The bound is reached if the required links are connected, as the transitions of a machine are. Otherwise
 * the cheapest detours join the separate components, and the bound can be lower than the cost.
 */
export function coveringWalks(network: WalkNetwork): Walks {
  const { nodes, start, required, optional, endCosts, resetCost } = network;
  const rest = nodes;
  const begin: Link = { from: rest, to: start, cost: resetCost, labels: [] };
  const ends = [...endCosts.entries()].flatMap(([from, cost]): Link[] =>
    cost === null ? [] : [{ from, to: rest, cost, labels: [] }],
  );
  const musts = [...required, begin];
  const excess = new Int32Array(nodes + 1);
  let fixed = 0;
  for (const { from, to, cost } of musts) {
    excess[to] = (excess[to] as number) + 1;
    excess[from] = (excess[from] as number) - 1;
    fixed += cost;
  }
  const free = [...optional, ...ends, begin];
  const { flow, bound } = cheapestBalance(nodes + 1, free, excess);
  const links = [...musts];
  for (const [number, link] of free.entries()) {
    for (let times = flow[number] as number; times > 0; times -= 1) links.push(link);
  }
  const joined = joinParts(links, network, { begin, ends });
  const tests = cut(circuit(rest, nodes + 1, joined), begin, rest);
  const cost = joined.reduce((sum, link) => sum + link.cost, 0);
  return { tests, cost, lowerBound: fixed + bound };
}

/** Finds a closed walk that uses each link once (Hierholzer). The links must be balanced and connected. */
function circuit(start: number, nodes: number, links: readonly Link[]): readonly Link[] {
  const leaving: number[][] = Array.from({ length: nodes }, () => []);
  // The last link of a list is used first.
  for (let number = links.length - 1; number >= 0; number -= 1) leaving[(links[number] as Link).from]?.push(number);
  const stack: number[] = [-1];
  const walk: Link[] = [];
  for (let by = stack.at(-1); by !== undefined; by = stack.at(-1)) {
    const node = by < 0 ? start : (links[by] as Link).to;
    const next = leaving[node]?.pop();
    if (next !== undefined) {
      stack.push(next);
      continue;
    }
    stack.pop();
    if (by >= 0) walk.push(links[by] as Link);
  }
  return walk.reverse();
}

/** Cuts a closed walk at the points where tests start and end. */
function cut(walk: readonly Link[], begin: Link, rest: number): Walks['tests'] {
  const tests: { links: Link[]; end: number }[] = [];
  for (const link of walk) {
    const test = tests.at(-1);
    if (link === begin) tests.push({ links: [], end: link.to });
    else if (test !== undefined && link.to !== rest) {
      test.links.push(link);
      test.end = link.to;
    }
  }
  return tests;
}

/** Connected components of nodes. */
class Parts {
  readonly #above: Int32Array;

  constructor(nodes: number, links: readonly Link[]) {
    this.#above = Int32Array.from({ length: nodes }, (_, node) => node);
    for (const { from, to } of links) this.join(from, to);
  }

  of(node: number): number {
    let at = node;
    while (this.#above[at] !== at) {
      this.#above[at] = this.#above[this.#above[at] as number] as number;
      at = this.#above[at] as number;
    }
    return at;
  }

  join(one: number, other: number): void {
    this.#above[this.of(one)] = this.of(other);
  }
}

/**
 * Connects balanced links: each component that no test reaches gets a detour there and back or a separate test,
 * whichever is cheaper.
 */
function joinParts(
  links: readonly Link[],
  network: WalkNetwork,
  { begin, ends }: { readonly begin: Link; readonly ends: readonly Link[] },
): readonly Link[] {
  const rest = network.nodes;
  const parts = new Parts(rest + 1, links);
  const strays = [...new Set(links.map(({ from }) => parts.of(from)))].filter((part) => part !== parts.of(rest));
  if (strays.length === 0) return links;
  const joined = [...links];
  const steps = [...network.required, ...network.optional, begin, ...ends];
  const leaving = Map.groupBy(steps, ({ from }) => from);
  while (true) {
    const stray = joined.find(({ from }) => parts.of(from) !== parts.of(rest));
    if (stray === undefined) return joined;
    // Tests always reach the start node, and a test can end wherever a path leads to an end node.
    const there = cheapestWay(
      leaving,
      rest,
      (node) => parts.of(node) !== parts.of(rest),
      (node) => parts.of(node) === parts.of(rest),
    );
    const at = there.at(-1)?.to ?? rest;
    const first = there[0]?.from ?? rest;
    const back = cheapestWay(
      leaving,
      at,
      (node) => node === first,
      () => false,
    );
    for (const link of [...there, ...back]) {
      joined.push(link);
      parts.join(link.from, link.to);
    }
  }
}

/**
 * Finds the cheapest path from any of the source nodes to a wanted node (Dijkstra with buckets of whole-number costs).
 * The links are grouped by source node.
 */
function cheapestWay(
  leaving: ReadonlyMap<number, readonly Link[]>,
  start: number,
  isWanted: (node: number) => boolean,
  isAsGood: (node: number) => boolean,
): readonly Link[] {
  const by = new Map<number, Link | null>();
  const starts = [start, ...[...leaving.keys()].filter(isAsGood)];
  const buckets: Reached[][] = [starts.map((node) => ({ node, link: null }))];
  for (let cost = 0; cost < buckets.length; cost += 1) {
    for (const { node, link } of buckets[cost] ?? []) {
      if (by.has(node)) continue;
      by.set(node, link);
      if (isWanted(node)) return wayTo(node, by);
      for (const next of leaving.get(node) ?? []) {
        if (!by.has(next.to)) bucketAt(buckets, cost + next.cost).push({ node: next.to, link: next });
      }
    }
  }
  throw new RangeError('A coverage item cannot be reached.');
}

/** Node with the link by which it was reached. */
interface Reached {
  readonly node: number;
  readonly link: Link | null;
}

function bucketAt(buckets: Reached[][], cost: number): Reached[] {
  while (buckets.length <= cost) buckets.push([]);
  return buckets[cost] as Reached[];
}

function wayTo(node: number, by: ReadonlyMap<number, Link | null>): readonly Link[] {
  const way: Link[] = [];
  for (let link = by.get(node); link !== undefined && link !== null; link = by.get(link.from)) way.push(link);
  return way.reverse();
}
