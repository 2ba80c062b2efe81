import type { ObservationTree } from '../learner/observation-tree.ts';
import { listDifferences } from '../mealy/compare-machines.ts';
import { getOutput, getTarget, type MealyMachine, transitionNumber, type Word } from '../mealy/mealy-machine.ts';

/** Word whose last output differs from the expected one; all outputs before are equal. */
export interface ObservedDifference {
  readonly word: Word;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Lists the differences of a system from the expected machine, shortest first.
 *
 * @param learned - the learned machine, for one difference for each of its transitions; `null` if it is incomplete, for
 *   one for each transition of the expected machine at which an observation differs
 */
export function listKnownDifferences(
  tree: ObservationTree,
  expected: MealyMachine,
  learned: MealyMachine | null,
): readonly ObservedDifference[] {
  if (learned === null) return listObservations(tree, expected);
  return listDifferences(learned, expected).map(({ word, output, otherOutput }) => ({
    word,
    expected: otherOutput,
    actual: output,
  }));
}

function listObservations(tree: ObservationTree, expected: MealyMachine): readonly ObservedDifference[] {
  const found = new Map<number, ObservedDifference>();
  const pairs = [{ node: 0, state: 0 }];
  const met = new Set([0]);
  // The loop also visits the pairs that it appends.
  for (const { node, state } of pairs) {
    for (let input = 0; input < tree.inputs; input += 1) {
      const child = tree.child(node, input);
      const actual = tree.output(node, input);
      if (actual === null) continue;
      const wanted = getOutput(expected, state, input);
      const transition = transitionNumber(expected, state, input);
      if (actual !== wanted && !found.has(transition)) {
        found.set(transition, { word: [...tree.accessWord(node), input], expected: wanted, actual });
      }
      if (actual !== wanted || met.has(child)) continue;
      met.add(child);
      pairs.push({ node: child, state: getTarget(expected, state, input) });
    }
  }
  return [...found.values()];
}
