import { z } from 'zod';
import { pageLanguages } from './page-controls.ts';

/** Brands of the gallery: none, a dark color with a logo, and a light color. */
export const galleryBrands = ['plain', 'dark-color', 'light-color'] as const;
export type GalleryBrand = (typeof galleryBrands)[number];

/** Color schemes of the gallery. */
export const gallerySchemes = ['light', 'dark'] as const;
export type GalleryScheme = (typeof gallerySchemes)[number];

/** A state of a page, with everything that leads to it. */
const galleryStateSchema = z.strictObject({
  /** Unique name of the state. */
  state: z.string(),
  /** Name of the page, as in its `data-page` attribute. */
  page: z.string(),
  /** Screen of the sign-in machine. `null` if the page belongs to no running sign-in. */
  screen: z.string().nullable(),
  /** Sandbox in which the steps begin, as the body of `POST /sandboxes`. */
  sandbox: z.record(z.string(), z.unknown()),
  /** Path of the sandbox on which the steps begin. */
  path: z.string(),
  /** Steps that lead to the page. */
  steps: z.array(z.string()),
});

/** All states of the sign-in pages, with the versions that each of them has. */
export const galleryResponse = z.strictObject({
  brands: z.array(z.enum(galleryBrands)),
  languages: z.array(z.enum(pageLanguages)),
  schemes: z.array(z.enum(gallerySchemes)),
  states: z.array(galleryStateSchema),
});

/** Version of a page of the gallery. */
export const galleryPageQuery = z.strictObject({
  brand: z.enum(galleryBrands).default('plain'),
  language: z.enum(pageLanguages).default('en'),
  scheme: z.enum(gallerySchemes).default('light'),
});
