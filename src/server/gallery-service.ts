import type { z } from 'zod';
import type { ResponseBody } from '../contract/control-responses.schema.ts';
import type { galleryPageQuery, galleryResponse } from '../contract/gallery.schema.ts';

export type GalleryView = ResponseBody<typeof galleryResponse>;

/** Brand, language and color scheme of a page. */
export type GalleryVersion = z.output<typeof galleryPageQuery>;

/**
 * Sign-in pages in every state. Its creator provides the service, because reaching the pages requires a server of its
 * own.
 */
export interface GalleryService {
  /** Lists all states. */
  list(): Promise<GalleryView>;
  /** Returns the HTML of a state as one file without scripts. Throws `not-found`. */
  page(state: string, version: GalleryVersion): Promise<string>;
  close(): Promise<void>;
}
