import { getOutput, getTarget, type MealyMachine, type Word } from '../mealy/mealy-machine.ts';
import type { QueryRunner } from './query-runner.ts';
import type { Reference } from './reference.ts';

/**
 * Learner of the L# family. The basis is a set of nodes of the observation tree that are apart from each other, so each
 * is a state of the system. The frontier is their successors: each is apart from all of the basis and joins it, or stays
 * with the only state that it is not apart from. A reference predicts which word decides that with one query.
 */
export class ApartnessLearner {
  readonly #runner: QueryRunner;
  readonly #reference: Reference | null;
  readonly #basis: number[] = [0];
  /** Place of each node of the basis. */
  readonly #places = new Map([[0, 0]]);
  /** For each frontier node, the places in the basis that it is not apart from, among the first `seen`. */
  readonly #candidates = new Map<number, { seen: number; places: readonly number[] }>();

  /** Creates a learner that knows what the runner has observed. */
  constructor(runner: QueryRunner, reference: Reference | null) {
    this.#runner = runner;
    this.#reference = reference;
  }

  /** Number of states that are known to exist. */
  get states(): number {
    return this.#basis.length;
  }

  /** Extends the observations until they determine a machine, and returns it. It agrees with every observation. */
  async buildHypothesis(): Promise<MealyMachine> {
    for (;;) {
      this.#reference?.forgetMatches();
      while (await this.#completeBasis());
      const hypothesis = this.#hypothesis();
      const contradiction = this.#findContradiction(hypothesis);
      if (contradiction === null) return hypothesis;
      await this.processCounterexample(hypothesis, contradiction);
    }
  }

  /**
   * Returns the machine that is known so far: transitions that were not observed or decided are guesses, and have the
   * output `unknown`.
   */
  getKnownMachine(unknown: string): MealyMachine {
    return this.#hypothesis(unknown);
  }

  /**
   * Extends the observations so that the last state of a counterexample becomes a state of its own, by binary search for
   * the point at which hypothesis and system diverge.
   *
   * @param word - observed word whose outputs differ from those of the hypothesis
   */
  async processCounterexample(hypothesis: MealyMachine, word: Word): Promise<void> {
    const { tree } = this.#runner;
    let suspect = this.#shortestSuspect(hypothesis, word);
    for (;;) {
      const node = tree.follow(suspect);
      if (this.#places.has(node) || this.#isFrontier(suspect)) return;
      const cut = this.#frontierLength(suspect);
      const half = Math.floor((cut + suspect.length) / 2);
      const [first, rest] = [suspect.slice(0, half), suspect.slice(half)];
      const state = this.#basis[this.#stateAfter(hypothesis, suspect)] as number;
      const witness = tree.findApartness(state, node) ?? [];
      const middle = this.#basis[this.#stateAfter(hypothesis, first)] as number;
      const replaced = [...tree.accessWord(middle), ...rest];
      await this.#ask([...replaced, ...witness]);
      suspect = tree.findApartness(middle, tree.follow(first)) === null ? replaced : first;
    }
  }

  /** Returns the shortest prefix whose node is apart from the state that the hypothesis assigns to it. */
  #shortestSuspect(hypothesis: MealyMachine, word: Word): Word {
    const outputs = this.#runner.tree.read(word) ?? [];
    let state = 0;
    for (const [at, input] of word.entries()) {
      if (getOutput(hypothesis, state, input) !== outputs[at]) return word.slice(0, at);
      state = getTarget(hypothesis, state, input);
    }
    throw new TypeError('The word is no counterexample.');
  }

  #stateAfter(hypothesis: MealyMachine, word: Word): number {
    return word.reduce((state, input) => getTarget(hypothesis, state, input), 0);
  }

  #isFrontier(word: Word): boolean {
    return this.#frontierLength(word) >= word.length;
  }

  /** Returns the length of the shortest prefix that leaves the basis. */
  #frontierLength(word: Word): number {
    let node = 0;
    for (const [at, input] of word.entries()) {
      node = this.#runner.tree.child(node, input);
      if (!this.#places.has(node)) return at + 1;
    }
    return word.length;
  }

  /** Decides every frontier node once. Returns `true` if that made new observations or states. */
  async #completeBasis(): Promise<boolean> {
    const before = { queries: this.#runner.queries, states: this.#basis.length };
    // The loop also visits the states that it finds.
    for (const node of this.#basis) {
      for (let input = 0; input < this.#runner.tree.inputs; input += 1) await this.#decide(node, input);
    }
    return this.#runner.queries > before.queries || this.#basis.length > before.states;
  }

  async #decide(node: number, input: number): Promise<void> {
    const { tree } = this.#runner;
    const words = [...(this.#reference?.predictWords(tree, node, input) ?? [])];
    if (tree.child(node, input) < 0) {
      await this.#ask([...tree.accessWord(node), input, ...(words.shift() ?? [])]);
    }
    const child = tree.child(node, input);
    if (this.#places.has(child)) return;
    for (;;) {
      const places = this.#refreshCandidates(child);
      const [one, other] = places;
      if (one === undefined) this.#promote(child);
      if (one === undefined || other === undefined) return;
      const predicted = words.shift();
      const [left, right] = [this.#basis[one] as number, this.#basis[other] as number];
      const word = predicted ?? tree.findApartness(left, right);
      if (word === null) throw new TypeError('Two states of the basis are not apart.');
      await this.#ask([...tree.accessWord(child), ...word]);
    }
  }

  #promote(node: number): void {
    this.#places.set(node, this.#basis.push(node) - 1);
    this.#candidates.delete(node);
  }

  /** Returns the places of the basis that a frontier node is not apart from. */
  #refreshCandidates(node: number): readonly number[] {
    const { seen = 0, places = [] } = this.#candidates.get(node) ?? {};
    const added = Array.from({ length: this.#basis.length - seen }, (_, at) => seen + at);
    const left = [...places, ...added].filter(
      (place) => this.#runner.tree.findApartness(this.#basis[place] as number, node) === null,
    );
    this.#candidates.set(node, { seen: this.#basis.length, places: left });
    return left;
  }

  #hypothesis(unknown: string | null = null): MealyMachine {
    const { tree, system } = this.#runner;
    const targets: number[] = [];
    const outputs: string[] = [];
    for (const [place, node] of this.#basis.entries()) {
      for (let input = 0; input < tree.inputs; input += 1) {
        const child = tree.child(node, input);
        const known = this.#places.get(child);
        targets.push(known ?? (child < 0 ? place : (this.#refreshCandidates(child)[0] ?? place)));
        outputs.push(tree.output(node, input) ?? (unknown as string));
      }
    }
    return { states: this.#basis.length, inputs: system.inputs, targets, outputs };
  }

  /** Finds an observed word whose outputs differ from those of a hypothesis; `null` if all agree. */
  #findContradiction(hypothesis: MealyMachine): Word | null {
    const { tree } = this.#runner;
    const pairs = [{ node: 0, state: 0 }];
    const met = new Set([0]);
    // The loop also visits the pairs that it appends. Every node has one state, so no node is visited twice.
    for (const { node, state } of pairs) {
      for (let input = 0; input < tree.inputs; input += 1) {
        const child = tree.child(node, input);
        if (child < 0 || met.has(child)) continue;
        if (tree.output(node, input) !== getOutput(hypothesis, state, input)) {
          return [...tree.accessWord(node), input];
        }
        met.add(child);
        pairs.push({ node: child, state: getTarget(hypothesis, state, input) });
      }
    }
    return null;
  }

  async #ask(word: Word): Promise<void> {
    await this.#runner.ask(word, 'learning');
  }
}
