import fc from 'fast-check';
import type { StateGraph } from '../src/generate/exploration/state-graph.ts';

/** Commands that a run may have at most: what suits a graph best is tried out. */
const lengths = [20, 100, 500, 2_000];
/** Runs that are generated at a time. */
const batch = 100;

interface Place {
  at: number;
}

/**
 * Transitions to another state that model-based commands of fast-check take with as many events and resets as a tour costs, at the
 * best of some lengths. A command that would lead nowhere is left out, as its `check` does, and costs nothing.
 */
export function takenAtRandom(graph: StateGraph, costMost: number): number {
  return Math.max(...lengths.map((maxCommands) => takenBy(graph, costMost, maxCommands)));
}

function takenBy({ labels, targets }: StateGraph, costMost: number, maxCommands: number): number {
  const taken = new Set<number>();
  let cost = 0;
  const commandOf = (label: number): fc.Command<Place, null> => ({
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
  const commands = Array.from({ length: labels }, (_, label) => fc.constant(commandOf(label)));
  const runs = fc.commands(commands, { maxCommands, size: 'max' });
  for (let seed = 1; cost < costMost; seed += 1) {
    for (const run of fc.sample(runs, { seed, numRuns: batch })) {
      // Going back to the beginning costs one event, as it does in a tour.
      cost += 1;
      fc.modelRun(() => ({ model: { at: 0 }, real: null }), run);
    }
  }
  return taken.size;
}
