import { type RequestHandler, Router } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { FaultListener } from '../faults.ts';
import { getSandbox, resolveSandbox } from '../resolve-sandbox.ts';
import { getBasePath } from './addresses.ts';
import { toPageTenant } from './brand.ts';
import { pageErrors, pageNotFound } from './page-errors.ts';
import { tryItPath } from './page-paths.ts';
import { tryItPage } from './pages/try-it.page.ts';
import { sendPage } from './send-page.ts';

/** Maximum number of suggested usernames. Users can enter others. */
const offeredNamesMax = 100;

/** Creates the route `/try`, a page where testers create the URL of a sign-in. It changes nothing. */
export function tryItRoute(sandboxes: Sandboxes, options: { readonly onFault?: FaultListener } = {}): Router {
  const router = Router({ mergeParams: true });
  router.use(tryItPath, resolveSandbox(sandboxes));
  router.route(tryItPath).get(showForm).all(refuseMethod);
  router.use(tryItPath, pageNotFound);
  router.use(tryItPath, pageErrors(options.onFault));
  return router;
}

const showForm: RequestHandler = (_request, response) => {
  const sandbox = getSandbox(response);
  const { directory } = sandbox;
  const document = tryItPage({
    tenant: toPageTenant(sandbox),
    beginning: getBasePath(sandbox.id),
    userNames: directory.users({ limit: offeredNamesMax }).map(({ userPrincipalName }) => userPrincipalName),
    networks: directory.settings().context?.namedLocations ?? [],
  });
  sendPage(response, 200, document);
};

const refuseMethod: RequestHandler = ({ method }) => {
  throw new NudgeLabError('method-not-allowed', {
    message: `This page supports GET, not ${method}.`,
    headers: { Allow: 'GET, HEAD' },
  });
};
