import type { Session } from 'better-sse';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ControlOperation } from '../../contract/control-operation.ts';
import { suiteOperations } from '../../contract/suite-operations.ts';
import { afterDelay } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { eventStreamsMax } from '../../core/limits.ts';
import type { RunView } from '../suite-service.ts';
import { expressPath, parseRequest, serve } from './serve.ts';
import type { GetSuiteService } from './suite.route.ts';

/** Results that one event carries. */
const rowsOfEvent = 200;

/** How long results are gathered before they are sent, in ms: a fast run is told in few events. */
const gatherMs = 50;

const retryAfterSeconds = 5;

/** Media types of files that explain failures; what is not here is handed over as a download. */
const shownTypes: Readonly<Record<string, string>> = { png: 'image/png', json: 'application/json; charset=utf-8' };

/** Runs of scenarios: started, watched, canceled, and what they came to. */
export function runRoutes(service: GetSuiteService): Router {
  const router = Router();
  const ask = suiteOperations;

  serve(router, ask.listRuns, () => service().runs());
  serve(router, ask.startRun, ({ body }) => service().start(body));
  serve(router, ask.getRun, ({ params }) => service().run(params.run));
  serve(router, ask.cancelRun, ({ params }) => service().cancel(params.run));

  serve(router, ask.listRunResults, ({ query: { status, after, limit }, params }) => {
    const rows = service().results(params.run, after, limit + 1, status);
    const results = rows.slice(0, limit);
    return { results, next: rows.length > limit ? (results.at(-1)?.place ?? null) : null };
  });

  serve(router, ask.getRunResult, ({ params }) => service().result(params.run, Number(params.place)));
  serve(router, ask.getRunCoverage, ({ params }) => service().coverage(params.run));
  serve(router, ask.getRunCharts, ({ params }) => service().charts(params.run));

  route(router, ask.getRunEvidence, (request, response, next) => {
    const { query, params } = parseRequest(ask.getRunEvidence, request, response);
    const path = service().evidence(params.run, query.file);
    const type = shownTypes[path.slice(path.lastIndexOf('.') + 1)];
    if (type === undefined) response.attachment();
    else response.type(type);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.sendFile(path, { dotfiles: 'allow', cacheControl: false }, (error) => {
      if (error !== undefined && !response.headersSent) next(new NudgeLabError('not-found', { cause: error }));
    });
  });

  let streams = 0;
  route(router, ask.streamRun, async (request, response) => {
    const {
      query,
      params: { run: id },
    } = parseRequest(ask.streamRun, request, response);
    service().run(id);
    if (streams >= eventStreamsMax) {
      throw new NudgeLabError('too-many-streams', { headers: { 'Retry-After': String(retryAfterSeconds) } });
    }
    if (request.method === 'HEAD') {
      response.type('text/event-stream').end();
      return;
    }
    streams += 1;
    response.once('close', () => {
      streams -= 1;
    });
    const { createSession } = await import('better-sse');
    const session = await createSession(request, response, { keepAlive: null, trustClientEventId: false });
    streamRun({ service, id, session, response, after: resumed(request) ?? query.after });
  });

  return router;
}

function route(router: Router, operation: Pick<ControlOperation, 'path'>, handler: RequestHandler): void {
  router.get(expressPath(operation), handler);
}

/** The place that a client had come to; `null` where it begins. Throws `bad-request` for what is no place. */
function resumed({ headers }: Request): number | null {
  const id = headers['last-event-id'];
  if (id === undefined) return null;
  if (/^\d{1,9}$/.test(String(id))) return Number(id);
  throw new NudgeLabError('bad-request', {
    problems: [{ location: 'header.Last-Event-ID', message: `"${id}" is not the id of an event` }],
  });
}

interface RunStream {
  readonly service: GetSuiteService;
  readonly id: string;
  readonly session: Session;
  readonly response: Response;
  readonly after: number;
}

/** Sends how a run goes on, and ends with it. It reads on from the last place that it sent, so nothing piles up. */
function streamRun({ service, id, session, response, after }: RunStream): void {
  let sent = after;
  let isGathering = false;
  let stop = (): void => undefined;

  function send(): void {
    isGathering = false;
    if (!session.isConnected || response.destroyed) return;
    const run = heldRun(service, id);
    if (run === null) return void response.end();
    for (;;) {
      const results = service().results(id, sent, rowsOfEvent);
      sent = results.at(-1)?.place ?? sent;
      session.push({ run, results }, 'message', String(sent));
      if (results.length < rowsOfEvent || response.writableNeedDrain) break;
    }
    if (response.writableNeedDrain) response.once('drain', send);
    else if (isRunFinished(run)) response.end();
  }

  function wake(): void {
    if (isGathering) return;
    isGathering = true;
    afterDelay(gatherMs, send);
  }

  response.once('close', () => stop());
  stop = service().listen(id, wake);
  send();
}

function isRunFinished({ state }: RunView): boolean {
  return state !== 'queued' && state !== 'running';
}

/** A run, or `null` when it was forgotten. */
function heldRun(service: GetSuiteService, id: string): RunView | null {
  try {
    return service().run(id);
  } catch {
    return null;
  }
}
