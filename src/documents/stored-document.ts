import type { DocumentProperties } from '../contract/document.schema.ts';
import type { RefusalReason } from './rejected-file.ts';

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

/** What the reading thread is to do with a file. */
export type ReaderOrder = ReadOrder | DrawOrder;

/** Read its text, and the sizes of its pages. */
export interface ReadOrder {
  readonly task: 'read';
  readonly file: string;
  /** The folder to which the pages are written, and the file as it was opened if its password is wanted later. */
  readonly folder: string;
  readonly pagesMax: number;
  readonly memoryBytesMax: number;
  /** Whether images are there as WebP too. */
  readonly webp: boolean;
  /** Opens the file; empty for none. */
  readonly password: string;
}

/** Draw some of its pages. */
export interface DrawOrder {
  readonly task: 'draw';
  readonly file: string;
  /** The folder to which the images are written. */
  readonly folder: string;
  /** Pages from 1, in the order in which they are drawn. */
  readonly pages: readonly number[];
  readonly memoryBytesMax: number;
}

/** What the reading thread reports. */
export type ReaderMessage =
  | { readonly type: 'opened'; readonly pages: number }
  | { readonly type: 'page'; readonly number: number }
  | ({ readonly type: 'read'; readonly pages: number } & Pick<StoredDocument, 'outline' | 'properties'>)
  | { readonly type: 'drawn' }
  | { readonly type: 'refused'; readonly reason: RefusalReason; readonly message: string };

/** What a folder of a document holds: the file as it came, as it was opened, and what was read from it. */
export const fileName = 'document.pdf';
export const openedName = 'opened.pdf';
export const pagesName = 'pages.json';
