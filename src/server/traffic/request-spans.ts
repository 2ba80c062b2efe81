import type { RequestHandler, Response } from 'express';
import { monotonicMs } from '../../core/clock.ts';
import { LruMap } from '../../core/lru-map.ts';
import type { Telemetry, TelemetryAttributes, TelemetrySpan } from '../../core/telemetry.ts';
import { getRoutePattern, noRoute } from './route-pattern.ts';

/** Maximum number of sign-ins whose trace is kept. */
const signInTracesMax = 10_000;

const traceparentForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Form of versions after the first one, whose further fields are ignored. */
const laterForm = /^(?!00|ff)[0-9a-f]{2}(-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?:$|-)/;

/** Path of a sign-in page, and path with the interaction of an application. Both start with the path of the sandbox. */
const pathForms: readonly RegExp[] = [
  /^((?:\/s\/[^/]+)?\/sign-in\/[^/]+)/i,
  /^((?:\/s\/[^/]+)?)(?:\/[^/]+)?\/oauth2(?:\/v2\.0)?\/authorize\/([^/]+)/i,
];

/** Key of the span in the locals of a response. */
const spanName = 'span';

/** Key of the path of a sign-in that a request has begun, in the locals of its response. */
const begunName = 'begunSignIn';

const msPerSecond = 1_000;
const serverErrorMin = 500;

/** Returns the span of a request, or `undefined` if it is not traced. */
export function findSpan(response: Response): TelemetrySpan | undefined {
  return response.locals[spanName] as TelemetrySpan | undefined;
}

/** Notes the path of the sign-in that a request has begun, whose later requests continue its trace. */
export function noteBegunSignIn(response: Response, path: string): void {
  response.locals[begunName] = path;
}

/** Returns the value of the header `traceparent` in the first version, or `undefined` if it is invalid. */
function readTraceparent(given: string | readonly string[] | undefined): string | undefined {
  if (typeof given !== 'string') return undefined;
  if (traceparentForm.test(given)) return given;
  const [, ids] = laterForm.exec(given) ?? [];
  return ids === undefined ? undefined : `00${ids}`;
}

/**
 * Creates a handler that traces requests as spans named by method and route. The parent is the span in `traceparent`.
 * Browsers do not send this header, so the requests of one sign-in continue the trace of its first one, across its
 * redirects and forms.
 */
export function traceRequests(telemetry: Telemetry): RequestHandler {
  const signIns = new LruMap<string, string>({ max: signInTracesMax });
  return (request, response, next) => {
    const given = readTraceparent(request.headers['traceparent']);
    const named = findSignIns(request.originalUrl);
    const kept = named.map((key) => signIns.get(key)).find((trace) => trace !== undefined);
    const span = telemetry.start(request.method, {
      kind: 'server',
      parent: given ?? kept,
      ...(given !== undefined && kept !== undefined && getTraceId(given) !== getTraceId(kept) ? { link: kept } : {}),
      attributes: {
        'http.request.method': request.method,
        'url.scheme': request.protocol,
        'network.protocol.version': request.httpVersion,
      },
    });
    response.locals[spanName] = span;
    const sinceMs = monotonicMs();
    response.on('close', () => {
      const location = response.getHeader('location');
      const next = typeof location === 'string' ? findSignIns(location) : [];
      for (const key of [...named, ...next]) signIns.set(key, kept ?? span.traceparent);
      // The page of a new sign-in names it only in its form. Its id can be that of a deleted sandbox with the same name.
      const begun = response.locals[begunName] as string | undefined;
      if (begun !== undefined) signIns.set(begun, span.traceparent);
      endSpan(telemetry, response, span, (monotonicMs() - sinceMs) / msPerSecond);
    });
    telemetry.within(span, next);
  };
}

function endSpan(telemetry: Telemetry, response: Response, span: TelemetrySpan, seconds: number): void {
  const { req: request, locals } = response;
  const route = getRoutePattern(request);
  const status = response.writableFinished ? response.statusCode : null;
  const error = status === null ? 'interrupted' : status >= serverErrorMin ? String(status) : null;
  const shared: TelemetryAttributes = {
    ...(route === noRoute ? {} : { 'http.route': route }),
    ...(status === null ? {} : { 'http.response.status_code': status }),
  };
  const sandbox = locals['sandboxId'] as string | undefined;
  span.rename(route === noRoute ? request.method : `${request.method} ${route}`);
  // Paths can contain names of users, so the pattern of the route stands for the path.
  const path = route === noRoute ? {} : { 'url.path': route };
  span.set({ ...shared, ...path, ...(sandbox === undefined ? {} : { 'nudgelab.sandbox': sandbox }) });
  if (error !== null) span.fail(error);
  span.end();
  telemetry.requestServed(seconds, {
    'http.request.method': request.method,
    'url.scheme': request.protocol,
    ...shared,
    ...(error === null ? {} : { 'error.type': error }),
  });
}

/** Lists the sign-ins and interactions in a URL, each with the path of its sandbox. */
function findSignIns(address: string): readonly string[] {
  const url = URL.canParse(address, base) ? new URL(address, base) : null;
  if (url === null) return [];
  const keys = pathForms.flatMap((form) => form.exec(url.pathname)?.slice(1).join(' ') ?? []);
  const interaction = url.searchParams.get('interaction');
  if (interaction !== null) keys.push(`${sandboxForm.exec(url.pathname)?.[0] ?? ''} ${interaction}`);
  return keys;
}

const base = 'http://localhost';
const sandboxForm = /^\/s\/[^/]+/i;

function getTraceId(traceparent: string): string {
  return traceparent.split('-')[1] ?? '';
}
