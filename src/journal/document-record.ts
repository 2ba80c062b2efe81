import type { DocumentStateName, DocumentTiming } from '../../machines/document.machine.ts';
import type { DocumentProperties, GivenPage } from '../contract/document.schema.ts';

/** What the pages of a record stand on. */
export type DocumentSource =
  /** A file that was read: its text and images stand beside the journal, by the digest of the file. */
  | { readonly kind: 'file'; readonly digest: string; readonly bytes: number; readonly pages: number }
  | { readonly kind: 'given'; readonly pages: readonly GivenPage[] }
  /** A record of a series, generated again from its seed whenever it is asked for. */
  | { readonly kind: 'series'; readonly seed: number; readonly pages: number };

/** A record as it begins. */
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
  /** How long its steps take on the virtual clock; `null` when each is asked for. */
  readonly timing: DocumentTiming | null;
}

/** A record of the folded state. It is never changed, only replaced. */
export interface DocumentRecord extends NewDocument {
  readonly id: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  readonly state: DocumentStateName;
  readonly processed: number;
  readonly sinceMs: number;
  /** Place in the journal of the input that changed it last. */
  readonly changedBySeq: number;
}

/** Many synthetic records, which take no room until one of them is changed. */
export interface DocumentSeries {
  readonly firstId: number;
  readonly count: number;
  readonly seed: number;
  /** Pages of each record. */
  readonly pages: number;
  readonly createdAtMs: number;
  readonly addedBySeq: number;
}
