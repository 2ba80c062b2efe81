import type { Server } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { monotonicMs } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import {
  crowdedConnectionsMax,
  crowdedDelayMsMax,
  requestsInFlightMax,
  retryAfterDefaultSeconds,
  unreadAnswerMs,
} from '../../core/limits.ts';
import { LoopDelay } from '../../core/loop-delay.ts';
import type { TelemetrySpan } from '../../core/telemetry.ts';
import { Tally } from './request-counters.ts';
import { findSpan } from './request-spans.ts';
import { getRoutePattern } from './route-pattern.ts';

/** Completed request without personal data and secrets. */
export interface AnsweredRequest {
  /** Request id of the response if its API sets one, otherwise the number of the request. */
  readonly id: string;
  /** Sandbox of the request. `null` if the request is for no sandbox. */
  readonly sandbox: string | null;
  readonly method: string;
  /** Pattern of the route, without ids and names. */
  readonly route: string;
  /** Status of the response. `null` if the connection closed before the end of the response. */
  readonly status: number | null;
  readonly ms: number;
  /** Ids of the trace and the span of the request. Absent if it is not traced. */
  readonly trace?: Pick<TelemetrySpan, 'traceId' | 'spanId'>;
}

/** Limits for in-flight requests and connections. */
export interface TrafficLimits {
  /** Maximum number of in-flight requests, without event streams. Further requests are rejected. */
  readonly requestsMax: number;
  /** Number of connections above which requests are rejected while the event loop is delayed. */
  readonly connectionsMax: number;
}

/** Paths of health and readiness checks, which also respond when the server is busy. */
const alwaysAnswered = /^\/_control\/v1\/(?:health|ready)$/;

const usPerMs = 1_000;

/** Data of an in-flight request. */
interface UnderWay {
  readonly number: number;
  readonly sinceMs: number;
}

/** Key of the in-flight request data in the locals of a response. */
const underWayName = 'underWay';

/**
 * Counts and times in-flight requests, sheds load if there are too many, and ends event streams when the server stops.
 */
export class Traffic {
  readonly tally = new Tally();
  readonly #limits: TrafficLimits;
  readonly #delay = new LoopDelay();
  readonly #requests = new Set<Response>();
  readonly #streams = new Set<Response>();
  readonly #onAnswered: ((answered: AnsweredRequest) => void) | null;
  #connections = 0;
  #refused = 0;
  #received = 0;
  #isEnding = false;

  /** Creates the counters. `limits` override the defaults, and `onAnswered` is called for every completed request. */
  constructor(limits: Partial<TrafficLimits> = {}, onAnswered: ((answered: AnsweredRequest) => void) | null = null) {
    this.#limits = { requestsMax: requestsInFlightMax, connectionsMax: crowdedConnectionsMax, ...limits };
    this.#onAnswered = onAnswered;
  }

  /** Returns the current numbers of requests, streams, and connections, and the total number of rejected requests. */
  now(): Readonly<Record<'requests' | 'streams' | 'connections' | 'refused', number>> {
    return {
      requests: this.#requests.size,
      streams: this.#streams.size,
      connections: this.#connections,
      refused: this.#refused,
    };
  }

  /** Counts the connections of a server. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#connections += 1;
      socket.once('close', () => {
        this.#connections -= 1;
      });
    });
  }

  /** Admits a request or fails with `server-busy`. This handler precedes all others. */
  readonly enter: RequestHandler = (request, response, next) => {
    this.#received += 1;
    response.locals[underWayName] = { number: this.#received, sinceMs: monotonicMs() } satisfies UnderWay;
    this.#requests.add(response);
    response.on('close', this.#closed);
    if (this.#isEnding) response.setHeader('Connection', 'close');
    if (this.#isBusy() && !alwaysAnswered.test(request.path)) {
      this.#refused += 1;
      next(busy());
    } else next();
  };

  /** Ends all streams, requests clients to close their connections, and stops the measurements. */
  end(): void {
    this.#isEnding = true;
    for (const stream of this.#streams) stream.end();
    for (const response of this.#requests) if (!response.headersSent) response.setHeader('Connection', 'close');
    this.#delay.stop();
  }

  /** Moves a response from the in-flight requests to the streams, which stay open until either side closes them. */
  asStream(response: Response): void {
    this.#requests.delete(response);
    if (this.#isEnding) response.end();
    else this.#streams.add(response);
  }

  /** Shared close handler of all responses, because a separate function for each would double the overhead. */
  readonly #closed = ((traffic: Traffic) =>
    function closed(this: Response): void {
      traffic.#leave(this);
    })(this);

  #leave(response: Response): void {
    this.#requests.delete(response);
    this.#streams.delete(response);
    const { number, sinceMs } = response.locals[underWayName] as UnderWay;
    const { req: request, locals } = response;
    const { method } = request;
    const ms = Math.round((monotonicMs() - sinceMs) * usPerMs) / usPerMs;
    const route = getRoutePattern(request);
    const status = response.writableFinished ? response.statusCode : null;
    this.tally.note(route, method, status ?? 0, ms);
    if (this.#onAnswered === null) return;
    const sandbox = (locals['sandboxId'] as string | undefined) ?? null;
    const trace = findSpan(response);
    const answered = { id: createId(response, number), sandbox, method, route, status, ms };
    this.#onAnswered(trace === undefined ? answered : { ...answered, trace });
  }

  #isBusy(): boolean {
    if (this.#requests.size > this.#limits.requestsMax && this.#unanswered() > this.#limits.requestsMax) return true;
    return this.#connections > this.#limits.connectionsMax && this.#delay.ms > crowdedDelayMsMax;
  }

  /**
   * Counts the requests without a finished response. Finished responses that the client has not read do not count, and
   * their connections time out after a while.
   */
  #unanswered(): number {
    let unanswered = 0;
    for (const response of this.#requests) {
      if (!response.writableEnded) unanswered += 1;
      else if (response.writableLength > 0) response.req.socket.setTimeout(unreadAnswerMs);
    }
    return unanswered;
  }
}

function busy(): NudgeLabError {
  return new NudgeLabError('server-busy', {
    message: 'Too many requests are in progress.',
    headers: { 'Retry-After': String(retryAfterDefaultSeconds) },
  });
}

function createId(response: Response, number: number): string {
  const own: unknown = response.locals['requestId'] ?? response.getHeader('request-id');
  return typeof own === 'string' ? own : `request-${number}`;
}
