import { getOutput, getTarget, type MealyMachine, minimizeMachine, type Word } from '../mealy/mealy-machine.ts';
import { SeparatingWords } from '../mealy/separating-words.ts';
import type { ObservationTree } from './observation-tree.ts';

/** Maximum number of observed transitions that are compared to score a state of the reference. */
const comparedMax = 2_000;

/**
 * Machine that a system is expected to behave like. It predicts the state that a transition of the system leads to, and
 * the word that confirms this with one query. Wrong predictions cost queries but never change the result.
 */
export class Reference {
  readonly #machine: MealyMachine;
  readonly #words: SeparatingWords;
  /** Number of each input of the system in the reference; -1 if the reference lacks it. */
  readonly #inputs: readonly number[];
  /** Number of each input of the reference in the system; -1 if the system lacks it. */
  readonly #back: readonly number[];
  readonly #matches = new Map<number, number | null>();

  /** Creates the predictions of a machine for a system with these inputs; inputs correspond by name. */
  constructor(machine: MealyMachine, inputs: readonly string[]) {
    this.#machine = minimizeMachine(machine);
    this.#words = new SeparatingWords(this.#machine);
    this.#inputs = inputs.map((name) => machine.inputs.indexOf(name));
    this.#back = machine.inputs.map((name) => inputs.indexOf(name));
  }

  /** Forgets the matches, because new observations can contradict them. */
  forgetMatches(): void {
    this.#matches.clear();
  }

  /** Returns words that should separate the node after an input from all others; empty without a prediction. */
  predictWords(tree: ObservationTree, node: number, input: number): readonly Word[] {
    const match = this.#match(tree, node);
    const mapped = this.#inputs[input] as number;
    if (match === null || mapped < 0) return [];
    return this.#words.identify(getTarget(this.#machine, match, mapped)).flatMap((word) => {
      const back = word.map((one) => this.#back[one] as number);
      return back.includes(-1) ? [] : [back];
    });
  }

  /**
   * Returns the state of the reference that agrees best with what was observed after a node. The state that the match of
   * the node before leads to is preferred.
   */
  #match(tree: ObservationTree, node: number): number | null {
    const known = this.#matches.get(node);
    if (known !== undefined) return known;
    const expected = this.#expectedState(tree, node);
    const states = [
      ...(expected === null ? [] : [expected]),
      ...Array.from({ length: this.#machine.states }, (_, at) => at),
    ];
    let best: { readonly state: number; readonly share: number } | null = null;
    for (const state of states) {
      const share = this.#agreement(tree, node, state);
      if (best === null || share > best.share) best = { state, share };
      if (share === 1) break;
    }
    const match = best === null || best.share === 0 ? null : best.state;
    this.#matches.set(node, match);
    return match;
  }

  #expectedState(tree: ObservationTree, node: number): number | null {
    if (node === 0) return 0;
    const [parent, input] = tree.origin(node);
    const match = this.#match(tree, parent);
    const mapped = this.#inputs[input] as number;
    return match === null || mapped < 0 ? null : getTarget(this.#machine, match, mapped);
  }

  /** Returns the share of equal outputs after a node and a state, between 0 and 1. */
  #agreement(tree: ObservationTree, start: number, state: number): number {
    const pairs = [{ node: start, state }];
    const met = new Set([start]);
    let compared = 0;
    let equal = 0;
    for (const pair of pairs) {
      for (const [input, mapped] of this.#inputs.entries()) {
        const child = tree.child(pair.node, input);
        if (mapped < 0 || child < 0) continue;
        if (compared >= comparedMax) return equal / compared;
        compared += 1;
        if (tree.output(pair.node, input) !== getOutput(this.#machine, pair.state, mapped)) continue;
        equal += 1;
        if (met.has(child)) continue;
        met.add(child);
        pairs.push({ node: child, state: getTarget(this.#machine, pair.state, mapped) });
      }
    }
    return compared === 0 ? 1 : equal / compared;
  }
}
