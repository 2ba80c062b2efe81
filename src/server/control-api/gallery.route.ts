import { Router } from 'express';
import { galleryOperations } from '../../contract/gallery-operations.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { GalleryService } from '../gallery-service.ts';
import { expressPath, parseRequest, serve } from './serve.ts';

/** Headers of a page of the gallery. Only the console can frame it, and it can neither run scripts nor send forms. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'; base-uri 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** Creates the routes that list the states of the sign-in pages and return their HTML. */
export function galleryRoutes(gallery: GalleryService | null): Router {
  const router = Router();
  const service = (): GalleryService => {
    if (gallery === null) throw new NudgeLabError('gallery-missing');
    return gallery;
  };

  serve(router, galleryOperations.getGallery, () => service().list());

  router.get(expressPath(galleryOperations.getGalleryPage), async (request, response) => {
    const { params, query } = parseRequest(galleryOperations.getGalleryPage, request, response);
    const document = await service().page(params.state, query);
    response.writeHead(200, { ...pageHeaders, 'Content-Length': Buffer.byteLength(document) }).end(document);
  });

  return router;
}
