import { loadPhrases, phrases, titleWord } from './series.ts';

/**
 * Words of the phrases in synthetic documents. The full-text index itself splits the phrases, so a search finds
 * what the index would find in the generated texts.
 */
export interface PhraseWords {
  /** Word numbers of each sentence. */
  readonly sentences: readonly Uint16Array[];
  readonly subjects: readonly Uint16Array[];
  /** Words between the subjects of a title. */
  readonly joint: Uint16Array;
  /** Number of distinct words. */
  readonly count: number;
  /** Returns the words of a search text, or `null` if one of them is in no phrase. */
  of(text: string): Uint16Array | null;
}

/** Tokenizer setting of the full-text index. */
export const tokenizer = 'unicode61 remove_diacritics 2';

/** Row of the list of terms: a word, the number of its text, and its position in it. */
type WordPlace = readonly [term: string, doc: number, offset: number];

let known: Promise<PhraseWords> | null = null;

/** Loads the words, which are the same for every sandbox. */
export function loadPhraseWords(): Promise<PhraseWords> {
  known ??= divide();
  return known;
}

async function divide(): Promise<PhraseWords> {
  await loadPhrases();
  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(':memory:');
  db.exec(`
    CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='${tokenizer}');
    CREATE VIRTUAL TABLE words USING fts5vocab(texts, 'instance');
  `);
  const add = db.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  const read = db.prepare('SELECT term, doc, offset FROM words');
  read.setReturnArrays(true);
  const clear = db.prepare('DELETE FROM texts');
  /** Splits each text into words. */
  const divided = (texts: readonly string[]): readonly (readonly string[])[] => {
    db.exec('BEGIN');
    texts.forEach((text, index) => {
      add.run(index, text);
    });
    const found: string[][] = texts.map(() => []);
    // The index lists its terms, each with all of its places.
    for (const [term, doc, offset] of read.all() as unknown as readonly WordPlace[]) {
      const words = found[doc];
      if (words !== undefined) words[offset] = term;
    }
    clear.run();
    db.exec('COMMIT');
    return found;
  };
  const { sentences, subjects } = phrases();
  const texts = [...sentences, ...subjects, titleWord];
  const numbers = new Map<string, number>();
  const numbered = divided(texts).map((words) =>
    Uint16Array.from(words, (word) => {
      const number = numbers.get(word) ?? numbers.size;
      numbers.set(word, number);
      return number;
    }),
  );
  return {
    sentences: numbered.slice(0, sentences.length),
    subjects: numbered.slice(sentences.length, -1),
    joint: numbered.at(-1) ?? new Uint16Array(),
    count: numbers.size,
    of: (text) => {
      const words = (divided([text])[0] ?? []).map((word) => numbers.get(word));
      return words.includes(undefined) ? null : Uint16Array.from(words as readonly number[]);
    },
  };
}
