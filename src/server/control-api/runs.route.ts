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

/** Maximum number of results in one event. */
const rowsOfEvent = 200;

/** Time in milliseconds to collect results before sending them, so fast runs need only a few events. */
const gatherMs = 50;

const retryAfterSeconds = 5;

/** Media types of evidence files that browsers display. All other files are sent as downloads. */
const shownTypes: Readonly<Record<string, string>> = { png: 'image/png', json: 'application/json; charset=utf-8' };

/** Creates the routes that start, monitor, and cancel test runs, and return their results. */
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

/**
 * Returns the position from which a client resumes, or `null` for a new stream. Throws `bad-request` if it is invalid.
 */
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

/**
 * Streams the progress of a run until it ends. It continues from the last sent result, so results do not accumulate.
 */
function streamRun({ service, id, session, response, after }: RunStream): void {
  let sent = after;
  let isGathering = false;
  let stop = (): void => undefined;

  function send(): void {
    isGathering = false;
    if (!session.isConnected || response.destroyed) return;
    const run = findRun(service, id);
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

/** Returns a run, or `null` if it was deleted. */
function findRun(service: GetSuiteService, id: string): RunView | null {
  try {
    return service().run(id);
  } catch {
    return null;
  }
}
