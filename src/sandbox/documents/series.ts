import type { GivenPage } from '../../contract/document.schema.ts';
import { randomSource } from '../../core/random.ts';
import type { DocumentRecord, DocumentSeries } from '../../journal/document-state.ts';
import { slugOf } from './slug.ts';
import { seriesUid } from './uid.ts';

/** Phrases that synthetic documents are put together from; as many as make repeated ones rare to look at. */
interface Phrases {
  readonly sentences: readonly string[];
  readonly subjects: readonly string[];
  readonly people: readonly string[];
}

/** The seed of the phrases: they are the same for every sandbox, and the seed of a series says how they are put together. */
const phraseSeed = 20_261_101;
const phrasesOfKind = 2_000;

let known: Phrases | null = null;

/** Loads the words of synthetic documents. To be awaited once before one is made up: no program pays for them that has none. */
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

const tagWords = ['budget', 'contract', 'correspondence', 'decision', 'environment', 'health', 'minutes', 'statistics'];
const msPerMinute = 60_000;
const publicBodies = 50;

/** A record of a series. Takes its id; phrases have been loaded. */
export function seriesRecord(series: DocumentSeries, id: number): DocumentRecord {
  const draw = drawsOf(series, id, 0);
  const { subjects, sentences, people } = phrases();
  const title = capitalised(`${pick(subjects, draw)} and ${pick(subjects, draw)}`);
  const createdAtMs = Math.max(0, series.createdAtMs - (series.firstId + series.count - 1 - id) * msPerMinute);
  return {
    id,
    uid: seriesUid(series, id),
    title,
    slug: slugOf(title),
    description: `${pick(sentences, draw)} ${pick(sentences, draw)}`,
    public: true,
    listed: true,
    allowAnnotation: draw() < 0.5,
    publishedAt: null,
    owner: null,
    tags: [pick(tagWords, draw)],
    data: {},
    original: null,
    foirequest: draw() < 0.5 ? null : 1 + Math.floor(draw() * 10_000),
    publicbody: 1 + Math.floor(draw() * publicBodies),
    outline: '',
    properties: {
      title,
      author: pick(people, draw),
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

const paragraphsOfPage = 3;
const sentencesOfParagraph = 4;

/** A page of a record of a series: about a hundred words in paragraphs. Takes the page from 1. */
export function seriesPage(seed: number, id: number, page: number): GivenPage {
  const draw = drawsOf({ seed }, id, page);
  const { sentences } = phrases();
  const paragraph = (): string => Array.from({ length: sentencesOfParagraph }, () => pick(sentences, draw)).join(' ');
  const content = Array.from({ length: paragraphsOfPage }, paragraph).join('\n');
  return { content, width: 1_240, height: 1_754 };
}

function phrases(): Phrases {
  if (known === null) throw new TypeError('The phrases of synthetic documents have not been loaded.');
  return known;
}

/** Draws that depend on seed, record and page alone. */
function drawsOf({ seed }: Pick<DocumentSeries, 'seed'>, id: number, page: number): () => number {
  return randomSource(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(id, 0x85ebca6b) ^ Math.imul(page, 0xc2b2ae35));
}

function pick<T>(list: readonly T[], draw: () => number): T {
  return list[Math.floor(draw() * list.length)] as T;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
