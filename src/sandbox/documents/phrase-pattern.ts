import type { PhraseWords } from './phrase-words.ts';

/** Maximum number of words whose positions fit into a 32-bit number. */
const wordsAtOnce = 31;

/**
 * Search pattern for consecutive words in texts that consist of phrases. A text is read word by word, and each bit
 * of a number marks a matched prefix (the shift-and algorithm), so the cost is one operation per word.
 */
class PhrasePattern {
  readonly #words: Uint16Array;
  /** Bit mask for each word with its positions in the pattern. */
  readonly #places: Int32Array;
  readonly #last: number;
  readonly #inSentence: Uint8Array;
  readonly #sentences: readonly Uint16Array[];

  /** Creates a pattern of at least one word. */
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

  /**
   * Returns true if a text of `count` sentences contains the words. `list` contains sentence numbers, and `at` is the
   * first one.
   */
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

  /** Returns true if a text that consists of phrases contains the words. */
  isIn(parts: readonly Uint16Array[]): boolean {
    let state = 0;
    for (const part of parts) {
      state = this.#read(state, part);
      if (state === -1) return this.#words.length <= wordsAtOnce || this.#isWhole(parts);
    }
    return false;
  }

  /** Returns the state after further words, or -1 once the whole pattern has matched. */
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

  /** Compares a pattern with more words than the number has bits. Few texts reach this step. */
  #isWhole(parts: readonly Iterable<number>[]): boolean {
    const text = parts.flatMap((part) => [...part]);
    return text.some((_, from) => this.#words.every((word, index) => text[from + index] === word));
  }
}

/** Search query. All of its patterns must match. */
export class PhraseQuery {
  readonly #patterns: readonly PhrasePattern[];
  readonly #known: PhraseWords;

  private constructor(patterns: readonly PhrasePattern[], known: PhraseWords) {
    this.#patterns = patterns;
    this.#known = known;
  }

  /** Parses an expression of the full-text index. Returns `null` if no synthetic document can match. */
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

  /**
   * Returns true if a page matches the query. `list` contains sentence numbers, and `at` is the first one of the
   * page.
   */
  isInPage(list: Uint16Array, at: number, count: number): boolean {
    return this.#patterns.every((pattern) => pattern.isInSentences(list, at, count));
  }

  /** Returns true if every pattern occurs in the title or description of a record. */
  isInRecord([first, second]: readonly [number, number], [one, other]: readonly [number, number]): boolean {
    const { subjects, sentences, joint } = this.#known;
    const title = [subjects[first] ?? joint, joint, subjects[second] ?? joint];
    const description = [sentences[one] ?? joint, sentences[other] ?? joint];
    return this.#patterns.every((pattern) => pattern.isIn(title) || pattern.isIn(description));
  }
}
