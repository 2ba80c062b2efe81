/** Arcs for tests of bounded length, with one event per arc. */
export interface BoundedWalks {
  readonly nodes: number;
  /** Start node of the tests. */
  readonly start: number;
  /** Source and target node of each arc. */
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  /** Item that each arc covers, from 0; negative if it covers none. */
  readonly item: ArrayLike<number>;
  readonly items: number;
  /** Maximum number of events in a test, and cost of starting one. */
  readonly maxLength: number;
  readonly resetCost: number;
}

/** Maximum number of examined arcs, less than a second of work; above it, only the other bounds are used. */
const workMax = 70_000_000;
const roundsMax = 240;
/** Exponents that weight tests by their value, in the first and the last round. */
const [sharpnessFirst, sharpnessLast] = [30, 3_000];
/** Maximum change of a price in the first and the last round, as a power of e. */
const [changeFirst, changeLast] = [0.3, 0.01];

/**
 * Computes a lower bound on the cost of any tests of bounded length that cover every item. Each item has a price, and
 * no test has a value above its cost at these prices. The sum of such prices is a valid bound. Good prices are found
 * iteratively: tests are weighted by value, items that they use more often become cheaper, and the other items become
 * more expensive. A test that uses an item twice counts its price twice, which lowers the bound but keeps it valid.
 * @returns the bound; 0 if there are too many arcs to compute one
 */
export function boundByPrices(walks: BoundedWalks): number {
  const { from, items, maxLength } = walks;
  if (items === 0 || 4 * from.length * maxLength * roundsMax > workMax) return 0;
  const prices = new Float64Array(items).fill(1);
  let best = scaled(prices, walks);
  for (let round = 0; round < roundsMax; round += 1) {
    const done = round / roundsMax;
    const sharpness = sharpnessFirst * (sharpnessLast / sharpnessFirst) ** done;
    const change = changeFirst * (changeLast / changeFirst) ** done;
    const shares = computeShares(prices, walks, sharpness);
    for (let item = 0; item < items; item += 1) {
      const surplus = Math.max(-1, Math.min(1, 1 - (shares[item] as number)));
      prices[item] = (prices[item] as number) * Math.exp(change * surplus);
    }
    best = Math.max(best, scaled(prices, walks));
  }
  return best;
}

/** Scales the prices down until no test has a value above its cost. Returns their sum. */
function scaled(prices: Float64Array, { nodes, start, from, to, item, maxLength, resetCost }: BoundedWalks): number {
  let worth = new Float64Array(nodes).fill(Number.NEGATIVE_INFINITY);
  worth[start] = 0;
  let factor = Number.POSITIVE_INFINITY;
  for (let length = 1; length <= maxLength; length += 1) {
    const next = new Float64Array(nodes).fill(Number.NEGATIVE_INFINITY);
    let most = 0;
    for (let arc = 0; arc < from.length; arc += 1) {
      const taken = item[arc] as number;
      const after = (worth[from[arc] as number] as number) + (taken < 0 ? 0 : (prices[taken] as number));
      if (after > (next[to[arc] as number] as number)) next[to[arc] as number] = after;
      if (after > most) most = after;
    }
    if (most > 0) factor = Math.min(factor, (length + resetCost) / most);
    worth = next;
  }
  if (!Number.isFinite(factor)) return 0;
  let sum = 0;
  for (let one = 0; one < prices.length; one += 1) {
    prices[one] = (prices[one] as number) * factor;
    sum += prices[one] as number;
  }
  return sum;
}

/**
 * Computes how often the most valuable tests use each item, relative to equal use of all items. The weight of a test is
 * a power of e of its value. Forward and backward sums cover all tests at once, and each length is normalized.
 */
function computeShares(prices: Float64Array, walks: BoundedWalks, sharpness: number): Float64Array {
  const { from, to, item, items, maxLength, resetCost } = walks;
  const perWorth = sharpness / (maxLength + resetCost);
  const weights = Float64Array.from({ length: from.length }, (_, arc) => {
    const taken = item[arc] as number;
    return Math.exp(perWorth * ((taken < 0 ? 0 : (prices[taken] as number)) - 1));
  });
  const onwards = backwards(weights, walks);
  const loads = new Float64Array(items);
  let reached = new Float64Array(walks.nodes);
  reached[walks.start] = 1;
  for (let length = 0; length < maxLength; length += 1) {
    const rest = onwards[maxLength - 1 - length] as Float64Array;
    // A finished test stays at its node.
    const next = reached.slice();
    let all = 0;
    for (let node = 0; node < walks.nodes; node += 1) all += (reached[node] as number) * (rest[node] as number);
    for (let arc = 0; arc < from.length; arc += 1) {
      const come = (reached[from[arc] as number] as number) * (weights[arc] as number);
      next[to[arc] as number] = (next[to[arc] as number] as number) + come;
      all += come * (rest[to[arc] as number] as number);
    }
    for (let arc = 0; arc < from.length; arc += 1) {
      const taken = item[arc] as number;
      if (taken < 0) continue;
      const come = (reached[from[arc] as number] as number) * (weights[arc] as number);
      loads[taken] = (loads[taken] as number) + (come * (rest[to[arc] as number] as number)) / all;
    }
    reached = toOne(next);
  }
  let worth = 0;
  let sum = 0;
  for (let one = 0; one < items; one += 1) {
    worth += (prices[one] as number) * (loads[one] as number);
    sum += prices[one] as number;
  }
  return loads.map((load) => (load * sum) / worth);
}

/** Computes the weight of all continuations from each node, by the number of remaining events. */
function backwards(weights: Float64Array, { nodes, from, to, maxLength }: BoundedWalks): readonly Float64Array[] {
  const onwards = [new Float64Array(nodes).fill(1)];
  for (let length = 1; length < maxLength; length += 1) {
    const before = onwards[length - 1] as Float64Array;
    const next = before.slice();
    for (let arc = 0; arc < from.length; arc += 1) {
      const more = (weights[arc] as number) * (before[to[arc] as number] as number);
      next[from[arc] as number] = (next[from[arc] as number] as number) + more;
    }
    onwards.push(toOne(next));
  }
  return onwards;
}

/** Scales the values to a maximum of 1, so products of many values do not overflow. */
function toOne(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return values.map((value) => value / most);
}
