import { assign, type SnapshotFrom, setup } from 'xstate';

/** What the state of a document record depends on. */
export interface DocumentContext {
  /** Pages of the file. */
  readonly pages: number;
  /** Pages that were processed, from the first one on; their rows appear. */
  readonly processed: number;
  readonly public: boolean;
  /** Virtual time at which the present state began, in ms. */
  readonly sinceMs: number;
}

/** Steps by hand carry the time at which they were taken, steps by the clock the time at which they were due. */
interface Timed {
  readonly nowMs: number;
}

export type DocumentEvent =
  | ({ readonly type: 'processing.started' } & Timed)
  /** The pages up to a number, from 1, were processed. */
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
 * The state flow of a document record: created, without pages; processing, while its page rows appear; ready. Publishing and
 * withdrawing flip `public` when they are through, and until then the record is pending, as it is before it is ready.
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

/** How long the steps of a document take on the virtual clock, in ms. */
export interface DocumentTiming {
  /** From creation to the beginning of the processing. */
  readonly startMs: number;
  /** For each page. */
  readonly pageMs: number;
  /** From the wish to publish or withdraw until it is through. */
  readonly visibilityMs: number;
}

/**
 * The step that the clock takes next, and when. Takes state, context and timing; returns `null` where nothing is due by
 * itself. Pages that are due at one time are one step.
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
