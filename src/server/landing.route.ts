import type { RequestHandler } from 'express';
import { getBasePath, getLookupTokensPath, getTryItPath } from './identity/addresses.ts';
import { toPageTenant } from './identity/brand.ts';
import { landingPage } from './identity/pages/landing.page.ts';
import { sendPage } from './identity/send-page.ts';
import { getSandbox } from './resolve-sandbox.ts';

/** Shows the landing page of a sandbox. */
export const showLanding: RequestHandler = (_request, response) => {
  const sandbox = getSandbox(response);
  sendPage(
    response,
    200,
    landingPage(
      toPageTenant(sandbox),
      getBasePath(sandbox.id),
      getTryItPath(sandbox.id),
      getLookupTokensPath(sandbox.id),
    ),
  );
};
