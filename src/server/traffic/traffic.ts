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
import { Tally } from './request-counters.ts';
import { getRoutePattern } from './route-pattern.ts';

/** A request that was answered: nothing in it tells of a person, and nothing of a secret. */
export interface AnsweredRequest {
  /** The id that the answer carries where its API gives one; else the number of the request. */
  readonly id: string;
  /** Sandbox that it was for; `null` where it was for none. */
  readonly sandbox: string | null;
  readonly method: string;
  /** Pattern of the route, without ids and names. */
  readonly route: string;
  /** `null` when the connection ended before the answer did. */
  readonly status: number | null;
  readonly ms: number;
}

/** What a server may have in progress. */
export interface TrafficLimits {
  /** Requests at once; beyond it they are refused. Streams of events are none of them. */
  readonly requestsMax: number;
  /** Connections beyond which requests are refused as long as the event loop is late. */
  readonly connectionsMax: number;
}

/** Anyone who watches a server asks these, and must hear from it when it is busy. */
const alwaysAnswered = /^\/_control\/v1\/(?:health|ready)$/;

const usPerMs = 1_000;

/** What is known of a request while it is in progress. */
interface UnderWay {
  readonly number: number;
  readonly sinceMs: number;
}

/** Where a response holds that. */
const underWayName = 'underWay';

/**
 * All that a server has in progress: it counts and times requests, refuses them when there are too many, and ends streams when the
 * server ends.
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
  #asked = 0;
  #isEnding = false;

  /** Takes limits where they differ from the defaults, and who hears of every answer. */
  constructor(limits: Partial<TrafficLimits> = {}, onAnswered: ((answered: AnsweredRequest) => void) | null = null) {
    this.#limits = { requestsMax: requestsInFlightMax, connectionsMax: crowdedConnectionsMax, ...limits };
    this.#onAnswered = onAnswered;
  }

  /** What is in progress now, and how many requests were refused so far. */
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

  /** Lets requests in one by one, or passes `server-busy` on. It stands before everything else. */
  readonly enter: RequestHandler = (request, response, next) => {
    this.#asked += 1;
    response.locals[underWayName] = { number: this.#asked, sinceMs: monotonicMs() } satisfies UnderWay;
    this.#requests.add(response);
    response.on('close', this.#closed);
    if (this.#isEnding) response.setHeader('Connection', 'close');
    if (this.#isBusy() && !alwaysAnswered.test(request.path)) {
      this.#refused += 1;
      next(busy());
    } else next();
  };

  /** Ends all streams, tells clients to send no further request over their connections, and stops measuring. */
  end(): void {
    this.#isEnding = true;
    for (const stream of this.#streams) stream.end();
    for (const response of this.#requests) if (!response.headersSent) response.setHeader('Connection', 'close');
    this.#delay.stop();
  }

  /** Takes a response out of the requests in progress, which stays open as a stream until either end closes it. */
  asStream(response: Response): void {
    this.#requests.delete(response);
    if (this.#isEnding) response.end();
    else this.#streams.add(response);
  }

  /** One function for all responses, as making one for each would cost as much as all the rest. */
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
    this.#onAnswered({ id: idOf(response, number), sandbox, method, route, status, ms });
  }

  #isBusy(): boolean {
    if (this.#requests.size > this.#limits.requestsMax && this.#unanswered() > this.#limits.requestsMax) return true;
    return this.#connections > this.#limits.connectionsMax && this.#delay.ms > crowdedDelayMsMax;
  }

  /** Answers that were given and not yet read are the client's part: they keep no one out, and are let go after a while. */
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

function idOf(response: Response, number: number): string {
  const own: unknown = response.locals['requestId'] ?? response.getHeader('request-id');
  return typeof own === 'string' ? own : `request-${number}`;
}
