import type { OnReadOpts, Socket } from 'node:net';
import { requestTimeoutMs } from '../../../core/limits.ts';
import { type HttpAnswer, ResponseReader } from './response-reader.ts';

/** Request without a complete response. */
interface Exchange {
  readonly reader: ResponseReader;
  readonly resolve: (answer: HttpAnswer) => void;
  readonly reject: (cause: Error) => void;
}

/**
 * Persistent HTTP/1.1 connection that carries one request at a time. The HTTP client of Node.js takes twice the processor
 * time for the few hundred requests of a run, because it prepares each for streams and events that are not used here.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #exchange: Exchange | null = null;

  /**
   * Opens a connection.
   *
   * @param open - opens its socket, and lets it store incoming bytes as described
   */
  constructor(open: (reading: OnReadOpts) => Socket) {
    const buffer = Buffer.allocUnsafeSlow(readBytesMax);
    const socket = open({ buffer, callback: (byteCount) => this.#read(buffer.subarray(0, byteCount)) });
    this.#socket = socket;
    let cause = new Error('the connection was closed before the response was complete');
    socket.on('end', () => this.#end());
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
    this.#exchange = { reader: new ResponseReader(isHead), resolve, reject };
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
  #read(bytes: Buffer): boolean {
    // Whatever a server sends without a request is a fault of the server.
    if (this.#exchange === null) this.close();
    try {
      this.#exchange?.reader.read(bytes);
      this.#finish();
    } catch (cause) {
      this.#socket.destroy(new Error('the response is not valid HTTP', { cause }));
    }
    return true;
  }

  #end(): void {
    this.#exchange?.reader.end();
    this.#finish();
  }

  /** Resolves the promise of a response that is complete. */
  #finish(): void {
    if (this.#exchange?.reader.isComplete !== true) return;
    const { reader, resolve } = this.#exchange;
    this.#exchange = null;
    const answer = reader.answer();
    resolve(answer);
    this.#rest(reader.canContinue ? idleTimeMs(answer.headers) : 0);
  }

  /** Keeps the connection for the next request, unless the time is 0 or the server may never read the rest of this one. */
  #rest(idleMs: number): void {
    if (idleMs <= 0 || this.#socket.writableLength > 0) return this.close();
    this.#socket.setTimeout(idleMs);
    this.#socket.unref();
  }
}

/** Size of the buffer of a connection. Node.js allocates as much for each read of a socket without one. */
const readBytesMax = 65_536;
const msPerSecond = 1_000;

function lateResponse(): Error {
  return new Error(`no response within ${requestTimeoutMs} ms`);
}

/** Returns how long an idle connection is kept: until shortly before the server closes it, if the server says when. */
function idleTimeMs({ 'keep-alive': hint }: HttpAnswer['headers']): number {
  const seconds = /\btimeout=(\d+)/.exec(String(hint))?.[1];
  return seconds === undefined ? requestTimeoutMs : Math.min((Number(seconds) - 1) * msPerSecond, requestTimeoutMs);
}
