import type { OnReadOpts, Socket } from 'node:net';
import { HTTPParser } from 'http-parser-js';
import { requestTimeoutMs } from '../../../core/limits.ts';

/** Response with its complete body. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** Request without a complete response. */
interface Exchange {
  readonly isHead: boolean;
  readonly resolve: (answer: HttpAnswer) => void;
  readonly reject: (cause: Error) => void;
}

/** Response without its complete body. */
interface Begun {
  readonly status: number;
  readonly headers: HttpAnswer['headers'];
  readonly parts: Buffer[];
  /** True if the connection can carry another request after this response. */
  readonly canContinue: boolean;
}

/** Bytes of headers outside ASCII are Latin-1, as in Node.js. */
HTTPParser.encoding = 'latin1';

/**
 * Persistent HTTP/1.1 connection that carries one request at a time. The HTTP client of Node.js takes twice the processor
 * time for the few hundred requests of a run, because it prepares each for streams and events that are not used here.
 */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #parser = new HTTPParser(HTTPParser.RESPONSE);
  #exchange: Exchange | null = null;
  #begun: Begun | null = null;

  /**
   * Opens a connection.
   *
   * @param open - opens its socket, and lets it store incoming bytes as described
   */
  constructor(open: (reading: OnReadOpts) => Socket) {
    const buffer = Buffer.allocUnsafeSlow(readBytesMax);
    const socket = open({ buffer, callback: (byteCount) => this.#read(buffer, byteCount) });
    this.#socket = socket;
    const parser = this.#parser;
    parser.parseHeader = (line, headers) => {
      // The parser would skip such a line, which can also be content after a chunk of unknown size.
      if (!/^[^:\s]+:/.test(line)) throw new Error('a header line has no name');
      HTTPParser.prototype.parseHeader.call(parser, line, headers);
    };
    parser[HTTPParser.kOnHeadersComplete] = (head) => this.#begin(head);
    parser[HTTPParser.kOnBody] = (part) => {
      // The next bytes are stored in the same place.
      this.#begun?.parts.push(Buffer.from(part));
    };
    parser[HTTPParser.kOnMessageComplete] = () => this.#finish();
    let cause = new Error('the connection was closed before the response was complete');
    socket.on('end', () => void parser.finish());
    socket.on('timeout', () => socket.destroy(this.#exchange === null ? undefined : lateResponse()));
    socket.on('error', (error) => {
      cause = error;
    });
    socket.on('close', () => this.#exchange?.reject(cause));
  }

  /** True if the connection has not been closed. */
  get isOpen(): boolean {
    return this.#socket.writable;
  }

  /** True if the connection can carry another request now. */
  get isIdle(): boolean {
    return this.isOpen && this.#exchange === null;
  }

  /** Sends a request and returns its response. Rejects if the connection breaks or no response arrives in time. */
  send(request: Buffer, isHead: boolean): Promise<HttpAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    this.#exchange = { isHead, resolve, reject };
    // Whatever the server has sent after the last response is dropped.
    this.#parser.initialize(HTTPParser.RESPONSE);
    this.#socket.ref();
    this.#socket.setTimeout(requestTimeoutMs);
    this.#socket.write(request);
    return promise;
  }

  /** Closes the connection. */
  close(): void {
    this.#socket.destroy();
  }

  /** Reads bytes that have arrived. Returns true, so that the socket goes on. */
  #read(buffer: Buffer, byteCount: number): boolean {
    let cause: unknown = null;
    try {
      const isExpected = this.#exchange !== null;
      cause = isExpected ? this.#parser.execute(buffer, 0, byteCount) : new Error('nothing was requested');
    } catch (error) {
      cause = error;
    }
    if (cause instanceof Error) this.#socket.destroy(new Error('the response is not valid HTTP', { cause }));
    return true;
  }

  /** Begins a response. Returns 1 if no body follows, although the headers can describe one. */
  #begin({ statusCode: status, headers: list, shouldKeepAlive: canContinue }: ResponseHead): number {
    const headers = readHeaders(list);
    checkLength(headers);
    this.#begun = { status, headers, parts: [], canContinue };
    return this.#exchange?.isHead === true || status === noContent || status === notModified ? 1 : 0;
  }

  /** Ends a response. More than one response to a request is a fault of the server. */
  #finish(): void {
    const [begun, exchange] = [this.#begun, this.#exchange];
    if (begun === null || exchange === null) return this.close();
    const { status, headers, parts, canContinue } = begun;
    if (status < firstFinalStatus) return;
    this.#exchange = null;
    exchange.resolve({ status, headers, text: Buffer.concat(parts).toString('utf8') });
    this.#rest(canContinue ? idleTimeMs(headers) : 0);
  }

  /** Keeps the connection for the next request, unless the time is 0 or the server may never read the rest of this one. */
  #rest(idleMs: number): void {
    if (idleMs <= 0 || this.#socket.writableLength > 0) return this.close();
    this.#socket.setTimeout(idleMs);
    this.#socket.unref();
  }
}

/** What the parser says about a response before its body. */
interface ResponseHead {
  readonly statusCode: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly shouldKeepAlive: boolean;
}

/** Size of the buffer of a connection. Node.js allocates as much for each read of a socket without one. */
const readBytesMax = 65_536;
const firstFinalStatus = 200;
const noContent = 204;
const notModified = 304;
const msPerSecond = 1_000;

function lateResponse(): Error {
  return new Error(`no response within ${requestTimeoutMs} ms`);
}

/** Returns how long an idle connection is kept: until shortly before the server closes it, if the server says when. */
function idleTimeMs({ 'keep-alive': hint }: HttpAnswer['headers']): number {
  const seconds = /\btimeout=(\d+)/.exec(String(hint))?.[1];
  return seconds === undefined ? requestTimeoutMs : Math.min((Number(seconds) - 1) * msPerSecond, requestTimeoutMs);
}

/** Headers of which the first one counts, as in Node.js. */
const singleHeaders: ReadonlySet<string> = new Set([
  'content-length',
  'content-type',
  'etag',
  'location',
  'retry-after',
]);

/** Returns headers by lower-case names. Cookies stay a list, and other repeated headers are joined. */
function readHeaders(list: readonly string[]): HttpAnswer['headers'] {
  const headers: Record<string, string | string[]> = Object.create(null);
  for (let index = 0; index < list.length; index += 2) {
    const [name, value] = [String(list[index]).toLowerCase(), String(list[index + 1])];
    const earlier = headers[name];
    if (name === 'set-cookie') headers[name] = [...(earlier ?? []), value];
    else if (earlier === undefined) headers[name] = value;
    else if (!singleHeaders.has(name)) headers[name] = `${earlier}, ${value}`;
  }
  return headers;
}

/** Throws if the end of a body cannot be known from its headers, which the parser does not notice. */
function checkLength({
  'content-length': length = '0',
  'transfer-encoding': coding = 'chunked',
}: HttpAnswer['headers']): void {
  if (!/^\d+$/.test(String(length))) throw new Error('the length of the body is not a number');
  if (String(coding).toLowerCase() !== 'chunked') throw new Error('the body has an unknown transfer coding');
}
