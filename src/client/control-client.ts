import type { z } from 'zod';
import type { analysisOperations } from '../contract/analysis-operations.ts';
import type { ControlOperation, FileBody, PathParameter, StreamReply } from '../contract/control-operation.ts';
import type { directoryOperations, questionOperations, sandboxOperations } from '../contract/control-operations.ts';
import type { errorResponse, RequestBody, ResponseBody } from '../contract/control-responses.schema.ts';
import type { documentOperations } from '../contract/document-operations.ts';
import type { galleryOperations } from '../contract/gallery-operations.ts';
import type { lookupOperations } from '../contract/lookup-operations.ts';
import type { modelOperations } from '../contract/model-operations.ts';
import type { rulesetOperations } from '../contract/ruleset-operations.ts';
import type { suiteOperations } from '../contract/suite-operations.ts';
import type { ErrorCode } from '../core/errors.ts';
import { controlRoutes, streamedReplies, uploadTypes } from './control-routes.ts';
import { cancelUnread, type ParsePart, readEvents, readLines, readText } from './read-stream.ts';

type Operations = typeof sandboxOperations &
  typeof directoryOperations &
  typeof questionOperations &
  typeof lookupOperations &
  typeof documentOperations &
  typeof analysisOperations &
  typeof modelOperations &
  typeof suiteOperations &
  typeof galleryOperations &
  typeof rulesetOperations;

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

/** File to upload. A stream is sent as it is read. */
export type UploadedFile = Blob | ReadableStream<Uint8Array>;

type FilePart<File> =
  File extends FileBody<infer Progress>
    ? {
        readonly file: UploadedFile;
        /** Receives the progress of the server while it reads the file. */
        readonly onProgress?: ((progress: ResponseBody<Progress>) => void) | undefined;
      }
    : unknown;

type Request<Operation> =
  Operation extends ControlOperation<infer Body, infer Query, infer _Reply, infer Route, infer File>
    ? { readonly [Name in PathParameter<Route>]: string | number } & BodyPart<Body> &
        FilePart<File> & { readonly query?: z.input<Query> | undefined } & Options
    : never;

/** Arguments of an operation: path parameters by name, `query`, and `body` or `file`. */
export type ControlRequest<Id extends OperationId> = Request<Operations[Id]>;

type Reply<Operation> = Operation extends { readonly reply: infer Kind }
  ? Kind extends z.ZodType
    ? ResponseBody<Kind>
    : Kind extends StreamReply<infer Item>
      ? AsyncGenerator<ResponseBody<Item>, void>
      : Kind extends 'file'
        ? Blob
        : undefined
  : never;

/**
 * Result of an operation: the JSON of its response, the values of a stream as they arrive, the bytes of a file, or
 * nothing.
 */
export type ControlReply<Id extends OperationId> = Reply<Operations[Id]>;

type Call<Id extends OperationId> =
  Record<never, never> extends ControlRequest<Id>
    ? (request?: ControlRequest<Id>) => Promise<ControlReply<Id>>
    : (request: ControlRequest<Id>) => Promise<ControlReply<Id>>;

/** Client with one method per operation of the control API, named by the operation id. */
export type ControlClient = {
  readonly [Id in OperationId]: Call<Id>;
} & {
  /** Returns the unprocessed response of an operation, with any status. */
  exchange<Id extends OperationId>(id: Id, request: ControlRequest<Id>): Promise<ReceivedResponse>;
  /** Returns the text of a successful response as it arrives. */
  readText<Id extends OperationId>(id: Id, request: ControlRequest<Id>): Promise<AsyncGenerator<string, void>>;
  /** Returns the URL of an operation, including its query, for a link or an image. */
  getUrl<Id extends OperationId>(id: Id, request: Omit<ControlRequest<Id>, 'body' | 'file' | keyof Options>): string;
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
  /** Function that sends uploads and requests with a streamed response. The default is `fetch`. */
  readonly open?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Function that creates the error to throw for a rejected request. The default is to throw the `ControlError`. */
  readonly toError?: ((refused: ControlError) => Error) | undefined;
}

/** Error object returned by the control API. */
export type ControlRefusal = ResponseBody<typeof errorResponse>['error'] & { readonly code: ErrorCode };

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
   * @param options - cause of the error, if the body could not be parsed
   */
  constructor(operation: string, status: number, text: string, options?: ErrorOptions) {
    const refusal = refusalIn(text);
    super(`${operation} returned ${status}: ${refusal?.message ?? (text === '' ? 'nothing' : text)}`, options);
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
 * for await (const { event } of await api.streamEvents({ sandbox: 'default' })) if (event.type === 'prompt.skipped') break;
 */
export function controlClient(options: ControlClientOptions): ControlClient {
  const connection = new Connection(options);
  const methods = (Object.keys(controlRoutes) as OperationId[]).map((id) => [
    id,
    (request: AnyRequest = {}) => connection.call(id, request),
  ]);
  const raw: Pick<Connection, 'exchange' | 'getUrl' | 'readText'> = {
    exchange: (id, request) => connection.exchange(id, request),
    getUrl: (id, request) => connection.getUrl(id, request),
    readText: (id, request) => connection.readText(id, request),
  };
  return Object.assign(Object.fromEntries(methods), raw) as ControlClient;
}

/** Sends the requests of a client. The types of its methods are those of `ControlClient`. */
class Connection {
  readonly #base: string;
  readonly #key: Readonly<Record<string, string>>;
  readonly #send: Send;
  readonly #open: NonNullable<ControlClientOptions['open']>;
  readonly #toError: ControlClientOptions['toError'];

  constructor({ url, controlKey, send, open, toError }: ControlClientOptions) {
    const server = url.endsWith('/') ? url.slice(0, -1) : url;
    this.#base = server.endsWith(controlPath) ? server : `${server}${controlPath}`;
    this.#key = controlKey === undefined ? {} : { authorization: `Bearer ${controlKey}` };
    this.#send = send ?? byFetch;
    this.#open = open ?? ((address, init) => fetch(address, init));
    this.#toError = toError;
  }

  getUrl(id: OperationId, request: AnyRequest): string {
    return `${this.#base}${formatPath(controlRoutes[id], request)}`;
  }

  exchange(id: OperationId, request: AnyRequest): Promise<ReceivedResponse> {
    const { body, headers, signal } = request;
    return this.#send({
      method: getMethod(controlRoutes[id]),
      url: this.getUrl(id, request),
      headers: { ...this.#key, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
  }

  async readText(id: OperationId, request: AnyRequest): Promise<AsyncGenerator<string, void>> {
    const response = await this.#connect(id, request);
    return cancelUnread(response, readText(response));
  }

  call(id: OperationId, request: AnyRequest): Promise<unknown> {
    if (isKey(id, uploadTypes)) return this.#upload(id, request);
    return isKey(id, streamedReplies) ? this.#stream(id, request) : this.#exchangeJson(id, request);
  }

  async #exchangeJson(id: OperationId, request: AnyRequest): Promise<unknown> {
    const { status, text } = await this.exchange(id, request);
    if (status < 200 || status > 299) throw this.#refuse(id, request, status, text);
    if (text === '') return undefined;
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw this.#refuse(id, request, status, text, { cause });
    }
  }

  async #stream(id: keyof typeof streamedReplies, request: AnyRequest): Promise<unknown> {
    const response = await this.#connect(id, request);
    switch (streamedReplies[id]) {
      case 'events':
        return cancelUnread(response, readEvents(response, this.#parser(id, request, response)));
      case 'lines':
        return cancelUnread(response, readLines(response, this.#parser(id, request, response)));
      case 'file':
        return response.blob();
    }
  }

  async #upload(id: keyof typeof uploadTypes, request: AnyRequest): Promise<unknown> {
    const media = { 'content-type': uploadTypes[id], accept: 'application/x-ndjson' };
    const response = await this.#connect(id, request, media);
    for await (const line of readLines(response, this.#parser(id, request, response))) {
      if (typeof line !== 'object' || line === null) break;
      if ('error' in line) throw this.#refuse(id, request, response.status, JSON.stringify(line));
      if (!('progress' in line)) return Object.values(line)[0];
      request.onProgress?.(line.progress);
    }
    throw this.#refuse(id, request, response.status, '');
  }

  /** Creates the parser of a stream. It reports a part that is not JSON like a response that is not JSON. */
  #parser(id: OperationId, request: AnyRequest, { status }: Response): ParsePart {
    return (text) => {
      try {
        return JSON.parse(text);
      } catch (cause) {
        throw this.#refuse(id, request, status, text, { cause });
      }
    };
  }

  /** Sends an upload or a request with a streamed response. Returns a successful response unread. */
  async #connect(id: OperationId, request: AnyRequest, media = {}): Promise<Response> {
    const { file, headers, signal } = request;
    const response = await this.#open(this.getUrl(id, request), {
      method: getMethod(controlRoutes[id]),
      headers: { ...this.#key, ...media, ...headers },
      // `fetch` requires `duplex` for a stream.
      ...(file === undefined ? {} : { body: file, duplex: 'half' as const }),
      signal: signal ?? null,
    });
    if (!response.ok) throw this.#refuse(id, request, response.status, await response.text());
    return response;
  }

  #refuse(id: OperationId, request: AnyRequest, status: number, text: string, options?: ErrorOptions): Error {
    const route = controlRoutes[id];
    const error = new ControlError(`${getMethod(route)} ${formatPath(route, request)}`, status, text, options);
    return this.#toError?.(error) ?? error;
  }
}

interface AnyRequest extends Options {
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly file?: UploadedFile;
  readonly onProgress?: (progress: unknown) => void;
  readonly [parameter: string]: unknown;
}

function isKey<Table extends object>(key: PropertyKey, table: Table): key is keyof Table {
  return Object.hasOwn(table, key);
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
