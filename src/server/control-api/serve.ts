import type { Request, RequestHandler, Response, Router } from 'express';
import type { z } from 'zod';
import type { ControlOperation, PathParameter, ResponseKind } from '../../contract/control-operation.ts';
import type { ResponseBody } from '../../contract/control-responses.schema.ts';
import { takesFixtures } from '../../contract/fixture-given.ts';
import { parseOr } from '../../contract/parse.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { afterCommit } from '../after-commit.ts';
import { enterFor } from '../enter-sandbox.ts';
import type { OpenFixtures } from '../fixture-source.ts';
import { jsonBody } from './json-body.ts';
import { resolveFixtures } from './resolve-fixtures.ts';

/** Request that was parsed by its operation. */
export interface ParsedRequest<Body extends z.ZodType, Query extends z.ZodType, Route extends string = string> {
  /** Path parameters by name. */
  readonly params: Readonly<Record<PathParameter<Route>, string>>;
  readonly body: z.output<Body>;
  readonly query: z.output<Query>;
  readonly request: Request;
  /** Response for setting headers, and the status if an operation has several. */
  readonly response: Response;
}

type MaybeLater<T> = T | Promise<T>;

/**
 * Registers an operation on a router: parses body and query with its contract, calls the handler, and sends the return
 * value. Fixtures that the body names are resolved first. Fails with `bad-request`, `payload-too-large`,
 * `unsupported-media-type`, `fixture-not-found`, or the error of the handler.
 */
export function serve<
  Body extends z.ZodType,
  Query extends z.ZodType,
  Reply extends ResponseKind,
  Route extends string,
>(
  router: Router,
  operation: ControlOperation<Body, Query, Reply, Route>,
  handle: (
    call: ParsedRequest<Body, Query, Route>,
  ) => MaybeLater<Reply extends z.ZodType ? ResponseBody<Reply> : unknown>,
): void {
  const { body } = operation;
  const givenSchema = body !== null && takesFixtures(body) ? body : null;
  const handler: RequestHandler = async (request, response) => {
    response.status(operation.statuses[0]);
    if (givenSchema !== null) {
      request.body = await resolveFixtures(givenSchema, request.body, findFixtures(response));
    }
    const answer = await handle(parseRequest(operation, request, response));
    if (operation.reply === null) response.end();
    else response.json(answer);
  };
  const route = router.route(expressPath(operation));
  if (body === null) route[operation.method](handler);
  else route[operation.method](jsonBody, handler);
}

/**
 * Registers an operation below a sandbox. The handler receives the sandbox in the path, and the response waits until
 * the store has written everything it could reveal. Fails with `sandbox-not-found` if the sandbox does not exist.
 */
export function serveSandbox<
  Body extends z.ZodType,
  Query extends z.ZodType,
  Reply extends ResponseKind,
  Route extends string,
>(
  router: Router,
  sandboxes: Sandboxes,
  operation: ControlOperation<Body, Query, Reply, Route>,
  handle: (
    sandbox: Sandbox,
    call: ParsedRequest<Body, Query, Route>,
  ) => MaybeLater<Reply extends z.ZodType ? ResponseBody<Reply> : unknown>,
): void {
  serve(router, operation, async (call) => {
    const sandbox = await enteredSandbox(sandboxes, call.request, call.response);
    return afterCommit(sandbox, () => handle(sandbox, call));
  });
}

/**
 * Enters the sandbox in the path until the response is sent and returns it. Throws `sandbox-not-found` or
 * `store-unavailable`.
 */
export async function enteredSandbox(sandboxes: Sandboxes, request: Request, response: Response): Promise<Sandbox> {
  const id = String(request.params['sandbox']);
  await enterFor(sandboxes, id, response);
  return sandboxes.get(id);
}

/** Parses the query and body of a request for an operation. Throws `bad-request` with every problem. */
export function parseRequest<Body extends z.ZodType, Query extends z.ZodType, Route extends string>(
  { body, query }: Pick<ControlOperation<Body, Query, ResponseKind, Route>, 'body' | 'query' | 'route'>,
  request: Request,
  response: Response,
): ParsedRequest<Body, Query, Route> {
  return {
    params: request.params as ParsedRequest<Body, Query, Route>['params'],
    query: parseOr('bad-request', query, { ...request.query }, 'query'),
    body: body === null ? (undefined as z.output<Body>) : parseOr('bad-request', body, request.body, 'body'),
    request,
    response,
  };
}

const fixturesKey = 'fixtures';

/** Makes the fixtures of the server available to the operations that take them. */
export function provideFixtures(open: OpenFixtures | undefined): RequestHandler {
  return (_request, response, next) => {
    response.locals[fixturesKey] = open;
    next();
  };
}

function findFixtures(response: Response): OpenFixtures | undefined {
  return response.locals[fixturesKey] as OpenFixtures | undefined;
}

/** Returns the path of an operation in Express syntax. */
export function expressPath({ path }: Pick<ControlOperation, 'path'>): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
