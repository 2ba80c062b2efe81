import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import {
  connectionsMax,
  headersTimeoutMs,
  lateRequestCheckMs,
  requestTimeoutMs,
  silentConnectionMs,
} from '../core/limits.ts';
import { type ServedAddress, servedAtAddress } from '../core/served-address.ts';
import { type BoundPort, findBoundSandbox, routeToSandbox } from './bound-ports.ts';
import { close, listen } from './listen.ts';
import { createServer } from './node-http.ts';
import { answeredHosts } from './origin-check.ts';

/** Certificate and private key in PEM format. */
interface Certificate {
  readonly certificate: string;
  readonly privateKey: string;
}

interface OpenOptions {
  readonly tls: Certificate | undefined;
  readonly host: string;
  readonly port: number;
  readonly boundPorts: readonly BoundPort[];
  /** Prepares a server before it accepts connections. */
  readonly prepare: (server: Server) => void;
}

/** Server that is listening, and its sandbox if it has one of its own. */
interface ListeningServer {
  readonly server: Server;
  /** Own address of the sandbox, or `undefined` on the main port. */
  readonly address: ServedAddress | undefined;
  /** Requests that arrived before there was an app to handle them. */
  readonly early: EarlyRequests;
}

/** Servers of all ports. */
export interface ListeningServers {
  /** The main server comes first. */
  readonly servers: readonly ListeningServer[];
  /** Main port. */
  readonly port: number;
  readonly baseUrl: string;
  /** Base URLs of the sandboxes with a port of their own. */
  readonly bound: readonly ServedAddress[];
  /** Accepted values of `Host`. */
  readonly hosts: readonly string[];
}

/** Listening addresses that are reachable as `localhost`. */
const answersToLocalhost: readonly string[] = ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::'];

/**
 * Opens the main port and those of sandboxes. If one cannot be opened, all are closed.
 *
 * @throws NudgeLabError `address-in-use` or `usage-invalid`
 */
export async function openServers({ tls, host, port, boundPorts, prepare }: OpenOptions): Promise<ListeningServers> {
  const opened: (Omit<ListeningServer, 'address'> & { readonly port: number; readonly sandboxId?: string })[] = [];
  try {
    for (const one of [{ port }, ...boundPorts]) {
      const server = await createFor(tls);
      prepare(server);
      const early = new EarlyRequests(server);
      opened.push({ ...one, server, early, port: await listen(server, one.port, host) });
    }
  } catch (error) {
    await Promise.all(opened.map(({ server }) => close(server, 0)));
    throw error;
  }
  const getAddress = (ofPort: number) => `${host.includes(':') ? `[${host}]` : host}:${ofPort}`;
  const getBaseUrl = (ofPort: number) => {
    const address = answersToLocalhost.includes(host) ? `localhost:${ofPort}` : getAddress(ofPort);
    return `${tls === undefined ? 'http' : 'https'}://${address}`;
  };
  const mainPort = opened[0]?.port ?? port;
  const servers = opened.map(({ server, early, sandboxId, port: ownPort }): ListeningServer => {
    const address = sandboxId === undefined ? undefined : { sandboxId, baseUrl: getBaseUrl(ownPort) };
    return { server, early, address };
  });
  return {
    servers,
    port: mainPort,
    baseUrl: getBaseUrl(mainPort),
    bound: servers.flatMap(({ address }) => address ?? []),
    hosts: opened.flatMap((one) => [...answeredHosts(one.port, [getAddress(one.port)])]),
  };
}

/**
 * Requests that arrive while the port is open and the app is being prepared, for which a shared store is asked. The
 * number of connections limits them.
 */
class EarlyRequests {
  readonly #server: Server;
  readonly #requests: (readonly [IncomingMessage, ServerResponse])[] = [];
  readonly #hold = (request: IncomingMessage, response: ServerResponse): void => {
    this.#requests.push([request, response]);
  };

  constructor(server: Server) {
    this.#server = server.on('request', this.#hold).on('checkExpectation', this.#hold);
  }

  /** Hands all requests to a listener, except for those whose connection is closed. */
  release(serve: RequestListener): void {
    this.#server.off('request', this.#hold).off('checkExpectation', this.#hold);
    for (const [request, response] of this.#requests.splice(0)) if (!request.destroyed) serve(request, response);
  }
}

/** Lets an app handle the requests of a server, which are those of one sandbox if the server is its own. */
export function serveRequests({ server, address, early }: ListeningServer, app: RequestListener): void {
  const serve: RequestListener =
    address === undefined
      ? app
      : (request, response) => {
          routeToSandbox(request, address.sandboxId);
          if (findBoundSandbox(request) === undefined) app(request, response);
          else servedAtAddress(address, () => app(request, response));
        };
  server.on('request', serve);
  // Unknown `Expect` values are ignored, because no API defines a status for them (RFC 9110, section 10.1.1).
  server.on('checkExpectation', serve);
  early.release(serve);
}

/** Time limits for the arrival of requests. */
type ServerLimits = Readonly<Record<'requestTimeout' | 'headersTimeout' | 'connectionsCheckingInterval', number>>;

async function createFor(tls: Certificate | undefined): Promise<Server> {
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

async function secureServer(limits: ServerLimits, tls: Certificate): Promise<Server> {
  const { createServer: createSecureServer } = await import('node:https');
  return createSecureServer({ ...limits, cert: tls.certificate, key: tls.privateKey });
}
