import type { Server } from 'node:http';
import { installSandboxDate } from '../core/sandbox-date.ts';
import { getTelemetry } from '../core/telemetry.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { ControlAccess } from './access/control-access.ts';
import { refuseOpenAddress } from './access/loopback.ts';
import type { AnalysisRunner } from './analysis-runner.ts';
import { createApp } from './app.ts';
import type { BoundPort } from './bound-ports.ts';
import { keepCompiledCode } from './compiled-code.ts';
import type { ServerAbout } from './control-api/server.route.ts';
import type { FaultListener } from './faults.ts';
import type { FindingListener } from './finding.ts';
import type { OpenFixtures } from './fixture-source.ts';
import type { GalleryService } from './gallery-service.ts';
import { HandOver } from './hand-over/hand-over.ts';
import { close } from './listen.ts';
import { openServers, serveRequests } from './open-servers.ts';
import { answeredHosts } from './origin-check.ts';
import { Readiness } from './readiness.ts';
import { RequestLog } from './request-log.ts';
import type { RulesetService } from './ruleset-service.ts';
import type { SuiteService } from './suite-service.ts';
import { listReadings } from './traffic/server-readings.ts';
import { type AnsweredRequest, Traffic, type TrafficLimits } from './traffic/traffic.ts';
import { answerUnreadable } from './unreadable-request.ts';

/** Options for starting a server. */
export interface ServerOptions {
  readonly sandboxes: Sandboxes;
  /** Port to listen on. 0 selects any free port. */
  readonly port: number;
  /** Network address to listen on. Defaults to the loopback address. */
  readonly host?: string;
  /** Additional accepted values of `Host`, as clients send them. */
  readonly publicHosts?: readonly string[];
  /** Sandboxes with a port of their own. */
  readonly boundPorts?: readonly BoundPort[];
  /** Public URL of the load balancer, such as `https://lab.example`. Tokens name it as their issuer. */
  readonly publicUrl?: string | undefined;
  /**
   * URL under which the other servers of the same database reach this one. They hand it the requests of its sandboxes, and
   * it hands them theirs. It requires a public URL, because all of them then answer for the same issuer.
   */
  readonly advertise?: string | undefined;
  /** Certificate and private key in PEM format. If set, the server supports only HTTPS. */
  readonly tls?: { readonly certificate: string; readonly privateKey: string } | undefined;
  readonly requestLog?: RequestLog;
  /** Control key for the control API and the console, required if other machines can reach the address. */
  readonly controlKey?: string | undefined;
  /** `true` allows dynamic client registration without the control key. */
  readonly openRegistration?: boolean | undefined;
  /** `true` sends logout tokens to clients on this machine. No other request ever leaves the server. */
  readonly deliversLogout?: boolean | undefined;
  /** Server description that the console displays. */
  readonly about?: ServerAbout | undefined;
  /** Runs forecasts and comparisons. The caller must close it. */
  readonly analyses?: AnalysisRunner | undefined;
  /** Scenarios that the console displays and runs. The caller must close the service. */
  readonly suite?: SuiteService | undefined;
  /** Sign-in pages in every state, which the console displays. The caller must close the service. */
  readonly gallery?: GalleryService | undefined;
  /** Rulesets that sandboxes can name. Without them, those that this process knows. */
  readonly rulesets?: RulesetService | undefined;
  /** Fixtures that requests to the control API can name. Without them, only complete values are allowed. */
  readonly fixtures?: OpenFixtures | undefined;
  /** Listener for unexpected errors. */
  readonly onFault?: FaultListener;
  /** Listener for rejections that browsers hide from applications, each once. */
  readonly onFinding?: FindingListener;
  /** Listener for completed requests. */
  readonly onAnswered?: (answered: AnsweredRequest) => void;
  /** Traffic limits that differ from the defaults. */
  readonly limits?: Partial<TrafficLimits>;
}

/** Server that is listening. */
export interface RunningServer {
  /**
   * Base URL without a trailing slash: `http://localhost:PORT`, or `https:` with a certificate, if that name reaches
   * the server.
   */
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly port: number;
  /** Base URLs of the sandboxes with a port of their own, in the order of the options. */
  readonly boundUrls: readonly { readonly sandboxId: string; readonly baseUrl: string }[];
  /**
   * Stops listening, ends event streams, and lets running requests finish. Resolves when the last connection is closed,
   * at the latest after `graceMs` milliseconds of real time (default: half a second).
   */
  close(graceMs?: number): Promise<void>;
}

const loopback = '127.0.0.1';

/** Default grace period for running requests when the server closes, in milliseconds of real time. */
const closeGraceMs = 500;

/**
 * Starts a mock server.
 *
 * @returns a promise that resolves when the server is listening
 * @throws NudgeLabError `address-in-use` if the port is taken, `usage-invalid` if the machine does not have the address
 *   or may not use it, `control-key-required` if other machines can reach the address and there is no key, or
 *   `config-invalid` if the key is too weak
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const {
    sandboxes,
    host = loopback,
    publicHosts = [],
    boundPorts = [],
    publicUrl,
    advertise,
    requestLog = new RequestLog(),
    tls,
    controlKey,
    openRegistration = false,
    ...served
  } = options;
  const traffic = new Traffic(options.limits, options.onAnswered);
  refuseOpenAddress(host, controlKey);
  const access = controlKey === undefined ? undefined : new ControlAccess(controlKey);
  const readiness = new Readiness(sandboxes);
  const prepare = (server: Server): void => {
    traffic.watch(server);
    server.on('clientError', answerUnreadable);
  };
  const listening = await openServers({ tls, host, port: options.port, boundPorts, prepare });
  const { servers, bound, port, baseUrl } = listening;
  const publicHost = publicUrl === undefined ? [] : [new URL(publicUrl).host];
  const hosts = new Set([...listening.hosts, ...answeredHosts(port, [...publicHosts, ...publicHost])]);
  const announce = async (): Promise<HandOver | undefined> => {
    await sandboxes.servedAt(publicUrl ?? baseUrl, bound);
    return advertise === undefined ? undefined : HandOver.open(sandboxes, advertise);
  };
  const handOver = await announce().catch(async (error: unknown) => {
    await Promise.all(servers.map(({ server }) => close(server, 0)));
    throw error;
  });
  installSandboxDate();
  const parts = {
    ...served,
    sandboxes,
    requestLog,
    hosts,
    access,
    openRegistration,
    readiness,
    traffic,
    handOver,
  };
  const app = createApp(parts);
  readiness.phase = 'serving';
  for (const server of servers) serveRequests(server, app);
  keepCompiledCode();
  const endReadings = getTelemetry()?.observe(listReadings({ traffic, sandboxes }));
  return {
    baseUrl,
    controlUrl: `${baseUrl}/_control/v1`,
    port,
    boundUrls: bound,
    close: async (graceMs = closeGraceMs) => {
      readiness.phase = 'draining';
      traffic.end();
      await Promise.all(servers.map(({ server }) => close(server, graceMs)));
      handOver?.close();
      endReadings?.();
    },
  };
}
