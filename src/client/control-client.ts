import type { z } from 'zod';
import type { analysisOperations } from '../contract/analysis-operations.ts';
import type { ControlOperation, PathParameter } from '../contract/control-operation.ts';
import type { directoryOperations, questionOperations, sandboxOperations } from '../contract/control-operations.ts';
import type { RequestBody, ResponseBody } from '../contract/control-responses.schema.ts';
import type { documentOperations } from '../contract/document-operations.ts';
import type { galleryOperations } from '../contract/gallery-operations.ts';
import type { lookupOperations } from '../contract/lookup-operations.ts';
import type { modelOperations } from '../contract/model-operations.ts';
import type { suiteOperations } from '../contract/suite-operations.ts';
import type { ErrorCode, ValidationProblem } from '../core/errors.ts';
import { controlRoutes } from './control-routes.ts';

type Operations = typeof sandboxOperations &
  typeof directoryOperations &
  typeof questionOperations &
  typeof lookupOperations &
  typeof documentOperations &
  typeof analysisOperations &
  typeof modelOperations &
  typeof suiteOperations &
  typeof galleryOperations;

/** Id of an operation of the control API. */
export type OperationId = keyof typeof controlRoutes & keyof Operations;

/** Request options other than parameters, query and body. */
interface Options {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Signal that cancels the request. */
  readonly signal?: AbortSignal | undefined;
}

type BodyPart<Body> = [Body] extends [z.ZodNever]
  ? unknown
  : undefined extends RequestBody<Body & z.ZodType>
    ? { readonly body?: RequestBody<Body & z.ZodType> }
    : { readonly body: RequestBody<Body & z.ZodType> };

type Request<Operation> =
  Operation extends ControlOperation<infer Body, infer Query, infer _Reply, infer Route>
    ? { readonly [Name in PathParameter<Route>]: string | number } & BodyPart<Body> & {
          readonly query?: z.input<Query> | undefined;
        } & Options
    : never;

/** Arguments of an operation: path parameters by name, `query` and `body`. */
export type ControlRequest<Id extends OperationId> = Request<Operations[Id]>;

type Reply<Operation> =
  Operation extends ControlOperation<infer _Body, infer _Query, infer Kind, infer _Route>
    ? Kind extends z.ZodType
      ? ResponseBody<Kind>
      : Kind extends 'journey'
        ? string
        : undefined
    : never;

/** Result of an operation: the JSON of its response, the lines of a journey as text, or nothing. */
export type ControlReply<Id extends OperationId> = Reply<Operations[Id]>;

/** Operations with a streamed response. `getUrl` returns their URL for an `EventSource`, an image or an upload. */
type Streamed = {
  [Id in OperationId]: Operations[Id] extends { readonly reply: 'events' | 'file' } ? Id : never;
}[OperationId];

type Call<Id extends OperationId> =
  Record<never, never> extends ControlRequest<Id>
    ? (request?: ControlRequest<Id>) => Promise<ControlReply<Id>>
    : (request: ControlRequest<Id>) => Promise<ControlReply<Id>>;

/** Client with one method per operation of the control API, named by the operation id. */
export type ControlClient = {
  readonly [Id in Exclude<OperationId, Streamed | 'uploadDocument'>]: Call<Id>;
} & {
  /** Returns the unprocessed response of an operation, with any status. */
  exchange<Id extends OperationId>(id: Id, request: ControlRequest<Id>): Promise<ReceivedResponse>;
  /** Returns the URL of an operation, including its query. */
  getUrl<Id extends OperationId>(id: Id, request: Omit<ControlRequest<Id>, 'body' | keyof Options>): string;
};

/** Request to send. */
export interface SentRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Unprocessed response. Header names are in lower case. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** Function that sends a request. It rejects only if there is no response. */
export type Send = (request: SentRequest) => Promise<ReceivedResponse>;

/** Options of a control client. */
export interface ControlClientOptions {
  /**
   * URL of the server, such as `http://localhost:4700`, or of its control API; empty in a page served by the same
   * server.
   */
  readonly url: string;
  /** Control key, if the server requires one. */
  readonly controlKey?: string | undefined;
  /** Function that sends requests. The default is `fetch`. */
  readonly send?: Send | undefined;
  /** Function that creates the error to throw for a rejected request. The default is to throw the `ControlError`. */
  readonly toError?: ((refused: ControlError) => Error) | undefined;
}

/** Error object returned by the control API. */
export interface ControlRefusal {
  readonly code: ErrorCode;
  readonly title: string;
  readonly message: string;
  readonly action: string;
  readonly problems: readonly ValidationProblem[];
  readonly requestId: string;
}

/** Error for an unsuccessful response of the control API. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  /** Error code and details from the server; `null` if the response does not come from a control API. */
  readonly refusal: ControlRefusal | null;

  /**
   * Creates the error of an unsuccessful response.
   *
   * @param operation - request, such as `GET /sandboxes/x`
   * @param status - HTTP status
   * @param text - unprocessed body
   */
  constructor(operation: string, status: number, text: string) {
    const refusal = refusalIn(text);
    super(`${operation} returned ${status}: ${refusal?.message ?? (text === '' ? 'nothing' : text)}`);
    this.status = status;
    this.refusal = refusal;
  }

  /** Stable error code; `null` if the response does not come from a control API. */
  get code(): ErrorCode | null {
    return this.refusal?.code ?? null;
  }
}

const controlPath = '/_control/v1';

/**
 * Creates a client for the control API of a server, with one method per operation.
 *
 * @param options - URL of the server, and the control key if the server requires one
 * @returns the client; its methods throw `ControlError` for every unsuccessful response, and any error of `send`
 * @example
 * const api = controlClient({ url: 'http://localhost:4700' });
 * await api.putSnooze({ sandbox: 'default', user: 'ada', body: { count: 2 } });
 * const { nudgeStatus } = await api.getUser({ sandbox: 'default', user: 'ada' });
 */
export function controlClient({ url, controlKey, send, toError }: ControlClientOptions): ControlClient {
  const sender: Send = send ?? byFetch;
  const server = url.endsWith('/') ? url.slice(0, -1) : url;
  const base = server.endsWith(controlPath) ? server : `${server}${controlPath}`;
  const key: Readonly<Record<string, string>> =
    controlKey === undefined ? {} : { authorization: `Bearer ${controlKey}` };
  const getUrl = (id: OperationId, request: AnyRequest): string => `${base}${formatPath(controlRoutes[id], request)}`;
  const exchange = (id: OperationId, request: AnyRequest): Promise<ReceivedResponse> => {
    const { body, headers, signal } = request;
    return sender({
      method: getMethod(controlRoutes[id]),
      url: getUrl(id, request),
      headers: { ...key, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
  };
  const call = async (id: OperationId, request: AnyRequest = {}): Promise<unknown> => {
    const response = await exchange(id, request);
    const { status, text } = response;
    if (status < 200 || status > 299) {
      const route = controlRoutes[id];
      const refused = new ControlError(`${getMethod(route)} ${formatPath(route, request)}`, status, text);
      throw toError?.(refused) ?? refused;
    }
    if (text === '') return undefined;
    return isJson(response) ? JSON.parse(text) : text;
  };
  const calls = (Object.keys(controlRoutes) as OperationId[]).map((id) => [
    id,
    (request?: AnyRequest) => call(id, request),
  ]);
  return Object.assign(Object.fromEntries(calls), { exchange, getUrl }) as ControlClient;
}

interface AnyRequest extends Options {
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly [parameter: string]: unknown;
}

function getMethod(route: string): SentRequest['method'] {
  return route.slice(0, route.indexOf(' ')) as SentRequest['method'];
}

function formatPath(route: string, request: AnyRequest): string {
  const path = route
    .slice(route.indexOf(' ') + 1)
    .replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(request[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Checks whether a response is JSON. JSON Lines count as text. */
function isJson({ headers }: ReceivedResponse): boolean {
  return /^application\/json(;|$)/.test(String(headers['content-type'] ?? ''));
}

function refusalIn(text: string): ControlRefusal | null {
  try {
    const { error } = JSON.parse(text) as { readonly error?: Partial<ControlRefusal> };
    return typeof error?.code === 'string' ? (error as ControlRefusal) : null;
  } catch {
    return null;
  }
}

async function byFetch({ url, signal, ...request }: SentRequest): Promise<ReceivedResponse> {
  const response = await fetch(url, { ...request, signal: signal ?? null });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}
