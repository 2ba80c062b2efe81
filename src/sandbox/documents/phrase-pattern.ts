import type { PhraseWords } from './phrase-words.ts';

/** Words whose places a number of 32 bits can hold. */
const wordsAtOnce = 31;

/**
 * Words that follow each other, looked for in texts that are made of phrases. A text is read word by word, and the bits of a
 * number say how many of the words its last ones are (the shift-and algorithm), so that a text costs an operation a word.
 */
class PhrasePattern {
  readonly #words: Uint16Array;
  /** For each word the places that it has among those looked for. */
  readonly #places: Int32Array;
  readonly #last: number;
  readonly #inSentence: Uint8Array;
  readonly #sentences: readonly Uint16Array[];

  /** Takes the words that are looked for, one at least. */
  constructor(words: Uint16Array, known: PhraseWords) {
    this.#words = words;
    this.#places = new Int32Array(known.count);
    words.slice(0, wordsAtOnce).forEach((word, place) => {
      this.#places[word] = (this.#places[word] ?? 0) | (1 << place);
    });
    this.#last = 1 << (Math.min(words.length, wordsAtOnce) - 1);
    this.#sentences = known.sentences;
    this.#inSentence = Uint8Array.from(known.sentences, (sentence) => (this.isIn([sentence]) ? 1 : 0));
  }

  /** Whether a text of so many sentences holds the words. Takes the list with their places, and where they begin in it. */
  isInSentences(list: Uint16Array, at: number, count: number): boolean {
    for (let index = at; index < at + count; index += 1) if (this.#inSentence[list[index] ?? 0] === 1) return true;
    if (this.#words.length === 1) return false;
    let state = 0;
    for (let index = at; index < at + count; index += 1) {
      state = this.#read(state, this.#sentences[list[index] ?? 0]);
      if (state === -1) return this.#words.length <= wordsAtOnce || this.#isWholeIn(list, at, count);
    }
    return false;
  }

  /** Whether a text that is made of phrases holds the words. */
  isIn(parts: readonly Uint16Array[]): boolean {
    let state = 0;
    for (const part of parts) {
      state = this.#read(state, part);
      if (state === -1) return this.#words.length <= wordsAtOnce || this.#isWhole(parts);
    }
    return false;
  }

  /** The state after more words; -1 once all that is looked for has been read. */
  #read(before: number, words: Uint16Array | undefined): number {
    let state = before;
    for (const word of words ?? []) {
      state = ((state << 1) | 1) & (this.#places[word] ?? 0);
      if ((state & this.#last) !== 0) return -1;
    }
    return state;
  }

  #isWholeIn(list: Uint16Array, at: number, count: number): boolean {
    return this.#isWhole(Array.from(list.subarray(at, at + count), (place) => this.#sentences[place] ?? []));
  }

  /** Compares more words than a number has bits, which few texts come to. */
  #isWhole(parts: readonly Iterable<number>[]): boolean {
    const text = parts.flatMap((part) => [...part]);
    return text.some((_, from) => this.#words.every((word, index) => text[from + index] === word));
  }
}

/** What someone looks for: all of its patterns have to be found. */
export class PhraseQuery {
  readonly #patterns: readonly PhrasePattern[];
  readonly #known: PhraseWords;

  private constructor(patterns: readonly PhrasePattern[], known: PhraseWords) {
    this.#patterns = patterns;
    this.#known = known;
  }

  /** Reads an expression of the full-text index. Returns `null` where no synthetic document can match. */
  static of(match: string, known: PhraseWords): PhraseQuery | null {
    const terms = [...match.matchAll(/"([^"]*)"/g)].map(([, term = '']) => known.of(term));
    if (terms.includes(null)) return null;
    const patterns = (terms as readonly Uint16Array[]).filter(({ length }) => length > 0);
    if (patterns.length === 0) return null;
    return new PhraseQuery(
      patterns.map((words) => new PhrasePattern(words, known)),
      known,
    );
  }

  /** Whether a page holds all that is looked for. Takes the list with the places of sentences, and where the page begins in it. */
  isInPage(list: Uint16Array, at: number, count: number): boolean {
    return this.#patterns.every((pattern) => pattern.isInSentences(list, at, count));
  }

  /** Whether title or description of a record hold each of what is looked for. */
  isInRecord([first, second]: readonly [number, number], [one, other]: readonly [number, number]): boolean {
    const { subjects, sentences, joint } = this.#known;
    const title = [subjects[first] ?? joint, joint, subjects[second] ?? joint];
    const description = [sentences[one] ?? joint, sentences[other] ?? joint];
    return this.#patterns.every((pattern) => pattern.isIn(title) || pattern.isIn(description));
  }
}
