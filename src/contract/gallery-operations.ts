import { named, operation } from './control-operation.ts';
import { galleryPageQuery, galleryResponse } from './gallery.schema.ts';

/** Operations of the control API that show the sign-in pages in every state. */
export const galleryOperations = named({
  getGallery: operation('GET /gallery', {
    summary: 'Lists every state of every sign-in page, with the steps and the sandbox that lead to it.',
    reply: galleryResponse,
    errors: ['gallery-missing'],
  }),
  getGalleryPage: operation('GET /gallery/{state}', {
    summary: 'Returns the HTML of a state without scripts, in a brand, language and color scheme.',
    query: galleryPageQuery,
    reply: 'file',
    errors: ['gallery-missing', 'not-found'],
  }),
});
