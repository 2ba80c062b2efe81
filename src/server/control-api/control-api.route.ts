import { type RequestHandler, Router } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import { processRulesets } from '../../journal/ruleset-registry.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { ControlAccess } from '../access/control-access.ts';
import { requireKey } from '../access/require-key.ts';
import type { AnalysisRunner } from '../analysis-runner.ts';
import type { FaultListener } from '../faults.ts';
import type { OpenFixtures } from '../fixture-source.ts';
import type { GalleryService } from '../gallery-service.ts';
import type { LogoutTokens } from '../oidc/logout-tokens.ts';
import { refuseForeignOrigin } from '../origin-check.ts';
import type { Readiness } from '../readiness.ts';
import type { RequestLog } from '../request-log.ts';
import { type RulesetService, readOnlyRulesets } from '../ruleset-service.ts';
import type { SuiteService } from '../suite-service.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { analysisRoutes } from './analyses.route.ts';
import { assumptionRoutes } from './assumptions.route.ts';
import { campaignRoutes } from './campaign.route.ts';
import { clockRoutes } from './clock.route.ts';
import { controlErrors, numberRequests } from './control-errors.ts';
import { documentRoutes } from './documents.route.ts';
import { type EventOptions, eventRoutes } from './events.route.ts';
import { faultRoutes } from './faults.route.ts';
import { galleryRoutes } from './gallery.route.ts';
import { journalRoutes } from './journal.route.ts';
import { lookupRoutes } from './lookup.route.ts';
import { machineRoutes } from './machines.route.ts';
import { observationsRoutes } from './observations.route.ts';
import { probeRoutes } from './probes.route.ts';
import { refuseOtherMethods, routeMethods } from './route-methods.ts';
import { rulesetRoutes } from './rulesets.route.ts';
import { runRoutes } from './runs.route.ts';
import { sandboxRoutes } from './sandboxes.route.ts';
import { provideFixtures } from './serve.ts';
import { type ServerAbout, serverRoutes } from './server.route.ts';
import { signInRoutes } from './sign-ins.route.ts';
import { requireSuiteService, suiteRoutes } from './suite.route.ts';
import { tenantRoutes } from './tenant.route.ts';
import { tokenRoutes } from './tokens.route.ts';
import { userRoutes } from './users.route.ts';

export interface ControlOptions {
  /** Request log that `GET requests` reads. */
  readonly requestLog: RequestLog;
  /** Access control that requires the control key, if there is one. */
  readonly access?: ControlAccess | undefined;
  /** Public base URL of the sandboxes. Defaults to the host of the request. */
  readonly publicUrl?: string | undefined;
  readonly events?: EventOptions | undefined;
  readonly about?: ServerAbout | undefined;
  /** Runs forecasts and comparisons. Without it, their operations return `analysis-missing`. */
  readonly analyses?: AnalysisRunner | undefined;
  readonly readiness?: Readiness | undefined;
  /** Scenarios of the server. Without them, their operations return `suite-missing`. */
  readonly suite?: SuiteService | undefined;
  /** Sign-in pages in every state. Without them, their operations return `gallery-missing`. */
  readonly gallery?: GalleryService | undefined;
  /** Rulesets that sandboxes can name. Without them, those that this process knows. */
  readonly rulesets?: RulesetService | undefined;
  /** Fixtures that requests can name. Without them, only complete values are allowed. */
  readonly fixtures?: OpenFixtures | undefined;
  /** Outbox of logout tokens. */
  readonly logout?: LogoutTokens | undefined;
  /** Counter of open event streams. */
  readonly traffic?: Traffic | undefined;
  /** Listener for unexpected errors. */
  readonly onFault?: FaultListener | undefined;
}

/** Creates the router of the control API for `/_control/v1`. All its errors have the format of this API. */
export function controlApi(sandboxes: Sandboxes, options: ControlOptions): Router {
  const router = Router();
  const groups = controlGroups(sandboxes, options);
  router.use(numberRequests(), requireKey(options.access ?? null), refuseForeignPages);
  router.use(provideFixtures(options.fixtures), ...groups);
  for (const route of routeMethods(groups)) router.all(route.path, refuseOtherMethods(route));
  router.use(nothingHere);
  router.use(controlErrors(options.onFault));
  return router;
}

/** Creates the route groups of the API. The routes of each group are direct children of its router. */
export function controlGroups(sandboxes: Sandboxes, options: ControlOptions): readonly Router[] {
  const service = requireSuiteService(options.suite ?? null);
  const rulesets = options.rulesets ?? readOnlyRulesets(processRulesets);
  return [
    probeRoutes(sandboxes, options.readiness),
    sandboxRoutes(sandboxes, rulesets, options),
    serverRoutes(options.about, {
      guarded: options.access !== undefined,
      scenarios: options.suite?.hasFolder === true,
      rulesets,
    }),
    clockRoutes(sandboxes),
    tenantRoutes(sandboxes),
    userRoutes(sandboxes),
    tokenRoutes(sandboxes, options.logout ?? null),
    faultRoutes(sandboxes),
    signInRoutes(sandboxes),
    observationsRoutes(sandboxes),
    journalRoutes(sandboxes, options.requestLog),
    eventRoutes(sandboxes, { ...options.events, traffic: options.traffic }),
    campaignRoutes(sandboxes, rulesets),
    assumptionRoutes(sandboxes),
    lookupRoutes(sandboxes),
    documentRoutes(sandboxes, options.onFault),
    analysisRoutes(sandboxes, options.analyses ?? null),
    machineRoutes(sandboxes),
    suiteRoutes(sandboxes, service),
    runRoutes(service),
    galleryRoutes(options.gallery ?? null),
    rulesetRoutes(rulesets),
  ];
}

/** Rejects requests from foreign pages. Such a page can send a POST without a body, which must not reset a sandbox. */
const refuseForeignPages: RequestHandler = (request, _response, next) => {
  if (request.method !== 'GET' && request.method !== 'HEAD') refuseForeignOrigin(request);
  next();
};

const nothingHere: RequestHandler = (request) => {
  throw new NudgeLabError('not-found', {
    message: `The path ${request.originalUrl.split('?')[0]} does not exist in the control API.`,
  });
};
