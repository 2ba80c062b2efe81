import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Arc, cheapestBalance } from '../../../src/generate/tours/min-cost-flow.ts';
import { expectAlways } from '../../machines/property.ts';

/** Networks with a ring, so every node can be reached, with further arcs and with movements between nodes. */
const networks = fc.integer({ min: 2, max: 5 }).chain((nodes) => {
  const node = fc.nat({ max: nodes - 1 });
  return fc
    .record({
      ring: fc.array(fc.nat({ max: 4 }), { minLength: nodes, maxLength: nodes }),
      more: fc.array(fc.record({ from: node, to: node, cost: fc.nat({ max: 4 }) }), { maxLength: 6 }),
      moved: fc.array(fc.tuple(node, node), { maxLength: 4 }),
    })
    .map(({ ring, more, moved }) => ({
      nodes,
      arcs: [...ring.map((cost, from): Arc => ({ from, to: (from + 1) % nodes, cost })), ...more],
      moved,
    }));
});

function computeExcess(nodes: number, moved: readonly (readonly [number, number])[]): Int32Array {
  const excess = new Int32Array(nodes);
  for (const [from, to] of moved) {
    excess[from] = (excess[from] ?? 0) + 1;
    excess[to] = (excess[to] ?? 0) - 1;
  }
  return excess;
}

/**
 * Computes the minimum cost of assigning surplus units to missing units, with shortest distances by Floyd and Warshall.
 */
function byAssignment(nodes: number, arcs: readonly Arc[], excess: Int32Array): number {
  const far: number[][] = Array.from({ length: nodes }, (_, a) =>
    Array.from({ length: nodes }, (_unused, b) => (a === b ? 0 : 1e9)),
  );
  for (const { from, to, cost } of arcs) (far[from] as number[])[to] = Math.min(far[from]?.[to] ?? 1e9, cost);
  for (let k = 0; k < nodes; k += 1)
    for (const row of far)
      for (let b = 0; b < nodes; b += 1) row[b] = Math.min(row[b] ?? 1e9, (row[k] ?? 1e9) + (far[k]?.[b] ?? 1e9));
  const units = (sign: number) =>
    [...excess].flatMap((much, node) => Array.from({ length: Math.max(0, sign * much) }, () => node));
  const assign = (sources: readonly number[], sinks: readonly number[]): number => {
    const [first, ...rest] = sources;
    if (first === undefined) return 0;
    return Math.min(...sinks.map((sink, at) => (far[first]?.[sink] ?? 1e9) + assign(rest, sinks.toSpliced(at, 1))));
  };
  return assign(units(1), units(-1));
}

describe('minimum-cost flows', () => {
  test('R6: a flow balances every node, and its cost and lower bound equal those of the best assignment', () => {
    expectAlways(
      networks,
      ({ nodes, arcs, moved }) => {
        const excess = computeExcess(nodes, moved);
        const { flow, cost, bound } = cheapestBalance(nodes, arcs, excess);
        const left = Int32Array.from(excess);
        for (const [number, { from, to }] of arcs.entries()) {
          left[from] = (left[from] ?? 0) - (flow[number] ?? 0);
          left[to] = (left[to] ?? 0) + (flow[number] ?? 0);
        }
        return left.every((much) => much === 0) && cost === byAssignment(nodes, arcs, excess) && bound === cost;
      },
      500,
    );
  });

  test('R6: a path over a hundred thousand nodes does not exhaust the stack', () => {
    const nodes = 100_000;
    const arcs = Array.from({ length: nodes }, (_, from): Arc => ({ from, to: (from + 1) % nodes, cost: 1 }));
    const excess = new Int32Array(nodes);
    excess[0] = 1;
    excess[nodes - 1] = -1;
    expect(cheapestBalance(nodes, arcs, excess)).toMatchObject({ cost: nodes - 1, bound: nodes - 1 });
  });

  test('R6: an unreachable node is rejected', () => {
    expect(() => cheapestBalance(2, [{ from: 1, to: 0, cost: 1 }], Int32Array.from([1, -1]))).toThrow(RangeError);
  });
});
