import { Router } from 'express';
import { readingAssets } from './document-api/reading-assets.ts';
import { assets } from './identity/assets.ts';
import { pageScripts } from './oidc/signed-out-script.ts';

/** Creates the routes of the static files of all pages. */
export function pageFiles(): Router {
  const router = Router();
  for (const { path, serve } of [...assets, ...readingAssets, ...pageScripts]) router.get(path, serve);
  return router;
}
