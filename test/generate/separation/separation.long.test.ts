import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explore } from '../../../src/generate/exploration/explore.ts';
import { createStateGraph, type StateGraph } from '../../../src/generate/exploration/state-graph.ts';
import { lifecycleProduct } from '../../../src/generate/models/lifecycle-product.ts';
import { controlView, userView } from '../../../src/generate/models/lifecycle-view.ts';
import { signInModel } from '../../../src/generate/models/sign-in-model.ts';
import {
  distinguishingSequences,
  productDistinguishingSequences,
} from '../../../src/generate/separation/distinguishing-sequences.ts';
import { Separation } from '../../../src/generate/separation/separation.ts';
import { createExploredTour } from '../../../src/generate/tours/transition-tour.ts';
import { expectAlways } from '../../machines/property.ts';

interface SeenGraph {
  readonly graph: StateGraph;
  readonly seen: readonly number[];
}

const graphs: fc.Arbitrary<SeenGraph> = fc
  .record({ states: fc.integer({ min: 1, max: 6 }), labels: fc.integer({ min: 1, max: 3 }) })
  .chain(({ states, labels }) =>
    fc.record({
      graph: fc
        .array(fc.nat({ max: states - 1 }), { minLength: states * labels, maxLength: states * labels })
        .map((targets) => ({ states, labels, targets })),
      seen: fc.array(fc.nat({ max: 1 }), { minLength: states, maxLength: states }),
    }),
  );

/** Computes the smallest number of labels that distinguish two states. Returns infinity if they are equivalent. */
function labelsToTell({ graph, seen }: SeenGraph, one: number, other: number): number {
  const { labels, targets } = graph;
  let pairs: [number, number][] = [[one, other]];
  const known = new Set<string>();
  for (let length = 0; pairs.length > 0; length += 1) {
    if (pairs.some(([a, b]) => seen[a] !== seen[b])) return length;
    pairs = pairs
      .flatMap(([a, b]) =>
        Array.from({ length: labels }, (_, label): [number, number] => [
          targets[a * labels + label] ?? 0,
          targets[b * labels + label] ?? 0,
        ]),
      )
      .filter(([a, b]) => a !== b && !known.has(`${a} ${b}`) && known.add(`${a} ${b}`).size > 0);
  }
  return Number.POSITIVE_INFINITY;
}

/** Returns the observations from a state along a list of labels. */
function seenAlong({ graph, seen }: SeenGraph, start: number, way: readonly number[]): string {
  let state = start;
  const along = [seen[state]];
  for (const label of way) {
    state = graph.targets[state * graph.labels + label] ?? 0;
    along.push(seen[state]);
  }
  return along.join();
}

const all = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('distinguishing sequences of a graph', () => {
  test('R6: two states are distinguished by the fewest possible labels, or proven to be equivalent', () => {
    expectAlways(
      graphs,
      (given) => {
        const separation = new Separation(given.graph, given.seen);
        return all(given.graph.states).every((one) =>
          all(given.graph.states).every((other) => {
            const way = separation.apart(one, other);
            const fewest = labelsToTell(given, one, other);
            if (way === null) return fewest === Number.POSITIVE_INFINITY;
            return way.length === fewest && seenAlong(given, one, way) !== seenAlong(given, other, way);
          }),
        );
      },
      500,
    );
  });

  test('R6: the sequences of a state distinguish it from every other class, except for the states listed as missed', () => {
    expectAlways(
      graphs,
      (given) => {
        const separation = new Separation(given.graph, given.seen);
        return all(given.graph.states).every((state) => {
          const suffixes = separation.listSuffixes(state);
          const others = all(given.graph.states).filter(
            (other) => separation.classOf[other] !== separation.classOf[state],
          );
          const tells = (way: readonly number[], other: number) =>
            seenAlong(given, state, way) !== seenAlong(given, other, way);
          const isDistinguished = others.every((other) => suffixes.some(({ labels }) => tells(labels, other)));
          const [first] = suffixes;
          return (
            isDistinguished &&
            others.every((other) => first?.missed.includes(other) !== tells(first?.labels ?? [], other))
          );
        });
      },
      500,
    );
  });

  test('R6: an exhaustive search finds no shorter sequence than one that is marked as the shortest', () => {
    expectAlways(
      graphs.filter(({ graph }) => graph.labels <= 2),
      (given) => {
        const separation = new Separation(given.graph, given.seen);
        return all(given.graph.states).every((state) => {
          const { labels, isShortest, missed } = separation.getSuffix(state);
          if (!isShortest || missed.length > 0) return true;
          const others = all(given.graph.states).filter(
            (other) => separation.classOf[other] !== separation.classOf[state],
          );
          const shorter = Array.from({ length: labels.length }, (_, length) => ways(given.graph.labels, length)).flat();
          return shorter.every((way) =>
            others.some((other) => seenAlong(given, state, way) === seenAlong(given, other, way)),
          );
        });
      },
      200,
    );
  });

  test('R6, R7: the control API distinguishes more lifecycle states than the user view, and neither distinguishes all', () => {
    const product = lifecycleProduct({ snoozeDays: [1], distinguishedDays: 1 });
    const byControl = productDistinguishingSequences(product, controlView);
    const classesBy = (view: typeof userView) => productDistinguishingSequences(product, view).classes;
    expect(classesBy(userView)).toBeGreaterThan(50);
    expect(classesBy(controlView)).toBeGreaterThan(classesBy(userView));
    expect(classesBy(controlView)).toBeLessThan(byControl.explored.states);
    // A closed browser shows neither whether the prompt was required nor how far the setup had progressed.
    const looks = byControl.inseparable.map(
      (group) => new Set(group.map((state) => JSON.stringify(controlView(byControl.explored.getState(state))))),
    );
    expect(looks.every(({ size }) => size === 1)).toBe(true);
    expect([...(looks[0] ?? [])][0]).toContain('"page":"closed"');
  });

  test('R13: a tour with distinguishing sequences detects every wrong target state, and one without them does not', () => {
    const { machine, events } = signInModel;
    const explored = explore(machine, { events });
    const visible = ({ value }: { readonly value: unknown }) => value;
    const given = { graph: createStateGraph(explored), seen: explored.states.map(visible) };
    const separation = new Separation(given.graph, given.seen);
    const missedBy = (suffixes: 'none' | 'each') => {
      const { tests } = createExploredTour(explored, { visible, suffixes });
      const numbers = new Map(explored.events.map((event, number) => [JSON.stringify(event), number]));
      const walks = tests.map((test) => test.map((event) => numbers.get(JSON.stringify(event)) as number));
      const right = walks.map((way) => seenFrom(given.graph, given.seen, way));
      return listFaults(given.graph, separation).filter((faulty) =>
        walks.every((way, test) => seenFrom(faulty, given.seen, way) === right[test]),
      ).length;
    };
    expect(listFaults(given.graph, separation).length).toBeGreaterThan(500);
    expect(missedBy('each')).toBe(0);
    expect(missedBy('none')).toBeGreaterThan(0);
  });
});

/** Creates every graph in which one transition leads to a state of another equivalence class. */
function listFaults(graph: StateGraph, { classOf }: Separation): readonly StateGraph[] {
  return Array.from(graph.targets).flatMap((target, at) => {
    if (target === Math.floor(at / graph.labels)) return [];
    const wrong = all(graph.states).filter((state) => classOf[state] !== classOf[target]);
    return wrong.map((state) => ({ ...graph, targets: Array.from(graph.targets).with(at, state) }));
  });
}

function seenFrom({ labels, targets }: StateGraph, seen: readonly unknown[], way: readonly number[]): string {
  let state = 0;
  return way
    .map((label) => {
      state = targets[state * labels + label] as number;
      return seen[state];
    })
    .join();
}

function ways(labels: number, length: number): readonly (readonly number[])[] {
  if (length === 0) return [[]];
  return ways(labels, length - 1).flatMap((way) => all(labels).map((label) => [...way, label]));
}

describe('distinguishing sequences of a machine', () => {
  test('R13: events distinguish the screens of a sign-in, and inseparable screens are listed', () => {
    const { machine, events } = signInModel;
    const visible = ({ value }: { readonly value: unknown }) => value;
    const { explored, apart, inseparable, listSuffixes, classes } = distinguishingSequences(machine, {
      events,
      visible,
    });
    const states = explored.states.map(({ value }) => value);
    const [expired, other] = states.flatMap((value, number) => (value === 'expired' ? [number] : []));
    // After a required prompt has expired, the user cannot continue (A1). Only a skip shows that.
    expect(apart(expired ?? 0, other ?? 0)).toEqual([{ type: 'prompt.skipped', refused: false }]);
    expect(listSuffixes(expired ?? 0)[0]).toMatchObject({ missed: [], isShortest: true });
    expect(classes + inseparable.flat().length - inseparable.length).toBe(explored.states.length);
    expect(inseparable.filter(([one, two]) => apart(one ?? 0, two ?? 0) !== null)).toEqual([]);
  });
});
