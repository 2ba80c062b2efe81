/** What tests of a bounded length walk over, one event for each arc. */
export interface BoundedWalks {
  readonly nodes: number;
  /** Where tests begin. */
  readonly start: number;
  /** Where each arc leads from and to. */
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  /** What is covered by each arc, from 0; below 0 for nothing. */
  readonly item: ArrayLike<number>;
  readonly items: number;
  /** The most events of a test, and what beginning one costs. */
  readonly maxLength: number;
  readonly resetCost: number;
}

/** Steps over arcs that may be looked at in all, under a second; what takes more is left to the other bounds. */
const workMax = 70_000_000;
const roundsMax = 240;
/** How sharply worth decides which tests count, in the first round and in the last one. */
const [sharpnessFirst, sharpnessLast] = [30, 3_000];
/** By how much, as a power of e, a price changes in the first round and in the last one at most. */
const [changeFirst, changeLast] = [0.3, 0.01];

/**
 * What any tests of a bounded length cost at least that cover every item: a price for each item, such that no test is worth more
 * than it costs by the prices of what it takes. The prices together are then the bound, whatever they are. Good ones are found
 * by turns: of all tests, those of the most worth count the most; what they take more often than the rest becomes cheaper, what
 * they take more seldom dearer. A test that takes an item twice is counted as worth it twice, which lowers the bound and keeps
 * it true. Returns 0, which bounds nothing, where there is too much to look at.
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
    const shares = sharesOf(prices, walks, sharpness);
    for (let item = 0; item < items; item += 1) {
      const surplus = Math.max(-1, Math.min(1, 1 - (shares[item] as number)));
      prices[item] = (prices[item] as number) * Math.exp(change * surplus);
    }
    best = Math.max(best, scaled(prices, walks));
  }
  return best;
}

/** Lowers prices in proportion until no test is worth more than it costs. Returns their sum. */
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
 * How often the tests of the most worth take each item, in parts of how often they would take all items equally. Tests count by a
 * power of e of their worth: forwards and backwards over all of them at once, each length brought to the same size.
 */
function sharesOf(prices: Float64Array, walks: BoundedWalks, sharpness: number): Float64Array {
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
    // Anyone who is done stays where they are.
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

/** The weight of all ways on from each node, by how many events are left. */
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

/** The same with 1 as the most, so that products of many stay numbers. */
function toOne(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return values.map((value) => value / most);
}
