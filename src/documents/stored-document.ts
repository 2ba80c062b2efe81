import type { DocumentProperties } from '../contract/document.schema.ts';
import type { RefusalReason } from './refused-file.ts';

/** A page as it was read: its text, and the pixels of its original image. */
export interface StoredPage {
  readonly content: string;
  readonly width: number;
  readonly height: number;
}

/** What stands beside a journal of a file that was read. */
export interface StoredDocument {
  readonly pages: readonly StoredPage[];
  readonly outline: string;
  readonly properties: DocumentProperties;
}

/** What the reading thread is told. */
export interface ReadOrder {
  readonly file: string;
  /** Where images and pages are written. */
  readonly folder: string;
  readonly pagesMax: number;
  readonly memoryBytesMax: number;
  /** Whether page images are written, and whether as WebP too. */
  readonly images: boolean;
  readonly webp: boolean;
}

/** What the reading thread tells. */
export type ReaderMessage =
  | { readonly type: 'opened'; readonly pages: number }
  | { readonly type: 'page'; readonly number: number }
  | ({ readonly type: 'read'; readonly pages: number } & Pick<StoredDocument, 'outline' | 'properties'>)
  | { readonly type: 'refused'; readonly reason: RefusalReason; readonly message: string };
