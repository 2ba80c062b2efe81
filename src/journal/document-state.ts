import {
  type DocumentContext,
  type DocumentEvent,
  type DocumentSnapshot,
  type DocumentStateName,
  documentMachine,
  nextDocumentStep,
} from '../../machines/document.machine.ts';
import { createStepper } from '../../machines/step.ts';
import type { DocumentMove } from '../contract/document.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { DocumentRecord, DocumentSeries } from './document-record.ts';
import type { JournalEvent } from './journal-event.ts';

export type { DocumentRecord, DocumentSeries, DocumentSource, NewDocument } from './document-record.ts';

/** Documents of a sandbox, as plain data. */
export interface DocumentsState {
  nextId: number;
  readonly series: DocumentSeries[];
  /** Documents by id: added ones, and changed documents of a series. */
  readonly records: Record<number, DocumentRecord>;
  readonly idsByUid: Record<string, number>;
  /** Removed documents, including those of a series. */
  readonly removed: Record<number, true>;
  /** Documents with a pending step on the clock. */
  moving: readonly number[];
  /** Revision number, raised by every change of any document, including changes by the clock. */
  revision: number;
}

export type DocumentJournalEvent = Extract<JournalEvent, { readonly type: `document.${string}` }>;

/** Returns `true` if an event concerns documents. */
export function isAboutDocuments(event: JournalEvent): event is DocumentJournalEvent {
  return event.type.startsWith('document.');
}

/** Returns the state of a sandbox without documents. */
export function noDocuments(): DocumentsState {
  return { nextId: 1, series: [], records: {}, idsByUid: {}, removed: {}, moving: [], revision: 0 };
}

/** Returns `true` if a document is not ready to be listed. */
export function isPending({ state }: Pick<DocumentRecord, 'state'>): boolean {
  return state !== 'ready';
}

/** Returns the number of pages in a document's source. */
export function countPages({ source }: Pick<DocumentRecord, 'source'>): number {
  return source.kind === 'given' ? source.pages.length : source.pages;
}

/** Returns the number of page rows that a document shows. */
export function countShownPages(record: DocumentRecord): number {
  if (record.state === 'created') return 0;
  return record.state === 'processing' ? record.processed : countPages(record);
}

/** Returns the series that contains an id; `null` if there is none. */
export function findSeries({ series }: DocumentsState, id: number): DocumentSeries | null {
  return series.find(({ firstId, count }) => id >= firstId && id < firstId + count) ?? null;
}

/** Applies an event about documents, with the sequence number and time of its entry. */
export function applyToDocuments(
  documents: DocumentsState,
  event: DocumentJournalEvent,
  { seq, atMs }: { readonly seq: number; readonly atMs: number },
): void {
  documents.revision += 1;
  switch (event.type) {
    case 'document.added': {
      const id = documents.nextId;
      documents.nextId += 1;
      const times = { createdAtMs: atMs, modifiedAtMs: atMs, sinceMs: atMs };
      put(documents, { ...event.document, ...times, id, state: 'created', processed: 0, changedBySeq: seq });
      break;
    }
    case 'document.syntheticAdded': {
      const { count, seed, pages } = event;
      documents.series.push({ firstId: documents.nextId, count, seed, pages, createdAtMs: atMs, addedBySeq: seq });
      documents.nextId += count;
      return;
    }
    case 'document.changed': {
      const { documentId, type: _, taken, ...changes } = event;
      const record = taken ?? getRecord(documents, documentId);
      put(documents, { ...record, ...changes, modifiedAtMs: atMs, changedBySeq: seq });
      break;
    }
    case 'document.transitioned': {
      const record = event.taken ?? getRecord(documents, event.documentId);
      put(documents, { ...moved(record, createEvent(event.move, record, event.pages, atMs)), changedBySeq: seq });
      break;
    }
    case 'document.removed':
      remove(documents, event.documentId);
      return;
  }
  settleDocuments(documents, atMs);
}

/** Applies all document steps that are due by a time. Most sandboxes have none. */
export function settleDocuments(documents: DocumentsState, nowMs: number): void {
  if (documents.moving.length === 0) return;
  for (const id of documents.moving) settle(documents, id, nowMs);
}

/** Checks whether a step of a document's state flow is possible now. */
export function canMove(record: DocumentRecord, move: DocumentMove): boolean {
  return createSnapshot(record).can(createEvent(move, record, undefined, record.sinceMs));
}

function settle(documents: DocumentsState, id: number, nowMs: number): void {
  let record = documents.records[id];
  while (record !== undefined && record.timing !== null) {
    const due = nextDocumentStep(record.state, createContext(record), record.timing);
    if (due === null || due.nowMs > nowMs) return;
    record = moved(record, due);
    put(documents, record);
  }
}

/** Returns a document after a step, with the time of the step as its modification time. */
function moved(record: DocumentRecord, event: DocumentEvent): DocumentRecord {
  const { value, context } = stepDocument(createSnapshot(record), event);
  const { processed, sinceMs } = context;
  const state = value as DocumentStateName;
  return { ...record, state, processed, sinceMs, public: context.public, modifiedAtMs: event.nowMs };
}

const stepDocument = createStepper(documentMachine, { pages: 1, processed: 0, public: false, sinceMs: 0 });

function createSnapshot(record: DocumentRecord): DocumentSnapshot {
  return documentMachine.resolveState({ value: record.state, context: createContext(record) });
}

function createContext(record: DocumentRecord): DocumentContext {
  const { processed, sinceMs } = record;
  return { pages: countPages(record), processed, public: record.public, sinceMs };
}

function createEvent(
  move: DocumentMove,
  record: DocumentRecord,
  pages: number | undefined,
  nowMs: number,
): DocumentEvent {
  switch (move) {
    case 'publish':
      return record.state === 'publishing'
        ? { type: 'visibility.changed', nowMs }
        : { type: 'publication.requested', nowMs };
    case 'unpublish':
      return record.state === 'unpublishing'
        ? { type: 'visibility.changed', nowMs }
        : { type: 'withdrawal.requested', nowMs };
    case 'reprocess':
      return { type: 'reprocessing.requested', nowMs };
    case 'start':
      return { type: 'processing.started', nowMs };
    case 'process':
      return { type: 'pages.processed', through: record.processed + (pages ?? countPages(record)), nowMs };
  }
}

function put(documents: DocumentsState, record: DocumentRecord): void {
  documents.revision += 1;
  documents.records[record.id] = record;
  documents.idsByUid[record.uid] = record.id;
  const moves = record.timing !== null && record.state !== 'ready';
  if (moves === documents.moving.includes(record.id)) return;
  documents.moving = moves ? [...documents.moving, record.id] : documents.moving.filter((id) => id !== record.id);
}

function remove(documents: DocumentsState, id: number): void {
  const record = documents.records[id];
  if (record !== undefined) delete documents.idsByUid[record.uid];
  delete documents.records[id];
  documents.removed[id] = true;
  documents.moving = documents.moving.filter((moving) => moving !== id);
}

/**
 * Returns a document of the sandbox. The service references only existing documents, so a missing one means a corrupt
 * journal.
 */
function getRecord({ records }: DocumentsState, id: number): DocumentRecord {
  const record = records[id];
  if (record === undefined)
    throw new NudgeLabError('store-corrupt', {
      message: `The journal refers to document ${id}, which does not exist.`,
    });
  return record;
}
