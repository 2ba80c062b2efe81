import type { DocumentStateName, DocumentTiming } from '../../machines/document.machine.ts';
import type { DocumentProperties, GivenPage } from '../contract/document.schema.ts';

/** Source of a document's pages. */
export type DocumentSource =
  /** Imported file: its text and images are stored next to the journal under the digest of the file. */
  | { readonly kind: 'file'; readonly digest: string; readonly bytes: number; readonly pages: number }
  | { readonly kind: 'given'; readonly pages: readonly GivenPage[] }
  /** Synthetic document, generated from its random seed on every read. */
  | { readonly kind: 'series'; readonly seed: number; readonly pages: number };

/** Initial state of a document. */
export interface NewDocument {
  readonly uid: string;
  readonly title: string;
  readonly slug: string;
  readonly description: string;
  readonly public: boolean;
  readonly listed: boolean;
  readonly allowAnnotation: boolean;
  readonly publishedAt: string | null;
  readonly owner: string | null;
  readonly tags: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly original: string | null;
  readonly foirequest: number | null;
  readonly publicbody: number | null;
  readonly outline: string;
  readonly properties: DocumentProperties;
  readonly source: DocumentSource;
  /** Duration of its steps on the virtual clock; `null` if each step is requested explicitly. */
  readonly timing: DocumentTiming | null;
}

/** Document of the rebuilt state; immutable, so changes replace it. */
export interface DocumentRecord extends NewDocument {
  readonly id: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  readonly state: DocumentStateName;
  readonly processed: number;
  readonly sinceMs: number;
  /** Sequence number of the last event that changed it. */
  readonly changedBySeq: number;
}

/** Series of synthetic documents, which take no memory until one of them changes. */
export interface DocumentSeries {
  readonly firstId: number;
  readonly count: number;
  readonly seed: number;
  /** Number of pages per document. */
  readonly pages: number;
  readonly createdAtMs: number;
  readonly addedBySeq: number;
}
