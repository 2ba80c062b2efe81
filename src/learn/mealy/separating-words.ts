import type { Separation } from '../../generate/separation/separation.ts';
import { getOutput, getTarget, type MealyMachine, separateStates, type Word } from './mealy-machine.ts';
import { chooseSharedWords, type SharedWord } from './shared-words.ts';

/** Maximum number of state images that the search for one word examines. */
const imagesMax = 20_000;

/**
 * Words that separate the states of a machine by their outputs. Words are computed when they are needed and then
 * stored.
 */
export class SeparatingWords {
  readonly #machine: MealyMachine;
  readonly #separation: Separation;
  readonly #words = new Map<number, readonly Word[]>();
  #shared: readonly SharedWord[] | null = null;

  /** Creates the words of a machine. */
  constructor(machine: MealyMachine) {
    this.#machine = machine;
    this.#separation = separateStates(machine);
  }

  /** Returns a shortest word after which two states show different outputs; `null` if they are equivalent. */
  between(one: number, other: number): Word | null {
    const way = this.#separation.apart(one, other);
    if (way === null) return null;
    const machine = this.#machine;
    const [left, right] = [one, other].map((state) => way.reduce((at, input) => getTarget(machine, at, input), state));
    const last = machine.inputs.findIndex(
      (_, input) => getOutput(machine, left as number, input) !== getOutput(machine, right as number, input),
    );
    return [...way, last];
  }

  /**
   * Returns words that together separate a state from every state that is not equivalent to it. States share words where
   * that is possible, because the outputs of shared words separate all of them from each other.
   */
  identify(state: number): readonly Word[] {
    const known = this.#words.get(state);
    if (known !== undefined) return known;
    this.#shared ??= chooseSharedWords(this.#machine, this.#separation.classOf, (one) => this.#searchAlone(one));
    const words = [...this.#shared.filter(({ states }) => states.has(state)).slice(0, 1)].map(({ word }) => word);
    let others = words.length > 0 ? [] : this.#listOthers(state);
    while (others.length > 0) {
      const word = this.#search(state, others) ?? this.#chain(state, others);
      words.push(word);
      others = others.filter((other) => !this.#isSeparated(state, other, word));
    }
    this.#words.set(state, words);
    return words;
  }

  #searchAlone(state: number): Word | null {
    const others = this.#listOthers(state);
    return others.length === 0 ? null : this.#search(state, others);
  }

  #listOthers(state: number): readonly number[] {
    const { classOf } = this.#separation;
    return [...classOf.keys()].filter((other) => classOf[other] !== classOf[state]);
  }

  #isSeparated(one: number, other: number, word: Word): boolean {
    let [left, right] = [one, other];
    for (const input of word) {
      if (getOutput(this.#machine, left, input) !== getOutput(this.#machine, right, input)) return true;
      [left, right] = [getTarget(this.#machine, left, input), getTarget(this.#machine, right, input)];
    }
    return false;
  }

  /** Searches breadth first for a shortest word that separates a state from all others. */
  #search(state: number, others: readonly number[]): Word | null {
    const queue = [{ at: state, left: others, word: [] as Word }];
    const known = new Set<string>();
    let images = 0;
    for (const { at, left, word } of queue) {
      for (let input = 0; input < this.#machine.inputs.length; input += 1) {
        images += left.length;
        if (images > imagesMax) return null;
        const next = this.#imagesLeft(at, left, input);
        if (next === null) continue;
        const longer = [...word, input];
        if (next.left.length === 0) return longer;
        const key = `${next.at}:${next.left.join()}`;
        if (known.has(key)) continue;
        known.add(key);
        queue.push({ ...next, word: longer });
      }
    }
    return null;
  }

  /** Returns the images of the states that an input does not separate; `null` if one of them merges with the state. */
  #imagesLeft(at: number, others: readonly number[], input: number) {
    const machine = this.#machine;
    const next = getTarget(machine, at, input);
    const left = new Set<number>();
    for (const other of others) {
      if (getOutput(machine, other, input) !== getOutput(machine, at, input)) continue;
      const image = getTarget(machine, other, input);
      if (this.#separation.classOf[image] === this.#separation.classOf[next]) return null;
      left.add(image);
    }
    return { at: next, left: [...left].toSorted((a, b) => a - b) };
  }

  /** Joins shortest words for one state after another, as long as the states do not merge. */
  #chain(state: number, others: readonly number[]): Word {
    let at = state;
    let left: readonly number[] = others;
    const word: number[] = [];
    for (;;) {
      const distinct = left.find((other) => this.#separation.classOf[other] !== this.#separation.classOf[at]);
      const part = distinct === undefined ? null : this.between(at, distinct);
      if (part === null) return word;
      for (const input of part) {
        const machine = this.#machine;
        const output = getOutput(machine, at, input);
        left = left
          .filter((other) => getOutput(machine, other, input) === output)
          .map((other) => getTarget(machine, other, input));
        at = getTarget(machine, at, input);
        word.push(input);
      }
    }
  }
}
