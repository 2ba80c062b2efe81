import type { z } from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import { noQuery } from './control.schema.ts';

/**
 * What a success carries: JSON of a schema; `null` for an empty answer, `events` for a stream of journal entries or of progress,
 * `journey` for the lines of one, `file` for the bytes of a file.
 */
export type ResponseKind = z.ZodType | 'events' | 'journey' | 'file' | null;

/**
 * One operation of the control API, described once: routes are served by it, clients ask by it, and the OpenAPI document and the tests
 * are made from it.
 */
export interface ControlOperation<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Reply extends ResponseKind = ResponseKind,
  Route extends string = string,
> {
  /** The name under which it stands in its group; clients have a method of this name. */
  readonly id: string;
  /** The verb and the path, such as `GET /sandboxes/{sandbox}`. */
  readonly route: Route;
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  /** Under `/_control/v1`, with `{names}` of parameters. */
  readonly path: string;
  readonly summary: string;
  /** What the body may hold; `null` when none is read. */
  readonly body: Body | null;
  /** Media type of a file that the body is, in place of JSON; `null` for none. */
  readonly file: string | null;
  readonly query: Query;
  /** Headers that it takes beyond those of every operation, each with what it says. */
  readonly headers: Readonly<Record<string, string>>;
  readonly reply: Reply;
  /** Statuses of a success; the first is the usual one. */
  readonly statuses: readonly [number, ...number[]];
  /** Failures that are particular to it. */
  readonly errors: readonly ErrorCode[];
}

type Verb = ControlOperation['method'];

/** The names of the parameters in a route, such as `sandbox` and `user`. */
export type PathParameter<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

type Unnamed<Operation> = Omit<Operation, 'id'>;

interface Described<Body extends z.ZodType, Query extends z.ZodType, Reply extends ResponseKind> {
  readonly summary: string;
  readonly body?: Body;
  readonly file?: string;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly reply: Reply;
  readonly statuses?: readonly [number, ...number[]];
  readonly errors?: readonly ErrorCode[];
}

/**
 * Describes an operation.
 *
 * @param route - the verb and the path below `/_control/v1`; the names in braces become parameters of handlers and clients
 * @param described - what is particular to it; a success is 200, or 204 when there is nothing to carry. A path below a sandbox may
 *   always return `sandbox-not-found`, and `store-failed`, since responses wait for the store.
 */
export function operation<
  const Route extends `${Uppercase<Verb>} /${string}`,
  const Reply extends ResponseKind,
  Body extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = typeof noQuery,
>(route: Route, described: Described<Body, Query, Reply>): Unnamed<ControlOperation<Body, Query, Reply, Route>> {
  const [verb = '', path = ''] = route.split(' ');
  const { summary, body = null, file = null, query, headers = {}, reply, errors = [] } = described;
  const belowSandbox: readonly ErrorCode[] = path.startsWith('/sandboxes/{')
    ? ['sandbox-not-found', 'store-failed']
    : [];
  return {
    route,
    method: verb.toLowerCase() as Verb,
    path,
    summary,
    body,
    file,
    // Without a query of its own the default type argument stands, which is that of `noQuery`.
    query: query ?? (noQuery as unknown as Query),
    headers,
    reply,
    statuses: described.statuses ?? [reply === null ? 204 : 200],
    errors: [...belowSandbox, ...errors],
  };
}

/** Gives each operation of a group its key as its id. */
export function named<Group extends Readonly<Record<string, { readonly route: string }>>>(
  group: Group,
): { readonly [Id in keyof Group]: Group[Id] & { readonly id: Id } } {
  return Object.fromEntries(Object.entries(group).map(([id, one]) => [id, { id, ...one }])) as never;
}
