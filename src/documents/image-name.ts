import type { ImageSize } from '../contract/image-sizes.ts';

/** Returns the file name of a page image in the folder of a document. Pages are numbered from 1. */
export function imageName(page: number, size: ImageSize): string {
  return `page-p${page}-${size}.png`;
}
