import express, { type Express, type RequestHandler } from 'express';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { consoleSession } from './access/console-session.route.ts';
import type { ControlAccess } from './access/control-access.ts';
import type { AnalysisRunner } from './analysis-runner.ts';
import { lineFaults } from './connection-faults.ts';
import { consoleRoute } from './console.route.ts';
import { controlApi } from './control-api/control-api.route.ts';
import { controlErrors } from './control-api/control-errors.ts';
import type { ServerAbout } from './control-api/server.route.ts';
import { documentErrors } from './document-api/document-answers.ts';
import { documentApi, documentPaths } from './document-api/document-api.route.ts';
import { readingRoute } from './document-api/reading.route.ts';
import { readingAssets } from './document-api/reading-assets.ts';
import { enterSandbox } from './enter-sandbox.ts';
import type { FaultListener } from './faults.ts';
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
import { Interactions } from './oidc/interactions.ts';
import { oidcErrors, oidcPaths, oidcRoutes } from './oidc/oidc.route.ts';
import { Providers } from './oidc/providers.ts';
import { serveSubmitScript, submitScriptPath } from './oidc/submit-script.ts';
import { refuseForeignHost } from './origin-check.ts';
import { policyErrors } from './policy-api/policy-answers.ts';
import { policyApi } from './policy-api/policy-api.route.ts';
import { readPortCookies } from './port-cookies.ts';
import type { Readiness } from './readiness.ts';
import { logRequests, type RequestLog } from './request-log.ts';
import { getSandbox, resolveSandbox } from './resolve-sandbox.ts';
import type { SuiteService } from './suite-service.ts';
import { metricsPath, metricsRoute } from './traffic/metrics.route.ts';
import { Traffic } from './traffic/traffic.ts';

/** What the routes of a server stand on. */
export interface AppParts {
  readonly sandboxes: Sandboxes;
  readonly requestLog: RequestLog;
  /** Values of `Host` that are answered. */
  readonly hosts: ReadonlySet<string>;
  /** Guards the control API and the console; without it anyone who reaches the server may use both. */
  readonly access?: ControlAccess | undefined;
  /** Whether anybody may register a client although there is a key. */
  readonly openRegistration?: boolean;
  readonly readiness?: Readiness | undefined;
  readonly about?: ServerAbout | undefined;
  /** Who makes forecasts and comparisons. */
  readonly analyses?: AnalysisRunner | undefined;
  /** The scenarios that the console shows and runs. */
  readonly suite?: SuiteService | undefined;
  /** Counts what is in progress, and refuses what is too much. */
  readonly traffic?: Traffic;
  /** Hears of failures that are no expected ones. */
  readonly onFault?: FaultListener | undefined;
}

/**
 * All routes of a server. Each API stands twice: without a prefix for the default sandbox, and under `/s/{id}` for another.
 * Order is cost: a prefix tells at once which routers to ask, and handlers of errors stand behind all that answers.
 */
export function createApp(parts: AppParts): Express {
  const { sandboxes, requestLog, hosts, access, readiness, analyses, suite, about, onFault } = parts;
  const { traffic = new Traffic(), openRegistration = false } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Express would answer any `If-None-Match: *` with 304. Each API that has versions compares them itself.
  Object.defineProperty(app.request, 'fresh', { get: () => false });
  app.use(traffic.enter);
  app.use(logRequests(sandboxes, requestLog));
  app.use(refuseForeignHost(hosts));
  app.use(readPortCookies);
  app.use(enterSandbox(sandboxes));
  const faults = onFault === undefined ? {} : { onFault };
  const guard = openRegistration ? undefined : access;
  const mayRegister = guard === undefined ? {} : { mayRegister: guard.admits.bind(guard) };
  const providers = new Providers({ ...faults, ...mayRegister });
  const ofSandbox = [
    policyApi(sandboxes, faults),
    lookupApi(sandboxes, faults),
    documentApi(sandboxes, faults),
    tokensRoutes(sandboxes),
    accountPages(sandboxes, faults),
    crossOrigin(sandboxes, providers),
    lineFaults(sandboxes),
    identityPages(sandboxes, { interactions: new Interactions(providers), ...faults }),
    oidcRoutes(sandboxes, providers, faults),
    tryItRoute(sandboxes, faults),
    readingRoute(sandboxes, faults),
  ];
  const control = { requestLog, analyses, suite, about, access, readiness, traffic, ...faults };
  app.use('/_control/v1', controlApi(sandboxes, control));
  app.use('/s/:sandbox', ofSandbox);
  app.use(ofSandbox);
  for (const { path, serve } of [...assets, ...readingAssets]) app.get(path, serve);
  app.get(submitScriptPath, serveSubmitScript);
  app.use(metricsPath, metricsRoute(traffic, { sandboxes, access: access ?? null }));
  app.use(consoleSession(access ?? null));
  app.use(consoleRoute({ isGuarded: access !== undefined }));
  app.get(['/', '/s/:sandbox'], resolveSandbox(sandboxes), showLanding);
  app.use('/s/:sandbox', resolveSandbox(sandboxes));
  app.use(pageNotFound);
  // What was refused before any API was reached is told in the shape of the API that was asked.
  app.use(['/_control/v1', metricsPath], controlErrors(onFault));
  app.use(belowSandboxes(['/v1.0']), policyErrors(onFault));
  app.use(belowSandboxes([lookupPath]), lookupErrors(onFault));
  app.use(belowSandboxes(documentPaths), documentErrors(onFault));
  app.use(belowSandboxes(oidcPaths), oidcErrors(onFault));
  app.use('/_console', pageErrors(onFault, 'console'));
  app.use(pageErrors(onFault));
  return app;
}

/** Paths as they stand for the default sandbox, and below the prefix of another. */
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
