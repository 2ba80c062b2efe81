import { randomSource } from '../../src/core/random.ts';
import type { MealyMachine } from '../../src/learn/mealy/mealy-machine.ts';

/** Creates a random complete machine. Not all of its states can be reached or separated. */
export function randomMachine(
  seed: number,
  { states, inputs, outputs }: { readonly states: number; readonly inputs: number; readonly outputs: number },
): MealyMachine {
  const random = randomSource(seed);
  const draw = (below: number) => Math.floor(random() * below);
  const transitions = Array.from({ length: states * inputs }, () => [draw(states), draw(outputs)] as const);
  return {
    states,
    inputs: Array.from({ length: inputs }, (_, input) => `i${input}`),
    targets: transitions.map(([target]) => target),
    outputs: transitions.map(([, output]) => `o${output}`),
  };
}

/**
 * Describes the behavior of a machine without the code of the learner: the reachable states are merged by marking pairs
 * that differ (table filling), and the classes are renamed in the order of a depth-first search. Two machines are
 * isomorphic after minimization exactly if their descriptions are equal.
 */
export function describeBehavior({ inputs, targets, outputs }: MealyMachine): string {
  const count = inputs.length;
  const step = (state: number, input: number) => targets[state * count + input] as number;
  const shown = (state: number, input: number) => outputs[state * count + input] as string;
  const reached = [0];
  for (const state of reached) {
    for (let input = 0; input < count; input += 1) {
      if (!reached.includes(step(state, input))) reached.push(step(state, input));
    }
  }
  const marked = new Set<string>();
  const isMarked = (one: number, other: number) => marked.has(`${Math.min(one, other)},${Math.max(one, other)}`);
  for (let changed = true; changed; ) {
    changed = false;
    for (const one of reached) {
      for (const other of reached) {
        if (one >= other || isMarked(one, other)) continue;
        const differs = inputs.some(
          (_, input) =>
            shown(one, input) !== shown(other, input) || isMarked(step(one, input), step(other, input)),
        );
        if (!differs) continue;
        marked.add(`${one},${other}`);
        changed = true;
      }
    }
  }
  const names = new Map<number, number>();
  const represent = (state: number) => reached.find((other) => other === state || !isMarked(state, other)) as number;
  const lines: string[] = [];
  const visit = (state: number): number => {
    const kind = represent(state);
    const known = names.get(kind);
    if (known !== undefined) return known;
    const name = names.size;
    names.set(kind, name);
    lines[name] = inputs.map((input, at) => `${input}/${shown(kind, at)}>${visit(step(kind, at))}`).join(' ');
    return name;
  };
  visit(0);
  return lines.join('\n');
}

/** Counts the states of a description. */
export function countStates(description: string): number {
  return description.split('\n').length;
}
