import { galleryBrands, gallerySchemes } from '../../contract/gallery.schema.ts';
import { pageLanguages } from '../../contract/page-controls.ts';
import type { ArgumentsOf } from '../command.ts';
import { choices, text } from '../option.ts';

/** Options of `nudgelab gallery`. */
export const galleryOptions = {
  out: text('--out <folder>', 'output folder', { default: 'nudgelab-gallery' }),
  brand: choices('--brand <names>', 'only pages of these brands', galleryBrands),
  language: choices('--language <tags>', 'only pages in these languages', pageLanguages),
  scheme: choices('--scheme <names>', 'only pages in these color schemes', gallerySchemes),
} as const;

/** Arguments of `nudgelab gallery`. */
export type GalleryArguments = ArgumentsOf<typeof galleryOptions>;
