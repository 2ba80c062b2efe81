import { type Request, type RequestHandler, Router } from 'express';
import { questionOperations } from '../../contract/control-operations.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { eventStreamsMax } from '../../core/limits.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { leaveSandbox } from '../enter-sandbox.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { streamEvents } from './event-stream.ts';
import { enteredSandbox, expressPath, parseRequest } from './serve.ts';

/** Default heartbeat interval in milliseconds of real time. Proxies close connections that are idle for a minute. */
const heartbeatDefaultMs = 15_000;

/** Value of `Retry-After` for rejected streams, in seconds. */
const retryAfterSeconds = 5;

export interface EventOptions {
  readonly heartbeatMs?: number | undefined;
  /** Maximum number of concurrent streams per sandbox. */
  readonly streamsMax?: number | undefined;
  /** Traffic counter that counts streams separately from requests and closes them when the server stops. */
  readonly traffic?: Traffic | undefined;
}

/**
 * Creates the route for the live event stream of a journal as server-sent events. The event name is the event type, and
 * the event id is the sequence number. `Last-Event-ID` or `after` set the start. Without them, only new events are
 * sent.
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
    // A client that disconnected while waiting for the sandbox would otherwise never be subtracted from the count.
    if (response.closed) return;
    open.set(sandbox.id, streams + 1);
    response.once('close', () => {
      const remaining = (open.get(sandbox.id) ?? 1) - 1;
      if (remaining === 0) open.delete(sandbox.id);
      else open.set(sandbox.id, remaining);
    });
    // The library is loaded on demand because few servers need streams and it includes an unused client.
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
 * Returns the start of a stream. A sequence number beyond the end of the journal is from before a reset or restore, so
 * the stream starts at the first entry. Throws `bad-request` if `Last-Event-ID` is not a sequence number.
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
    message: `This sandbox already has ${streamsMax} open event streams, the maximum.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
