import type { Request, RequestHandler, Response } from 'express';
import { afterDelay, monotonicMs } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { handOverConnectMs, retryAfterDefaultSeconds, silentConnectionMs } from '../../core/limits.ts';
import { LruMap } from '../../core/lru-map.ts';
import type { TelemetrySpan } from '../../core/telemetry.ts';
import type { InstanceCoordinator } from '../../sandbox/instance-coordinator.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { findBoundSandbox } from '../bound-ports.ts';
import { cutHeader } from '../cut-connection.ts';
import { idIn, withoutSandbox } from '../enter-sandbox.ts';
import { loadClient } from '../node-http.ts';
import { findSpan } from '../traffic/request-spans.ts';
import { listEndToEnd } from './end-to-end-headers.ts';
import { createMark, isHandedOver, markHeader, takeMark } from './hand-over-mark.ts';

/**
 * Time in milliseconds of real time for which the address of a holder is used again. An outdated one only moves the
 * lease, because each server can serve each request.
 */
const knownForMs = 1_000;

/** Time in milliseconds of real time after which a server without a response is checked. */
const handOverSilentMs = 5_000;

/** Time in milliseconds of real time for which a server that does not respond is avoided. */
const avoidedForMs = 60_000;

/** Path that every server answers. */
const healthPath = '/_control/v1/health';

/** Maximum number of sandboxes whose holder is remembered. */
const holdersMax = 1_000;

/** Maximum number of connections to one other server. */
const connectionsMax = 256;

type Client = Awaited<ReturnType<typeof loadClient>>;

interface Connections {
  readonly client: Client;
  readonly agent: InstanceType<Client['Agent']>;
}

/** Request on its way to another server. */
interface Errand {
  readonly id: string;
  readonly holder: string;
  readonly request: Request;
  readonly response: Response;
  /** Serves the request here, or fails it. */
  readonly next: (error?: unknown) => void;
}

/**
 * Hands requests to the server of the same database that has the lease of their sandbox, so that the lease does not move
 * with every request. A request that was handed over is never handed over again: the other server takes the lease if it
 * has lost it meanwhile, and the lease protects the journal in any case. A request of which nothing was sent is served
 * here instead. One that was sent is never repeated, because it may have been applied.
 */
export class HandOver {
  readonly #coordinator: InstanceCoordinator;
  readonly #ownUrl: string;
  readonly #secret: string;
  readonly #holders = new LruMap<string, { readonly url: string; readonly untilMs: number }>({ max: holdersMax });
  /** Servers that did not respond, which are avoided until a time. Waiting for a lease ends the session of such a server. */
  readonly #silent = new LruMap<string, number>({ max: holdersMax });
  readonly #connections = new Map<string, Promise<Connections>>();

  /**
   * States the URL of this server to the others. Returns `undefined` if the store of the sandboxes is not shared. Throws
   * `store-unavailable`.
   */
  static async open({ coordinator }: Sandboxes, ownUrl: string): Promise<HandOver | undefined> {
    if (coordinator === null) return undefined;
    return new HandOver(coordinator, ownUrl, await coordinator.advertise(ownUrl));
  }

  private constructor(coordinator: InstanceCoordinator, ownUrl: string, secret: string) {
    this.#coordinator = coordinator;
    this.#ownUrl = ownUrl;
    this.#secret = secret;
  }

  /** Recognizes requests that were handed over, and ignores marks that no server of the database has made. */
  readonly receive: RequestHandler = (request, _response, next) => {
    takeMark(this.#secret, this.#ownUrl, request);
    next();
  };

  /**
   * Hands a request to the server that has its sandbox. Requests of the control API and of ports of sandboxes stay here:
   * the control API also tells about the server itself.
   */
  readonly send: RequestHandler = (request, response, next) => {
    if (isHandedOver(request) || withoutSandbox.test(request.path) || findBoundSandbox(request) !== undefined) {
      next();
      return;
    }
    const id = idIn(request.path);
    this.#findHolder(id)
      .then((holder) => (holder === null ? next() : this.#forward({ id, holder, request, response, next })))
      // Entering the sandbox reports that the database does not respond.
      .catch(() => next());
  };

  /** Closes the connections to the other servers. */
  close(): void {
    for (const opened of this.#connections.values()) {
      opened.then(
        ({ agent }) => agent.destroy(),
        () => undefined,
      );
    }
    this.#connections.clear();
  }

  async #findHolder(id: string): Promise<string | null> {
    if (this.#coordinator.isLeasedHere(id)) return null;
    const known = this.#holders.get(id);
    if (known !== undefined && known.untilMs > monotonicMs()) return known.url;
    const url = await this.#coordinator.findHolder(id);
    if (url === null || url === this.#ownUrl || !URL.canParse(url)) {
      this.#holders.delete(id);
      return null;
    }
    if ((this.#silent.get(url) ?? 0) > monotonicMs()) return null;
    this.#holders.set(id, { url, untilMs: monotonicMs() + knownForMs });
    return url;
  }

  /** Asks a server for anything on a new connection. Any response means that it is not suspended. */
  #isAlive(
    client: Client,
    { protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>,
  ): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const probe = client.request({
      protocol,
      hostname,
      ...(port === '' ? {} : { port }),
      method: 'HEAD',
      path: healthPath,
      agent: false,
    });
    const cancel = afterDelay(handOverConnectMs, () => probe.destroy(new Error('The server does not respond.')));
    const end = (isAlive: boolean): void => {
      cancel();
      probe.destroy();
      resolve(isAlive);
    };
    probe.once('response', () => end(true)).on('error', () => end(false));
    probe.end();
    return promise;
  }

  async #connect(protocol: string): Promise<Connections> {
    const client = await loadClient(protocol);
    return { client, agent: new client.Agent({ keepAlive: true, maxSockets: connectionsMax }) };
  }

  async #forward({ id, holder, request, response, next }: Errand): Promise<void> {
    const { protocol, hostname, port } = new URL(holder);
    const opened = this.#connections.get(protocol) ?? this.#connect(protocol);
    this.#connections.set(protocol, opened);
    const { client, agent } = await opened;
    // The log line and the span name the sandbox, which this server does not enter.
    response.locals['sandboxId'] = id;
    const { method, originalUrl: url, headers } = request;
    const mark = createMark(this.#secret, { target: holder, method, url, host: headers.host ?? '' });
    const forwarded = client.request({
      agent,
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      ...(port === '' ? {} : { port }),
      method,
      path: url,
      headers: [...listForwarded(request, findSpan(response)), ...statedLength(request), markHeader, mark],
      timeout: silentConnectionMs,
    });
    let isSent = false;
    let hasAnswer = false;
    const stopListening = afterDelay(handOverSilentMs, () => {
      void this.#isAlive(client, { protocol, hostname: forwarded.host, port }).then((isAlive) => {
        if (isAlive || hasAnswer || response.destroyed) return;
        this.#silent.set(holder, monotonicMs() + avoidedForMs);
        forwarded.destroy(new Error('The server does not respond.'));
      });
    });
    const giveUp = afterDelay(handOverConnectMs, () => {
      if (!isSent) forwarded.destroy(new Error('The connection takes too long.'));
    });
    const pass = (): void => {
      giveUp();
      isSent = true;
      request.pipe(forwarded);
    };
    forwarded.once('socket', (socket) => {
      if (socket.connecting) socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', pass);
      else pass();
    });
    forwarded.once('timeout', () => forwarded.destroy(new Error('The server is silent.')));
    forwarded.once('response', (answer) => {
      hasAnswer = true;
      stopListening();
      const { statusCode = 502, statusMessage = '', rawHeaders } = answer;
      if (answer.headers[cutHeader] !== undefined) {
        response.destroy();
        return;
      }
      response.writeHead(statusCode, statusMessage, listEndToEnd(rawHeaders, ['transfer-encoding']));
      answer.once('error', () => response.destroy());
      answer.pipe(response);
    });
    response.once('close', () => {
      stopListening();
      // The rest of a body that was answered before its end is discarded, so the client can receive the response.
      request.unpipe(forwarded).resume();
      forwarded.destroy();
    });
    forwarded.on('error', () => {
      giveUp();
      stopListening();
      this.#holders.delete(id);
      if (hasAnswer || response.destroyed) response.destroy();
      else if (isSent) next(holderLost(id));
      else next();
    });
  }
}

/** Methods for which the client announces no body by itself. */
const withoutBody: readonly string[] = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'];

/** Lists the headers of a request. If it is traced here, the other server continues this trace. */
function listForwarded({ rawHeaders }: Request, span: TelemetrySpan | undefined): readonly string[] {
  if (span === undefined) return listEndToEnd(rawHeaders);
  return [...listEndToEnd(rawHeaders, ['traceparent']), 'traceparent', span.traceparent];
}

/** States that a request without a length has no body. The client would otherwise announce one. */
function statedLength({ method, headers }: Request): readonly string[] {
  const isStated = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return isStated || withoutBody.includes(method) ? [] : ['Content-Length', '0'];
}

function holderLost(id: string): NudgeLabError {
  return new NudgeLabError('holder-lost', {
    message: `The server that has sandbox ${id} ended or stopped responding before it answered. The request may have been applied.`,
    headers: { 'Retry-After': String(retryAfterDefaultSeconds) },
  });
}
