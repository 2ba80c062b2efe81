import fc from 'fast-check';
import type { StateGraph } from '../src/generate/exploration/state-graph.ts';

/** Maximum numbers of commands per run. Several values are tried because the best one depends on the graph. */
const lengths = [20, 100, 500, 2_000];
/** Number of runs generated at a time. */
const batch = 100;

interface Place {
  at: number;
}

/**
 * Counts the transitions to another state that model-based commands of fast-check execute at the cost of a tour, in
 * events and resets. The best of several run lengths counts. A command that leads nowhere is omitted by its `check`
 * and costs nothing.
 */
export function takenAtRandom(graph: StateGraph, costMost: number): number {
  return Math.max(...lengths.map((maxCommands) => takenBy(graph, costMost, maxCommands)));
}

function takenBy({ labels, targets }: StateGraph, costMost: number, maxCommands: number): number {
  const taken = new Set<number>();
  let cost = 0;
  const createCommand = (label: number): fc.Command<Place, null> => ({
    check: ({ at }) => (targets[at * labels + label] ?? at) !== at,
    run: (place) => {
      if (cost >= costMost) return;
      const edge = place.at * labels + label;
      taken.add(edge);
      cost += 1;
      place.at = targets[edge] ?? place.at;
    },
    toString: () => String(label),
  });
  const commands = Array.from({ length: labels }, (_, label) => fc.constant(createCommand(label)));
  const runs = fc.commands(commands, { maxCommands, size: 'max' });
  for (let seed = 1; cost < costMost; seed += 1) {
    for (const run of fc.sample(runs, { seed, numRuns: batch })) {
      // A reset to the initial state costs one event, as it does in a tour.
      cost += 1;
      fc.modelRun(() => ({ model: { at: 0 }, real: null }), run);
    }
  }
  return taken.size;
}
