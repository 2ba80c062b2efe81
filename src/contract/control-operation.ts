import { z } from 'zod';
import type { ErrorCode } from '../core/errors.ts';

const noQuery = z.strictObject({});

/** Streamed response of JSON values: server-sent events, or one value per line (NDJSON). */
export interface StreamReply<Item extends z.ZodType = z.ZodType> {
  readonly stream: 'events' | 'lines';
  /** Schema of each value. */
  readonly item: Item;
  /** Description of the stream in the OpenAPI document. */
  readonly description: string;
}

/**
 * Content of a successful response: a schema for JSON, a stream of values, `file` for the bytes of a file, or `null` for
 * an empty body.
 */
export type ResponseKind = z.ZodType | StreamReply | 'file' | null;

/**
 * Request body that is a file. Clients that accept NDJSON receive a line `{progress}` at each step, and on the last line
 * the result under the name of its resource, or `{error}`.
 */
export interface FileBody<Progress extends z.ZodType = z.ZodType> {
  readonly mediaType: string;
  readonly progress: Progress;
}

/** Operation of the control API that its group has not named yet. */
export interface UnnamedOperation<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Reply extends ResponseKind = ResponseKind,
  Route extends string = string,
  File extends FileBody | null = FileBody | null,
> {
  /** HTTP method and path, such as `GET /sandboxes/{sandbox}`. */
  readonly route: Route;
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  /** Path below `/_control/v1`, with parameters as `{names}`. */
  readonly path: string;
  readonly summary: string;
  /** Schema of the request body. `null` if the operation reads no body. */
  readonly body: Body | null;
  /** File in the request body instead of JSON. `null` if the body is not a file. */
  readonly file: File;
  readonly query: Query;
  /** Descriptions of the request headers that only this operation supports, by header name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly reply: Reply;
  /** Success status codes. The first one is the most common. */
  readonly statuses: readonly [number, ...number[]];
  /** Error codes that are specific to the operation. */
  readonly errors: readonly ErrorCode[];
}

/**
 * Operation of the control API. The routes, the clients, the OpenAPI document, and the tests all derive from this
 * description.
 */
export interface ControlOperation<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Reply extends ResponseKind = ResponseKind,
  Route extends string = string,
  File extends FileBody | null = FileBody | null,
> extends UnnamedOperation<Body, Query, Reply, Route, File> {
  /** Name of the operation in its group. Clients have a method of the same name. */
  readonly id: string;
}

type Verb = ControlOperation['method'];

/** Names of the parameters in a route, such as `sandbox` and `user`. */
export type PathParameter<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

interface Described<Body, Query, Reply, File> {
  readonly summary: string;
  readonly body?: Body;
  readonly file?: File;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly reply: Reply;
  readonly statuses?: readonly [number, ...number[]];
  readonly errors?: readonly ErrorCode[];
}

/**
 * Describes an operation.
 *
 * @param route - HTTP method and path below `/_control/v1`; names in braces become parameters of handlers and clients
 * @param described - properties specific to this operation. The success status defaults to 200, or to 204 if there is
 *   no response body. Paths below a sandbox can always return `sandbox-not-found`, and `store-failed` because responses
 *   wait for the store.
 */
export function operation<
  const Route extends `${Uppercase<Verb>} /${string}`,
  const Reply extends ResponseKind,
  Body extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = typeof noQuery,
  File extends FileBody | null = null,
>(route: Route, described: Described<Body, Query, Reply, File>): UnnamedOperation<Body, Query, Reply, Route, File> {
  const [verb = '', path = ''] = route.split(' ');
  const { summary, body = null, query, headers = {}, reply, errors = [] } = described;
  const belowSandbox: readonly ErrorCode[] = path.startsWith('/sandboxes/{')
    ? ['sandbox-not-found', 'store-failed']
    : [];
  return {
    route,
    method: verb.toLowerCase() as Verb,
    path,
    summary,
    body,
    // Without a file or a query, the default type argument applies: `null`, and the type of `noQuery`.
    file: described.file ?? (null as File),
    query: query ?? (noQuery as unknown as Query),
    headers,
    reply,
    statuses: described.statuses ?? [reply === null ? 204 : 200],
    errors: [...belowSandbox, ...errors],
  };
}

/** Checks whether a response is a stream of values. */
export function isStream(reply: ResponseKind): reply is StreamReply {
  return reply !== null && typeof reply === 'object' && 'stream' in reply;
}

/** Sets the id of each operation in a group to its key. */
export function named<Group extends Readonly<Record<string, { readonly route: string }>>>(
  group: Group,
): { readonly [Id in keyof Group]: Group[Id] & { readonly id: Id } } {
  return Object.fromEntries(Object.entries(group).map(([id, one]) => [id, { id, ...one }])) as never;
}
