import type { DocumentProperties } from '../contract/document.schema.ts';
import type { RefusalReason } from './rejected-file.ts';

/** Text of a page, with the pixel size of its original image. */
export interface StoredPage {
  readonly content: string;
  readonly width: number;
  readonly height: number;
}

/** Data of a document that is stored next to the journal. */
export interface StoredDocument {
  readonly pages: readonly StoredPage[];
  readonly outline: string;
  readonly properties: DocumentProperties;
}

/** Task of the reading thread. */
export type ReaderOrder = ReadOrder | DrawOrder;

/** Task to read the text and the page sizes of a file. */
export interface ReadOrder {
  readonly task: 'read';
  readonly file: string;
  /** Output folder for the pages, and for the decrypted file if its password is needed later. */
  readonly folder: string;
  readonly pagesMax: number;
  readonly memoryBytesMax: number;
  /** True if images also exist as WebP. */
  readonly webp: boolean;
  /** Password of the file; empty if there is none. */
  readonly password: string;
}

/** Task to render pages of a file. */
export interface DrawOrder {
  readonly task: 'draw';
  readonly file: string;
  /** Output folder for the images. */
  readonly folder: string;
  /** Page numbers from 1, in rendering order. */
  readonly pages: readonly number[];
  readonly memoryBytesMax: number;
}

/** Message from the reading thread. */
export type ReaderMessage =
  | { readonly type: 'opened'; readonly pages: number }
  | { readonly type: 'page'; readonly number: number }
  | ({ readonly type: 'read'; readonly pages: number } & Pick<StoredDocument, 'outline' | 'properties'>)
  | { readonly type: 'drawn' }
  | { readonly type: 'refused'; readonly reason: RefusalReason; readonly message: string };

/** File names in the folder of a document: the original file, the decrypted file, and the extracted data. */
export const fileName = 'document.pdf';
export const openedName = 'opened.pdf';
export const pagesName = 'pages.json';
