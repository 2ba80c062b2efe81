import type { WrittenStep } from '../../contract/scenario.schema.ts';
import { coveringWalks, type Link } from './covering-walks.ts';
import { listStepSuffixes, type SandboxSteps } from './sandbox-steps.ts';

/** Tests that cover every step of a test model, with their optimality gap. */
export interface SandboxTour {
  readonly tests: readonly { readonly given: number; readonly steps: readonly WrittenStep[] }[];
  /** Number of steps in the test model, including steps that stay in their state, because these also have results. */
  readonly covered: number;
  readonly cost: number;
  readonly lowerBound: number;
}

/** Cost of starting a test, in steps. */
const resetCost = 1;

/**
 * Computes the cheapest tests that execute every step of a test model in each of its states: a directed postman tour
 * with resets. With `each`, every distinguishing sequence of the target follows each step. A test can start in any
 * initial state.
 */
export function createSandboxTour(sandboxGraph: SandboxSteps, suffixes: 'none' | 'each'): SandboxTour {
  const { graph, beginnings, steps } = sandboxGraph;
  const { states, labels, targets } = graph;
  const suffixesOf = suffixes === 'each' ? listStepSuffixes(sandboxGraph) : () => [[]];
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
  // Tests start at a separate node, from which every initial state is reached at no cost.
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
