import type { WrittenStep } from '../../contract/scenario.schema.ts';
import { coveringWalks, type Link } from './covering-walks.ts';
import { listStepSuffixes, type SandboxSteps } from './sandbox-steps.ts';

/** Tests that take every step of a world, with the proof of how near to the cheapest they are. */
export interface SandboxTour {
  readonly tests: readonly { readonly given: number; readonly steps: readonly WrittenStep[] }[];
  /** Steps that the world has: those that stay where they are show something too. */
  readonly covered: number;
  readonly cost: number;
  readonly lowerBound: number;
}

/** What beginning a test costs, in steps. */
const resetCost = 1;

/**
 * The cheapest tests that take every step of a world in each of its states, and where it is asked for with every suffix of where
 * it leads: a directed postman tour with resets, as that of a machine. A test may begin with anything that is given. Takes the
 * world, and whether suffixes follow.
 */
export function createSandboxTour(world: SandboxSteps, suffixes: 'none' | 'each'): SandboxTour {
  const { graph, beginnings, steps } = world;
  const { states, labels, targets } = graph;
  const suffixesOf = suffixes === 'each' ? listStepSuffixes(world) : () => [[]];
  const required: Link[] = [];
  const moves = new Map<number, Link>();
  let covered = 0;
  for (const [step, to] of Array.from(targets).entries()) {
    if (to < 0) continue;
    const [from, label] = [Math.floor(step / labels), step % labels];
    covered += 1;
    for (const suffix of suffixesOf(step)) {
      const taken = [label, ...suffix];
      const end = suffix.reduce((state, by) => targets[state * labels + by] as number, to);
      required.push({ from, to: end, cost: taken.length, labels: taken });
    }
    if (from !== to && !moves.has(from * states + to))
      moves.set(from * states + to, { from, to, cost: 1, labels: [label] });
  }
  // Tests begin at a node of their own, from which each beginning is reached for nothing.
  const begins = beginnings.map(
    ({ state, given }): Link => ({ from: states, to: state, cost: 0, labels: [labels + given] }),
  );
  const { tests, cost, lowerBound } = coveringWalks({
    nodes: states + 1,
    start: states,
    required,
    optional: [...begins, ...moves.values()],
    endCosts: [...Array.from({ length: states }, () => 0), null],
    resetCost,
  });
  const written = tests.map(({ links: [begin, ...links] }) => ({
    given: (begin?.labels[0] ?? labels) - labels,
    steps: links.flatMap((link) => link.labels.map((label) => steps[label] as WrittenStep)),
  }));
  return { tests: written, covered, cost, lowerBound };
}
