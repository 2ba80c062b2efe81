import type { RequestHandler } from 'express';
import { apiVersions } from '../sandbox/directory-api/directory-exchange.ts';
import { documentPaths, readingPath } from '../sandbox/documents/document-paths.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { lineFaults } from './connection-faults.ts';
import { below, deferRoutes } from './deferred-routes.ts';
import type { FaultListener } from './faults.ts';
import { pagePaths, relatedOriginsPath, tryItPath } from './identity/page-paths.ts';
import { inOrder } from './in-order.ts';
import { accountPath, lookupPath, lookupTokensPath } from './lookup-api/lookup-paths.ts';
import { crossOrigin } from './oidc/cors.ts';
import { Interactions } from './oidc/interactions.ts';
import { devicePath, oidcPaths } from './oidc/oidc-paths.ts';
import type { Providers } from './oidc/providers.ts';
import { policyApi } from './policy-api/policy-api.route.ts';

/** Parts of a server that the routes of its sandboxes use. */
interface SandboxRouteParts {
  readonly providers: Providers;
  /** Listener for unexpected errors. */
  readonly onFault?: FaultListener;
}

/**
 * Creates the routes below a sandbox: one handler for all, so the prefix of a sandbox is matched once. The policy API is
 * loaded at once, and every other router by its first request.
 */
export function sandboxRoutes(sandboxes: Sandboxes, { providers, ...faults }: SandboxRouteParts): RequestHandler {
  const interactions = new Interactions(providers);
  const belowVersions = below(...apiVersions.map((version) => `/${version}`));
  return inOrder(
    policyApi(sandboxes, faults),
    deferRoutes(belowVersions, async () =>
      (await import('./directory-api/directory-api.route.ts')).directoryApi(sandboxes, faults),
    ),
    deferRoutes(below(lookupPath), async () =>
      (await import('./lookup-api/lookup-api.route.ts')).lookupApi(sandboxes, faults),
    ),
    deferRoutes(below(...documentPaths), async () =>
      (await import('./document-api/document-api.route.ts')).documentApi(sandboxes, faults),
    ),
    deferRoutes(below(lookupTokensPath), async () =>
      (await import('./lookup-api/tokens.route.ts')).tokensRoutes(sandboxes),
    ),
    deferRoutes(below(accountPath), async () =>
      (await import('./lookup-api/account-pages.route.ts')).accountPages(sandboxes, faults),
    ),
    crossOrigin(sandboxes, providers),
    lineFaults(sandboxes),
    deferRoutes(below(...pagePaths, relatedOriginsPath), async () =>
      (await import('./identity/identity-pages.route.ts')).identityPages(sandboxes, { interactions, ...faults }),
    ),
    deferRoutes(below(...oidcPaths, devicePath), async () =>
      (await import('./oidc/oidc.route.ts')).oidcRoutes(sandboxes, providers, faults),
    ),
    deferRoutes(below(tryItPath), async () =>
      (await import('./identity/try-it.route.ts')).tryItRoute(sandboxes, faults),
    ),
    deferRoutes(below(readingPath), async () =>
      (await import('./document-api/reading.route.ts')).readingRoute(sandboxes, faults),
    ),
  );
}
