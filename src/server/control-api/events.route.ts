import { type Request, type RequestHandler, Router } from 'express';
import { questionOperations } from '../../contract/control-operations.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { eventStreamsMax } from '../../core/limits.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { leaveSandbox } from '../enter-sandbox.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { streamEvents } from './event-stream.ts';
import { enteredSandbox, expressPath, parseRequest } from './serve.ts';

/** Real time between two signs of life of a stream, in ms; proxies cut connections that are silent for a minute. */
const heartbeatDefaultMs = 15_000;

/** When a client may come back for a stream, in seconds. */
const retryAfterSeconds = 5;

export interface EventOptions {
  readonly heartbeatMs?: number | undefined;
  /** Streams at once on one sandbox. */
  readonly streamsMax?: number | undefined;
  /** Counts streams apart from requests, and ends them with the server. */
  readonly traffic?: Traffic | undefined;
}

/**
 * The live stream of a sandbox's journal as server-sent events: the event is the type of the input, the id its place.
 * `Last-Event-ID` or `after` say where to begin; without them it begins with what happens next.
 */
export function eventRoutes(sandboxes: Sandboxes, options: EventOptions = {}): Router {
  const { heartbeatMs = heartbeatDefaultMs, streamsMax = eventStreamsMax, traffic } = options;
  const open = new Map<string, number>();

  const handler: RequestHandler = async (request, response) => {
    const { query } = parseRequest(questionOperations.streamEvents, request, response);
    const sandbox = await enteredSandbox(sandboxes, request, response);
    const after = beginning(request, query.after, sandbox.entryCount);
    leaveSandbox(response);
    const streams = open.get(sandbox.id) ?? 0;
    if (streams >= streamsMax) throw tooManyStreams(streamsMax);
    if (request.method === 'HEAD') {
      response.type('text/event-stream').end();
      return;
    }
    // Anyone who has gone while the sandbox was waited for has no stream, and would never be counted off.
    if (response.closed) return;
    open.set(sandbox.id, streams + 1);
    response.once('close', () => {
      const remaining = (open.get(sandbox.id) ?? 1) - 1;
      if (remaining === 0) open.delete(sandbox.id);
      else open.set(sandbox.id, remaining);
    });
    // Few servers are asked for a stream, and this loads a client that is of no use to the others.
    const { createSession } = await import('better-sse');
    const unfollow = await sandboxes.follow(sandbox.id);
    if (response.closed) unfollow();
    else response.once('close', unfollow);
    const session = await createSession(request, response, { keepAlive: null, trustClientEventId: false });
    const isServed = (): boolean => sandboxes.has(sandbox.id) && sandboxes.get(sandbox.id) === sandbox;
    traffic?.asStream(response);
    streamEvents({ sandbox, session, response, after, named: query.named, heartbeatMs, isServed });
  };

  const router = Router();
  router.get(expressPath(questionOperations.streamEvents), handler);
  return router;
}

/**
 * Where a stream begins. A place beyond the journal's end is one of another history, before a reset or a restore: the stream
 * then begins at the first entry. Throws `bad-request` for a `Last-Event-ID` that is no place.
 */
function beginning(request: Request, after: number | undefined, entryCount: number): number {
  const resumed = request.headers['last-event-id'];
  if (resumed !== undefined && !/^\d{1,15}$/.test(String(resumed))) {
    throw new NudgeLabError('bad-request', {
      problems: [{ location: 'header.Last-Event-ID', message: `"${resumed}" is not the id of an event` }],
    });
  }
  const place = resumed === undefined ? (after ?? entryCount) : Number(resumed);
  return place > entryCount ? 0 : place;
}

function tooManyStreams(streamsMax: number): NudgeLabError {
  return new NudgeLabError('too-many-streams', {
    message: `${streamsMax} streams of this sandbox are open, as many as may be.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
