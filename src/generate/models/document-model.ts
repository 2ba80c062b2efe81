import {
  type DocumentEvent,
  type DocumentSnapshot,
  documentMachine,
  nextDocumentStep,
} from '../../../machines/document.machine.ts';
import type { Invariant, Model } from '../../compiled/model.ts';

type DocumentMachine = typeof documentMachine;

/** Number of pages in the document: two, so one of them is not the last. */
const pages = 2;
/** Two different times in milliseconds, to verify that each step records its own time. */
const timesMs = [1, 2] as const;

const timing = { startMs: 10, pageMs: 100, visibilityMs: 1_000 } as const;

const events: readonly DocumentEvent[] = timesMs.flatMap((nowMs): readonly DocumentEvent[] => [
  { type: 'processing.started', nowMs },
  ...Array.from({ length: pages + 1 }, (_, page) => ({ type: 'pages.processed' as const, through: page + 1, nowMs })),
  { type: 'publication.requested', nowMs },
  { type: 'withdrawal.requested', nowMs },
  { type: 'visibility.changed', nowMs },
  { type: 'reprocessing.requested', nowMs },
]);

const invariants: readonly Invariant<DocumentMachine>[] = [
  {
    id: 'document.ready-is-processed',
    sentence: 'A processed document has rows for all its pages (D2, D7).',
    of: 'state',
    holds: ({ value, context }) => value !== 'ready' || context.processed === context.pages,
  },
  {
    id: 'document.created-has-no-rows',
    sentence: 'A document that is waiting to be processed has no rows (D2, D7).',
    of: 'state',
    holds: ({ value, context }) => value !== 'created' || context.processed === 0,
  },
  {
    id: 'document.visibility-is-another',
    sentence:
      'A document is being published only while it is private, and being unpublished only while it is public (D7).',
    of: 'state',
    holds: ({ value, context }) =>
      (value !== 'publishing' || !context.public) && (value !== 'unpublishing' || context.public),
  },
];

/**
 * Returns what the records API reports about a document: state, rows, visibility, and the time of its next processing
 * step.
 */
export function documentView({ value, context }: DocumentSnapshot): object {
  const next = nextDocumentStep(value, context, timing);
  return { state: value, rows: context.processed, public: context.public, next };
}

/**
 * Model of a document with two pages that is processed, published, withdrawn and processed again, at either of two
 * times.
 */
export const documentModel: Model<DocumentMachine> = {
  name: 'document',
  machine: documentMachine,
  input: { pages, processed: 0, public: false, sinceMs: 0 },
  events,
  serialize: ({ value, context }) => JSON.stringify([value, context]),
  invariants,
};
