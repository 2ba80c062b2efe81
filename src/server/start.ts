import type { Server } from 'node:http';
import {
  connectionsMax,
  headersTimeoutMs,
  lateRequestCheckMs,
  requestTimeoutMs,
  silentConnectionMs,
} from '../core/limits.ts';
import { installSandboxDate } from '../core/sandbox-date.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { ControlAccess } from './access/control-access.ts';
import { refuseOpenAddress } from './access/loopback.ts';
import type { AnalysisRunner } from './analysis-runner.ts';
import { createApp } from './app.ts';
import type { ServerAbout } from './control-api/server.route.ts';
import type { FaultListener } from './faults.ts';
import { close, listen } from './listen.ts';
import { createServer } from './node-http.ts';
import { answeredHosts } from './origin-check.ts';
import { Readiness } from './readiness.ts';
import { RequestLog } from './request-log.ts';
import type { SuiteService } from './suite-service.ts';
import { type AnsweredRequest, Traffic, type TrafficLimits } from './traffic/traffic.ts';
import { answerUnreadable } from './unreadable-request.ts';

/** How a server is started. */
export interface ServerOptions {
  readonly sandboxes: Sandboxes;
  /** Port to listen on; 0 takes any free one. */
  readonly port: number;
  /** Address to listen on; loopback unless someone asks for more. */
  readonly host?: string;
  /** Further values of `Host` to answer to, as clients write them. */
  readonly publicHosts?: readonly string[];
  /** The address of what distributes requests to this server and others, `https://lab.example`: tokens name it as their issuer. */
  readonly publicUrl?: string | undefined;
  /** Certificate and key in PEM, to answer by HTTPS and by nothing else. */
  readonly tls?: { readonly certificate: string; readonly privateKey: string } | undefined;
  readonly requestLog?: RequestLog;
  /** The access key of the control API and the console; needed wherever others reach the address. */
  readonly controlKey?: string | undefined;
  /** Whether anybody may register a client although there is a control key. */
  readonly openRegistration?: boolean | undefined;
  /** What the console tells of the server. */
  readonly about?: ServerAbout | undefined;
  /** Who makes forecasts and comparisons; it is left to anyone who made it to end it. */
  readonly analyses?: AnalysisRunner | undefined;
  /** The scenarios that the console shows and runs; it is left to anyone who made it to close it. */
  readonly suite?: SuiteService | undefined;
  /** Hears of failures that are no expected ones. */
  readonly onFault?: FaultListener;
  /** Hears of every request that was answered. */
  readonly onAnswered?: (answered: AnsweredRequest) => void;
  /** What may be in progress at once, where it differs from the defaults. */
  readonly limits?: Partial<TrafficLimits>;
}

/** A server that listens. */
export interface RunningServer {
  /** `http://localhost:PORT`, or `https:` with a certificate, wherever that name reaches it, without a slash at the end. */
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly port: number;
  /**
   * Stops listening, ends streams, lets running requests end, and resolves when the last connection is closed: after half a second at
   * the latest, or after so many ms of real time.
   */
  close(graceMs?: number): Promise<void>;
}

const loopback = '127.0.0.1';

/** Addresses under which a server is reached by the name `localhost`. */
const answersToLocalhost: readonly string[] = [loopback, '::1', 'localhost', '0.0.0.0', '::'];

/** How long a request may go on after the server was told to close, in ms of real time. */
const closeGraceMs = 500;

/**
 * Starts a server. Resolves when it listens. Throws `address-in-use` for a port that is taken, `usage-invalid` for an address
 * that this machine does not have or may not use, `control-key-required` for one that others reach when there is no key, and
 * `config-invalid` for a key that is too weak.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const {
    sandboxes,
    host = loopback,
    publicHosts = [],
    publicUrl,
    requestLog = new RequestLog(),
    tls,
    controlKey,
    openRegistration = false,
    analyses,
    about,
    suite,
    onFault,
  } = options;
  const traffic = new Traffic(options.limits, options.onAnswered);
  refuseOpenAddress(host, controlKey);
  const access = controlKey === undefined ? undefined : new ControlAccess(controlKey);
  const readiness = new Readiness(sandboxes);
  const server = await serverFor(tls);
  const port = await listen(server, options.port, host);
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const publicHost = publicUrl === undefined ? [] : [new URL(publicUrl).host];
  const hosts = answeredHosts(port, [address, ...publicHosts, ...publicHost]);
  const baseUrl = `${tls === undefined ? 'http' : 'https'}://${answersToLocalhost.includes(host) ? `localhost:${port}` : address}`;
  await sandboxes.servedAt(publicUrl ?? baseUrl);
  installSandboxDate();
  traffic.watch(server);
  server.on('clientError', answerUnreadable);
  const parts = {
    sandboxes,
    requestLog,
    hosts,
    access,
    openRegistration,
    readiness,
    traffic,
    analyses,
    suite,
    about,
    onFault,
  };
  const app = createApp(parts);
  server.on('request', app);
  // No one promised to know what else a client may expect, and no API has a status for it (RFC 9110, 10.1.1).
  server.on('checkExpectation', app);
  readiness.phase = 'serving';
  return {
    baseUrl,
    controlUrl: `${baseUrl}/_control/v1`,
    port,
    close: (graceMs = closeGraceMs) => {
      readiness.phase = 'draining';
      traffic.end();
      return close(server, graceMs);
    },
  };
}

/** How long requests may take to arrive. */
type ServerLimits = Readonly<Record<'requestTimeout' | 'headersTimeout' | 'connectionsCheckingInterval', number>>;

async function serverFor(tls: ServerOptions['tls']): Promise<Server> {
  const limits = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: lateRequestCheckMs,
  };
  const server = tls === undefined ? createServer(limits) : await secureServer(limits, tls);
  server.maxConnections = connectionsMax;
  server.timeout = silentConnectionMs;
  return server;
}

async function secureServer(limits: ServerLimits, tls: NonNullable<ServerOptions['tls']>): Promise<Server> {
  const { createServer: createSecureServer } = await import('node:https');
  return createSecureServer({ ...limits, cert: tls.certificate, key: tls.privateKey });
}
