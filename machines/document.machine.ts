import { assign, type SnapshotFrom, setup } from 'xstate';

/** Inputs of the state of a document record. */
export interface DocumentContext {
  /** Number of pages in the file. */
  readonly pages: number;
  /** Number of pages processed so far, starting with the first. Every processed page has a page row. */
  readonly processed: number;
  readonly public: boolean;
  /** Virtual time at which the current state began, in milliseconds. */
  readonly sinceMs: number;
}

/** Time of a document event: when it happened for a manual action, or when it was due for a step of the clock. */
interface Timed {
  readonly nowMs: number;
}

export type DocumentEvent =
  | ({ readonly type: 'processing.started' } & Timed)
  /** All pages up to the number `through`, starting at 1, were processed. */
  | ({ readonly type: 'pages.processed'; readonly through: number } & Timed)
  | ({ readonly type: 'publication.requested' } & Timed)
  | ({ readonly type: 'withdrawal.requested' } & Timed)
  | ({ readonly type: 'visibility.changed' } & Timed)
  | ({ readonly type: 'reprocessing.requested' } & Timed);

export type DocumentStateName = 'created' | 'processing' | 'ready' | 'publishing' | 'unpublishing';

const documentSetup = setup({
  types: { context: {} as DocumentContext, events: {} as DocumentEvent, input: {} as DocumentContext },
  guards: {
    isLastPage: ({ context, event }) => event.type === 'pages.processed' && event.through >= context.pages,
    isNextPage: ({ context, event }) => event.type === 'pages.processed' && event.through > context.processed,
    isPublic: ({ context }) => context.public,
  },
  actions: {
    noteTime: assign(({ event }) => ({ sinceMs: event.nowMs })),
    notePages: assign(({ context, event }) =>
      event.type === 'pages.processed' ? { processed: Math.min(event.through, context.pages) } : {},
    ),
    forgetPages: assign({ processed: 0 }),
    flipVisibility: assign(({ context }) => ({ public: !context.public })),
  },
});

/**
 * State machine of a document record. The record is created without pages, gains page rows while processing, and
 * becomes ready. Publishing and withdrawing change `public` when they complete. Until then the record is pending,
 * as it is before it is ready.
 */
export const documentMachine = documentSetup.createMachine({
  id: 'document',
  context: ({ input }) => input,
  initial: 'created',
  states: {
    created: {
      meta: { page: 'document', rules: ['D7'] },
      on: { 'processing.started': { target: 'processing', actions: 'noteTime' } },
    },
    processing: {
      meta: { page: 'document', rules: ['D2', 'D7'] },
      on: {
        'pages.processed': [
          { guard: 'isLastPage', target: 'ready', actions: ['notePages', 'noteTime'] },
          { guard: 'isNextPage', actions: 'notePages' },
        ],
      },
    },
    ready: {
      meta: { page: 'document', rules: ['D2', 'D7'] },
      on: {
        'publication.requested': [{ guard: 'isPublic' }, { target: 'publishing', actions: 'noteTime' }],
        'withdrawal.requested': { guard: 'isPublic', target: 'unpublishing', actions: 'noteTime' },
        'reprocessing.requested': { target: 'created', actions: ['forgetPages', 'noteTime'] },
      },
    },
    publishing: {
      meta: { page: 'document', rules: ['D7'] },
      on: { 'visibility.changed': { target: 'ready', actions: ['flipVisibility', 'noteTime'] } },
    },
    unpublishing: {
      meta: { page: 'document', rules: ['D7'] },
      on: { 'visibility.changed': { target: 'ready', actions: ['flipVisibility', 'noteTime'] } },
    },
  },
});

export type DocumentSnapshot = SnapshotFrom<typeof documentMachine>;

/** Durations of the document steps on the virtual clock, in milliseconds. */
export interface DocumentTiming {
  /** Time from creation to the start of processing, in milliseconds. */
  readonly startMs: number;
  /** Processing time per page, in milliseconds. */
  readonly pageMs: number;
  /** Time from a request to publish or withdraw until it completes, in milliseconds. */
  readonly visibilityMs: number;
}

/**
 * Returns the next step that the clock triggers, with its time, or `null` if nothing is scheduled. Pages that are
 * due at the same time form one step.
 */
export function nextDocumentStep(
  value: DocumentStateName,
  { pages, processed, sinceMs }: DocumentContext,
  { startMs, pageMs, visibilityMs }: DocumentTiming,
): DocumentEvent | null {
  switch (value) {
    case 'created':
      return { type: 'processing.started', nowMs: sinceMs + startMs };
    case 'processing': {
      const through = pageMs === 0 ? pages : processed + 1;
      return { type: 'pages.processed', through, nowMs: sinceMs + through * pageMs };
    }
    case 'publishing':
    case 'unpublishing':
      return { type: 'visibility.changed', nowMs: sinceMs + visibilityMs };
    case 'ready':
      return null;
  }
}
