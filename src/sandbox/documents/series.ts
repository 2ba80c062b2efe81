import type { GivenPage } from '../../contract/document.schema.ts';
import { randomSource } from '../../core/random.ts';
import type { DocumentRecord, DocumentSeries } from '../../journal/document-state.ts';
import { createSlug } from './slug.ts';
import { seriesUid } from './uid.ts';

/** Phrases that synthetic documents are composed of. There are enough of them to make visible repetitions rare. */
export interface Phrases {
  readonly sentences: readonly string[];
  readonly subjects: readonly string[];
  readonly people: readonly string[];
}

/**
 * Random seed of the phrases, which are the same for every sandbox. The random seed of a series determines how they
 * are combined.
 */
const phraseSeed = 20_261_101;
const phrasesOfKind = 2_000;

let known: Phrases | null = null;

/**
 * Loads the phrases of synthetic documents. Await it once before generating one. Lazy loading saves the cost for
 * other programs.
 */
export async function loadPhrases(): Promise<void> {
  if (known !== null) return;
  const { faker } = await import('@faker-js/faker/locale/en');
  faker.seed(phraseSeed);
  const many = (make: () => string): readonly string[] => Array.from({ length: phrasesOfKind }, make);
  known = {
    sentences: many(() => faker.lorem.sentence({ min: 5, max: 14 })),
    subjects: many(() => `${faker.word.adjective()} ${faker.word.noun()}`),
    people: many(() => faker.person.fullName()),
  };
}

/** Word between the subjects of a title. */
export const titleWord = 'and';

export const tagWords = [
  'budget',
  'contract',
  'correspondence',
  'decision',
  'environment',
  'health',
  'minutes',
  'statistics',
];
const msPerMinute = 60_000;
const publicBodies = 50;

/** Random values of a record in a series: positions in the lists of phrases and tags, and numbers. */
export interface DrawnRecord {
  readonly subjects: readonly [number, number];
  readonly sentences: readonly [number, number];
  readonly allowAnnotation: boolean;
  readonly tag: number;
  readonly foirequest: number | null;
  readonly publicbody: number;
  readonly person: number;
}

/** Generates the random values of the record with an id in a series. */
export function drawRecord(series: Pick<DocumentSeries, 'seed'>, id: number): DrawnRecord {
  const draw = createDraws(series, id, 0);
  return {
    subjects: [place(draw), place(draw)],
    sentences: [place(draw), place(draw)],
    allowAnnotation: draw() < 0.5,
    tag: Math.floor(draw() * tagWords.length),
    foirequest: draw() < 0.5 ? null : 1 + Math.floor(draw() * 10_000),
    publicbody: 1 + Math.floor(draw() * publicBodies),
    person: place(draw),
  };
}

/**
 * Returns the creation time of a record in a series, in milliseconds. The last record has the time of the series,
 * and the others are earlier.
 */
export function seriesCreatedAtMs({ createdAtMs, firstId, count }: DocumentSeries, id: number): number {
  return Math.max(0, createdAtMs - (firstId + count - 1 - id) * msPerMinute);
}

/** Generates the record with an id in a series. The phrases must have been loaded. */
export function seriesRecord(series: DocumentSeries, id: number): DocumentRecord {
  const drawn = drawRecord(series, id);
  const { subjects, sentences, people } = phrases();
  const [first, second] = drawn.subjects.map((subject) => subjects[subject] ?? '');
  const title = capitalized(`${first} ${titleWord} ${second}`);
  const createdAtMs = seriesCreatedAtMs(series, id);
  return {
    id,
    uid: seriesUid(series, id),
    title,
    slug: createSlug(title),
    description: drawn.sentences.map((sentence) => sentences[sentence] ?? '').join(' '),
    public: true,
    listed: true,
    allowAnnotation: drawn.allowAnnotation,
    publishedAt: null,
    owner: null,
    tags: [tagWords[drawn.tag] ?? ''],
    data: {},
    original: null,
    foirequest: drawn.foirequest,
    publicbody: drawn.publicbody,
    outline: '',
    properties: {
      title,
      author: people[drawn.person] ?? '',
      _tables: [],
      creator: 'NudgeLab',
      subject: '',
      producer: 'NudgeLab',
      _format_webp: true,
    },
    source: { kind: 'series', seed: series.seed, pages: series.pages },
    timing: null,
    createdAtMs,
    modifiedAtMs: createdAtMs,
    state: 'ready',
    processed: series.pages,
    sinceMs: createdAtMs,
    changedBySeq: series.addedBySeq,
  };
}

const sentencesOfParagraph = 4;

/** Number of sentences on a page of a series. */
export const sentencesOfPage = 3 * sentencesOfParagraph;

/** Generates a page of a series and writes its sentence numbers to a target array. Page numbers start at 1. */
export function drawPage(
  { seed, id, page }: { readonly seed: number; readonly id: number; readonly page: number },
  into: Uint16Array,
  at = 0,
): void {
  const draw = createDraws({ seed }, id, page);
  for (let index = 0; index < sentencesOfPage; index += 1) into[at + index] = place(draw);
}

/** Generates a page of a record in a series: about a hundred words in paragraphs. Page numbers start at 1. */
export function seriesPage(seed: number, id: number, page: number): GivenPage {
  const drawn = new Uint16Array(sentencesOfPage);
  drawPage({ seed, id, page }, drawn);
  const { sentences } = phrases();
  let content = '';
  drawn.forEach((sentence, index) => {
    content += `${index === 0 ? '' : index % sentencesOfParagraph === 0 ? '\n' : ' '}${sentences[sentence]}`;
  });
  return { content, width: 1_240, height: 1_754 };
}

/** Returns the phrases, which must have been loaded. */
export function phrases(): Phrases {
  if (known === null) throw new TypeError('The phrases of synthetic documents have not been loaded.');
  return known;
}

/** Returns a random source that depends only on the random seed, the record and the page. */
function createDraws({ seed }: Pick<DocumentSeries, 'seed'>, id: number, page: number): () => number {
  return randomSource(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(id, 0x85ebca6b) ^ Math.imul(page, 0xc2b2ae35));
}

function place(draw: () => number): number {
  return Math.floor(draw() * phrasesOfKind);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
