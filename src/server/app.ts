import express, { type ErrorRequestHandler, type Express, type RequestHandler, Router } from 'express';
import { getTelemetry } from '../core/telemetry.ts';
import { apiVersions } from '../sandbox/directory-api/directory-exchange.ts';
import { documentPaths } from '../sandbox/documents/document-paths.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { ControlAccess } from './access/control-access.ts';
import type { AnalysisRunner } from './analysis-runner.ts';
import { consoleRoute } from './console.route.ts';
import { controlErrors, numberRequests } from './control-api/control-errors.ts';
import { probeRoutes } from './control-api/probes.route.ts';
import type { ServerAbout } from './control-api/server.route.ts';
import { below, deferErrors, deferRoutes, onlyIf } from './deferred-routes.ts';
import { documentErrors } from './document-api/document-answers.ts';
import { enterSandbox } from './enter-sandbox.ts';
import type { FaultListener } from './faults.ts';
import { type FindingListener, reportOnce } from './finding.ts';
import type { OpenFixtures } from './fixture-source.ts';
import type { GalleryService } from './gallery-service.ts';
import type { HandOver } from './hand-over/hand-over.ts';
import { inOrder } from './in-order.ts';
import { lookupErrors } from './lookup-api/lookup-answers.ts';
import { lookupPath } from './lookup-api/lookup-paths.ts';
import { findInsertedPath } from './oidc/inserted-path.ts';
import { oidcPaths } from './oidc/oidc-paths.ts';
import { Providers } from './oidc/providers.ts';
import { findTenant, selectTenant } from './oidc/tenant-form/tenant-selection.ts';
import { Tenants } from './oidc/tenant-form/tenants.ts';
import { refuseForeignHost } from './origin-check.ts';
import { policyErrors } from './policy-api/policy-answers.ts';
import { readPortCookies } from './port-cookies.ts';
import type { Readiness } from './readiness.ts';
import { logRequests, type RequestLog } from './request-log.ts';
import { resolveSandbox } from './resolve-sandbox.ts';
import type { RulesetService } from './ruleset-service.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
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
  const faults = onFault === undefined ? {} : { onFault };
  const guard = openRegistration ? undefined : access;
  const mayRegister = guard === undefined ? {} : { mayRegister: guard.admits.bind(guard) };
  const providers = new Providers({ ...faults, ...mayRegister, deliversLogout: parts.deliversLogout });
  providers.resumeDeliveries(sandboxes.list());
  const ofSandbox = sandboxRoutes(sandboxes, { providers, ...faults });
  const { handOver, onFinding } = parts;
  app.use(
    inOrder(
      traffic.enter,
      ...(handOver === undefined ? [] : [handOver.receive]),
      findInsertedPath,
      selectTenant(tenants),
      logRequests(sandboxes, requestLog, onFinding && reportOnce(onFinding)),
      refuseForeignHost(hosts),
      ...(handOver === undefined ? [] : [handOver.send]),
      readPortCookies,
      ...(sandboxes.shared ? [enterSandbox(sandboxes)] : []),
      controlRoutes(parts, { traffic, providers }),
      deferRoutes(
        (_request, response) => findTenant(response) !== undefined,
        async () => (await import('./oidc/tenant-form/tenant-form.route.ts')).tenantForm(sandboxes, tenants),
      ),
      onlyIf(below('/s'), Router().use('/s/:sandbox', ofSandbox)),
      ofSandbox,
    ),
  );
  app.use(metricsPath, metricsRoute(traffic, { sandboxes, access: access ?? null }));
  usePages(app, sandboxes, access ?? null);
  useErrorHandlers(app, onFault);
  return app;
}

/** Creates the routes of the control API. */
function controlRoutes(
  { sandboxes, onFault, ...parts }: AppParts,
  { traffic, providers }: { readonly traffic: Traffic; readonly providers: Providers },
): RequestHandler {
  const { requestLog, analyses, suite, fixtures, gallery, rulesets, about, access, readiness } = parts;
  const served = { requestLog, analyses, suite, fixtures, gallery, rulesets, about, access, readiness, traffic };
  const control = { ...served, logout: providers.logout, ...(onFault === undefined ? {} : { onFault }) };
  return onlyIf(
    below('/_control'),
    Router().use(
      '/_control/v1',
      numberRequests(),
      // Only these spellings need no key.
      probeRoutes(sandboxes, readiness, { caseSensitive: true, strict: true }),
      deferRoutes(
        () => true,
        async () => (await import('./control-api/control-api.route.ts')).controlApi(sandboxes, control),
      ),
    ),
  );
}

/** Adds the pages that belong to the server, and the files of all pages. */
function usePages(app: Express, sandboxes: Sandboxes, access: ControlAccess | null): void {
  app.use(deferRoutes(below('/_assets'), async () => (await import('./page-files.route.ts')).pageFiles()));
  app.use(
    deferRoutes(below('/_console'), async () => {
      const { consoleSession } = await import('./access/console-session.route.ts');
      return Router().use(consoleSession(access), consoleRoute({ isGuarded: access !== null }));
    }),
  );
  app.get(
    ['/', '/s/:sandbox'],
    resolveSandbox(sandboxes),
    deferRoutes(
      () => true,
      async () => (await import('./landing.route.ts')).showLanding,
    ),
  );
  app.use('/s/:sandbox', resolveSandbox(sandboxes));
  app.use(
    deferRoutes(
      () => true,
      async () => (await import('./identity/page-errors.ts')).pageNotFound,
    ),
  );
}

/**
 * Adds the error handlers. Requests that were rejected before they reached an API get an error in the format of the
 * requested API.
 */
function useErrorHandlers(app: Express, onFault: FaultListener | undefined): void {
  app.use(['/_control/v1', metricsPath], controlErrors(onFault));
  app.use(belowSandboxes(apiVersions.map((version) => `/${version}`)), policyErrors(onFault));
  app.use(belowSandboxes([lookupPath]), lookupErrors(onFault));
  app.use(belowSandboxes(documentPaths), documentErrors(onFault));
  app.use(
    belowSandboxes(oidcPaths),
    deferErrors(async () => (await import('./oidc/oidc.route.ts')).oidcErrors(onFault)),
  );
  const createPageErrors = (part?: 'console'): ErrorRequestHandler =>
    deferErrors(async () => (await import('./identity/page-errors.ts')).pageErrors(onFault, part));
  app.use('/_console', createPageErrors('console'));
  app.use(createPageErrors());
}

/** Returns the paths for the default sandbox and below the prefix of other sandboxes. */
function belowSandboxes(paths: readonly string[]): string[] {
  return paths.flatMap((path) => [path, `/s/:sandbox${path}`]);
}
