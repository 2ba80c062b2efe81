import type { GalleryBrand } from '../contract/gallery.schema.ts';
import type { Branding } from '../contract/sandbox.schema.ts';

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32"><rect width="32" height="32" rx="8" fill="#0a7"/><path d="M6 20c4-8 8 4 10-4s6-4 10-2" stroke="#fff" stroke-width="3" fill="none"/></svg>';

/** Branding of the tenant for each brand. `null` if the tenant has none. */
export const brandings: Readonly<Record<GalleryBrand, Branding | null>> = {
  plain: null,
  'dark-color': {
    name: 'Tide & Sons Shipping',
    color: '#0a7a5a',
    logo: `data:image/svg+xml;base64,${Buffer.from(logo).toString('base64')}`,
  },
  'light-color': { name: 'Lemon', color: '#ffe94a' },
};
