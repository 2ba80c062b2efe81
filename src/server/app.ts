import express, { type Express, type RequestHandler, Router } from 'express';
import { getTelemetry } from '../core/telemetry.ts';
import { apiVersions } from '../sandbox/directory-api/directory-exchange.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { consoleSession } from './access/console-session.route.ts';
import type { ControlAccess } from './access/control-access.ts';
import type { AnalysisRunner } from './analysis-runner.ts';
import { lineFaults } from './connection-faults.ts';
import { consoleRoute } from './console.route.ts';
import { controlApi } from './control-api/control-api.route.ts';
import { controlErrors } from './control-api/control-errors.ts';
import type { ServerAbout } from './control-api/server.route.ts';
import { directoryApi } from './directory-api/directory-api.route.ts';
import { documentErrors } from './document-api/document-answers.ts';
import { documentApi, documentPaths } from './document-api/document-api.route.ts';
import { readingRoute } from './document-api/reading.route.ts';
import { readingAssets } from './document-api/reading-assets.ts';
import { enterSandbox } from './enter-sandbox.ts';
import type { FaultListener } from './faults.ts';
import { type FindingListener, reportOnce } from './finding.ts';
import type { OpenFixtures } from './fixture-source.ts';
import type { GalleryService } from './gallery-service.ts';
import type { HandOver } from './hand-over/hand-over.ts';
import { getBasePath, getLookupTokensPath, getTryItPath } from './identity/addresses.ts';
import { assets } from './identity/assets.ts';
import { toPageTenant } from './identity/brand.ts';
import { identityPages } from './identity/identity-pages.route.ts';
import { pageErrors, pageNotFound } from './identity/page-errors.ts';
import { landingPage } from './identity/pages/landing.page.ts';
import { sendPage } from './identity/send-page.ts';
import { tryItRoute } from './identity/try-it.route.ts';
import { accountPages } from './lookup-api/account-pages.route.ts';
import { lookupErrors } from './lookup-api/lookup-answers.ts';
import { lookupApi, lookupPath } from './lookup-api/lookup-api.route.ts';
import { tokensRoutes } from './lookup-api/tokens.route.ts';
import { crossOrigin } from './oidc/cors.ts';
import { findInsertedPath } from './oidc/inserted-path.ts';
import { Interactions } from './oidc/interactions.ts';
import { oidcErrors, oidcPaths, oidcRoutes } from './oidc/oidc.route.ts';
import { Providers } from './oidc/providers.ts';
import { pageScripts } from './oidc/signed-out-script.ts';
import { tenantForm } from './oidc/tenant-form/tenant-form.route.ts';
import { selectTenant } from './oidc/tenant-form/tenant-selection.ts';
import { Tenants } from './oidc/tenant-form/tenants.ts';
import { refuseForeignHost } from './origin-check.ts';
import { policyErrors } from './policy-api/policy-answers.ts';
import { policyApi } from './policy-api/policy-api.route.ts';
import { readPortCookies } from './port-cookies.ts';
import type { Readiness } from './readiness.ts';
import { logRequests, type RequestLog } from './request-log.ts';
import { getSandbox, resolveSandbox } from './resolve-sandbox.ts';
import type { RulesetService } from './ruleset-service.ts';
import type { SuiteService } from './suite-service.ts';
import { metricsPath, metricsRoute } from './traffic/metrics.route.ts';
import { traceRequests } from './traffic/request-spans.ts';
import { Traffic } from './traffic/traffic.ts';

/** Components that the routes of a server use. */
export interface AppParts {
  readonly sandboxes: Sandboxes;
  readonly requestLog: RequestLog;
  /** Accepted values of the `Host` header. */
  readonly hosts: ReadonlySet<string>;
  /**
   * Access control for the control API and the console. Without it, both are open to every client that reaches the
   * server.
   */
  readonly access?: ControlAccess | undefined;
  /** `true` allows dynamic client registration without the control key. */
  readonly openRegistration?: boolean;
  /** `true` sends logout tokens to clients on this machine. */
  readonly deliversLogout?: boolean | undefined;
  readonly readiness?: Readiness | undefined;
  readonly about?: ServerAbout | undefined;
  /** Runs forecasts and comparisons. */
  readonly analyses?: AnalysisRunner | undefined;
  /** Scenarios that the console displays and runs. */
  readonly suite?: SuiteService | undefined;
  /** Sign-in pages in every state, which the console displays. */
  readonly gallery?: GalleryService | undefined;
  /** Rulesets that sandboxes can name. Without them, those that this process knows. */
  readonly rulesets?: RulesetService | undefined;
  /** Fixtures that requests to the control API can name. */
  readonly fixtures?: OpenFixtures | undefined;
  /** Hands requests to the server that has their sandbox. Without it, this server takes the sandbox over. */
  readonly handOver?: HandOver | undefined;
  /** Counts in-flight requests and sheds load. */
  readonly traffic?: Traffic;
  /** Listener for unexpected errors. */
  readonly onFault?: FaultListener | undefined;
  /** Listener for rejections that browsers hide from applications, each once. */
  readonly onFinding?: FindingListener | undefined;
}

/**
 * Creates the app with all routes. Each API is mounted twice: without a prefix for the default sandbox, and below
 * `/s/{id}` for all others. The order keeps routing cheap: prefixes select the routers early, and error handlers come
 * last.
 */
export function createApp(parts: AppParts): Express {
  const { sandboxes, requestLog, hosts, access, onFault } = parts;
  const { traffic = new Traffic(), openRegistration = false } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Express would respond to any `If-None-Match: *` with 304. APIs with versions compare the header themselves.
  Object.defineProperty(app.request, 'fresh', { get: () => false });
  const tenants = new Tenants(sandboxes);
  const telemetry = getTelemetry();
  if (telemetry !== null) app.use(traceRequests(telemetry));
  app.use(traffic.enter);
  if (parts.handOver !== undefined) app.use(parts.handOver.receive);
  app.use(findInsertedPath, selectTenant(tenants));
  app.use(logRequests(sandboxes, requestLog, parts.onFinding && reportOnce(parts.onFinding)));
  app.use(refuseForeignHost(hosts));
  if (parts.handOver !== undefined) app.use(parts.handOver.send);
  app.use(readPortCookies);
  app.use(enterSandbox(sandboxes));
  const faults = onFault === undefined ? {} : { onFault };
  const guard = openRegistration ? undefined : access;
  const mayRegister = guard === undefined ? {} : { mayRegister: guard.admits.bind(guard) };
  const providers = new Providers({ ...faults, ...mayRegister, deliversLogout: parts.deliversLogout });
  providers.resumeDeliveries(sandboxes.list());
  // One router for all, so the prefix of a sandbox is matched once.
  const ofSandbox = Router({ mergeParams: true }).use(
    ...[
      policyApi(sandboxes, faults),
      directoryApi(sandboxes, faults),
      lookupApi(sandboxes, faults),
      documentApi(sandboxes, faults),
      tokensRoutes(sandboxes),
      accountPages(sandboxes, faults),
    ].map(skipForOidc),
    crossOrigin(sandboxes, providers),
    lineFaults(sandboxes),
    skipForOidc(identityPages(sandboxes, { interactions: new Interactions(providers), ...faults })),
    oidcRoutes(sandboxes, providers, faults),
    tryItRoute(sandboxes, faults),
    readingRoute(sandboxes, faults),
  );
  const { analyses, suite, fixtures, gallery, rulesets, about, readiness } = parts;
  const served = { requestLog, analyses, suite, fixtures, gallery, rulesets, about, access, readiness, traffic };
  const control = { ...served, logout: providers.logout, ...faults };
  app.use('/_control/v1', controlApi(sandboxes, control));
  app.use(tenantForm(sandboxes, tenants));
  app.use('/s/:sandbox', ofSandbox);
  app.use(ofSandbox);
  for (const { path, serve } of [...assets, ...readingAssets, ...pageScripts]) app.get(path, serve);
  app.use(metricsPath, metricsRoute(traffic, { sandboxes, access: access ?? null }));
  app.use(consoleSession(access ?? null));
  app.use(consoleRoute({ isGuarded: access !== undefined }));
  app.get(['/', '/s/:sandbox'], resolveSandbox(sandboxes), showLanding);
  app.use('/s/:sandbox', resolveSandbox(sandboxes));
  app.use(pageNotFound);
  // Requests that were rejected before they reached an API get an error in the format of the requested API.
  app.use(['/_control/v1', metricsPath], controlErrors(onFault));
  app.use(belowSandboxes(apiVersions.map((version) => `/${version}`)), policyErrors(onFault));
  app.use(belowSandboxes([lookupPath]), lookupErrors(onFault));
  app.use(belowSandboxes(documentPaths), documentErrors(onFault));
  app.use(belowSandboxes(oidcPaths), oidcErrors(onFault));
  app.use('/_console', pageErrors(onFault, 'console'));
  app.use(pageErrors(onFault));
  return app;
}

/** Leads requests to the provider past a router without routes for them, in place of matching each of its routes. */
function skipForOidc(router: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (request.url.startsWith('/oauth2/')) next();
    else router(request, response, next);
  };
}

/** Returns the paths for the default sandbox and below the prefix of other sandboxes. */
function belowSandboxes(paths: readonly string[]): string[] {
  return paths.flatMap((path) => [path, `/s/:sandbox${path}`]);
}

const showLanding: RequestHandler = (_request, response) => {
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
