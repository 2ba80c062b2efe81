import type { Word } from '../mealy/mealy-machine.ts';
import { type Availability, notAvailable } from '../systems/system-under-learning.ts';

/** Number that stands for a node that does not exist. */
const none = -1;

/** Two different outputs of the last input of one word. */
export interface Conflict {
  readonly word: Word;
  readonly before: string;
  readonly now: string;
}

/**
 * Tree of all observed words with their outputs. Node 0 is the initial state. An input that is not available leads back
 * to its node, because it is not sent.
 */
export class ObservationTree {
  readonly inputs: number;
  readonly #availability: Availability | null;
  readonly #children: number[] = [];
  readonly #outputs: (string | null)[] = [];
  readonly #parents: number[] = [];
  readonly #by: number[] = [];
  readonly #situations: string[] = [];

  /** Creates a tree with only the initial state. */
  constructor(inputs: number, availability: Availability | null) {
    this.inputs = inputs;
    this.#availability = availability;
    this.#addNode(none, none, availability?.start ?? '');
  }

  get size(): number {
    return this.#parents.length;
  }

  /** Returns the node after an input; -1 if it was not observed. */
  child(node: number, input: number): number {
    return this.#children[node * this.inputs + input] as number;
  }

  /** Returns the observed output; `null` if there is none. */
  output(node: number, input: number): string | null {
    return this.#outputs[node * this.inputs + input] as string | null;
  }

  /** Returns the node before a node that is not the root, and the input between them. */
  origin(node: number): readonly [parent: number, input: number] {
    return [this.#parents[node] as number, this.#by[node] as number];
  }

  /** Returns the inputs from the root to a node. */
  accessWord(node: number): Word {
    const word: number[] = [];
    for (let at = node; at > 0; at = this.#parents[at] as number) word.push(this.#by[at] as number);
    return word.reverse();
  }

  /** Returns the node after a word; -1 if it was not observed completely. */
  follow(word: Word, from = 0): number {
    let node = from;
    for (const input of word) {
      if (node === none) return none;
      node = this.child(node, input);
    }
    return node;
  }

  /** Returns the outputs of a word; `null` if it was not observed completely. */
  read(word: Word): readonly string[] | null {
    const outputs: string[] = [];
    let node = 0;
    for (const input of word) {
      const output = this.output(node, input);
      if (output === null) return null;
      outputs.push(output);
      node = this.child(node, input);
    }
    return outputs;
  }

  /** Removes the inputs from a word that are known to be unavailable, because they are not sent. */
  withoutUnavailable(word: Word): Word {
    let node = 0;
    return word.filter((input) => {
      if (node === none) return true;
      const next = this.child(node, input);
      const isSent = next !== node;
      node = next;
      return isSent;
    });
  }

  /** Records the outputs of a word. Returns the first output that contradicts an earlier one; `null` if none does. */
  record(word: Word, outputs: readonly string[]): Conflict | null {
    let node = 0;
    for (const [at, input] of word.entries()) {
      const now = outputs[at] as string;
      const before = this.output(node, input);
      if (before === null) node = this.#observe(node, input, now);
      else if (before === now) node = this.child(node, input);
      else return { word: word.slice(0, at + 1), before, now };
    }
    return null;
  }

  /** Finds a shortest word after which two nodes showed different outputs; `null` if none was observed. */
  findApartness(one: number, other: number): Word | null {
    if (one === other) return null;
    const pairs = [{ one, other, from: none, by: none }];
    const met = new Set([one * this.size + other]);
    // The loop also visits the pairs that it appends.
    for (let at = 0; at < pairs.length; at += 1) {
      const pair = pairs[at] as (typeof pairs)[number];
      for (let input = 0; input < this.inputs; input += 1) {
        const left = this.child(pair.one, input);
        const right = this.child(pair.other, input);
        if (left === none || right === none) continue;
        if (this.output(pair.one, input) !== this.output(pair.other, input)) {
          const word = [input];
          for (let step = pair; step.from !== none; step = pairs[step.from] as typeof pair) word.unshift(step.by);
          return word;
        }
        const key = left * this.size + right;
        if (left === right || met.has(key)) continue;
        met.add(key);
        pairs.push({ one: left, other: right, from: at, by: input });
      }
    }
    return null;
  }

  #observe(node: number, input: number, output: string): number {
    const place = node * this.inputs + input;
    const situation = this.#situations[node] as string;
    const child =
      output === notAvailable
        ? node
        : this.#addNode(node, input, this.#availability?.after(situation, input, output) ?? '');
    this.#children[place] = child;
    this.#outputs[place] = output;
    return child;
  }

  #addNode(parent: number, by: number, situation: string): number {
    const node = this.#parents.push(parent) - 1;
    this.#by.push(by);
    this.#situations.push(situation);
    for (let input = 0; input < this.inputs; input += 1) {
      const isAvailable = this.#availability?.allows(situation, input) ?? true;
      this.#children.push(isAvailable ? none : node);
      this.#outputs.push(isAvailable ? null : notAvailable);
    }
    return node;
  }
}
