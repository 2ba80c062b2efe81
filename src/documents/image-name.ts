import type { ImageSize } from '../contract/document.schema.ts';

/** Name of an image file in the folder of a document. Takes the page from 1. */
export function imageName(page: number, size: ImageSize): string {
  return `page-p${page}-${size}.png`;
}
