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

/** Steps and outputs of a machine, without the code of the learner. */
function readMachine({ inputs, targets, outputs }: MealyMachine) {
  return {
    step: (state: number, input: number) => targets[state * inputs.length + input] as number,
    shown: (state: number, input: number) => outputs[state * inputs.length + input] as string,
  };
}

function listReached(machine: MealyMachine): readonly number[] {
  const { step } = readMachine(machine);
  const reached = [0];
  for (const state of reached) {
    for (const input of machine.inputs.keys()) {
      if (!reached.includes(step(state, input))) reached.push(step(state, input));
    }
  }
  return reached;
}

/** Marks the pairs of states that differ (table filling), and returns whether a pair is marked. */
function markPairs(machine: MealyMachine, states: readonly number[]): (one: number, other: number) => boolean {
  const { step, shown } = readMachine(machine);
  const marked = new Set<string>();
  const isMarked = (one: number, other: number) => marked.has(`${Math.min(one, other)},${Math.max(one, other)}`);
  const pairs = states.flatMap((one) => states.filter((other) => one < other).map((other) => [one, other] as const));
  for (let before = -1; marked.size > before; ) {
    before = marked.size;
    for (const [one, other] of pairs) {
      const differs = machine.inputs.some(
        (_, input) => shown(one, input) !== shown(other, input) || isMarked(step(one, input), step(other, input)),
      );
      if (differs) marked.add(`${one},${other}`);
    }
  }
  return isMarked;
}

/**
 * Describes the behavior of a machine without the code of the learner: the reachable states are merged by marking pairs
 * that differ, and the classes are renamed in the order of a depth-first search. Two machines are isomorphic after
 * minimization exactly if their descriptions are equal.
 */
export function describeBehavior(machine: MealyMachine): string {
  const { step, shown } = readMachine(machine);
  const reached = listReached(machine);
  const isMarked = markPairs(machine, reached);
  const names = new Map<number, number>();
  const represent = (state: number) => reached.find((other) => other === state || !isMarked(state, other)) as number;
  const lines: string[] = [];
  const visit = (state: number): number => {
    const kind = represent(state);
    const known = names.get(kind);
    if (known !== undefined) return known;
    const name = names.size;
    names.set(kind, name);
    lines[name] = machine.inputs.map((input, at) => `${input}/${shown(kind, at)}>${visit(step(kind, at))}`).join(' ');
    return name;
  };
  visit(0);
  return lines.join('\n');
}

/** Counts the states of a description. */
export function countStates(description: string): number {
  return description.split('\n').length;
}
