import type { Socket } from 'node:net';
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
  readonly parser: InstanceType<typeof HTTPParser>;
  readonly reject: (cause: Error) => void;
}

/** Bytes of headers outside ASCII are Latin-1, as in Node.js. */
HTTPParser.encoding = 'latin1';

/**
 * Persistent HTTP/1.1 connection that carries one request at a time. The HTTP client of Node.js takes twice the processor
 * time for the few hundred requests of a run, because it prepares each for streams and events that are not used here.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #exchange: Exchange | null = null;

  /** Creates a connection on a socket that is connected or connecting. */
  constructor(socket: Socket) {
    this.#socket = socket;
    let cause = new Error('the connection was closed before the response was complete');
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('end', () => void this.#exchange?.parser.finish());
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
    const parser = new HTTPParser(HTTPParser.RESPONSE);
    this.#exchange = { parser, reject };
    let answer: Omit<HttpAnswer, 'text'> = { status: 0, headers: {} };
    let canContinue = false;
    const parts: Buffer[] = [];
    parser[HTTPParser.kOnHeadersComplete] = ({ statusCode: status, headers, shouldKeepAlive }) => {
      answer = { status, headers: joinHeaders(headers) };
      canContinue = shouldKeepAlive;
      // The headers of these responses can state the length of a body that does not follow.
      return isHead ? 1 : 0;
    };
    parser[HTTPParser.kOnBody] = (part) => {
      parts.push(part);
    };
    parser[HTTPParser.kOnMessageComplete] = () => {
      if (answer.status < firstFinalStatus) return;
      // More than one response to a request is a fault of the server.
      this.#rest(canContinue && this.#exchange?.parser === parser ? idleTimeMs(answer.headers) : 0);
      resolve({ ...answer, text: Buffer.concat(parts).toString('utf8') });
    };
    this.#socket.ref();
    this.#socket.setTimeout(requestTimeoutMs);
    this.#socket.write(request);
    return promise;
  }

  /** Closes the connection. */
  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const result = this.#exchange?.parser.execute(chunk) ?? new Error('nothing was requested');
    if (result instanceof Error) this.#socket.destroy(new Error('the response is not valid HTTP', { cause: result }));
  }

  /** Keeps the connection for the next request, unless the time is 0. */
  #rest(idleMs: number): void {
    this.#exchange = null;
    if (idleMs <= 0) return this.close();
    this.#socket.setTimeout(idleMs);
    this.#socket.unref();
  }
}

const firstFinalStatus = 200;
const msPerSecond = 1_000;

function lateResponse(): Error {
  return new Error(`no response within ${requestTimeoutMs} ms`);
}

/** Returns how long an idle connection is kept: until shortly before the server closes it, if the server says when. */
function idleTimeMs({ 'keep-alive': hint }: HttpAnswer['headers']): number {
  const seconds = /\btimeout=(\d+)/.exec(String(hint))?.[1];
  return seconds === undefined ? requestTimeoutMs : (Number(seconds) - 1) * msPerSecond;
}

/** Returns headers by lower-case names. Cookies stay a list, and other repeated headers are joined. */
function joinHeaders(list: readonly string[]): HttpAnswer['headers'] {
  const headers: Record<string, string | string[]> = {};
  for (let index = 0; index < list.length; index += 2) {
    const [name, value] = [String(list[index]).toLowerCase(), String(list[index + 1])];
    const earlier = headers[name];
    if (name === 'set-cookie') headers[name] = [...(earlier ?? []), value];
    else headers[name] = earlier === undefined ? value : `${earlier}, ${value}`;
  }
  return headers;
}
