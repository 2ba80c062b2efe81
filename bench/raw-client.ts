import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Unparsed response: status, head as text and body as text. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Request without the parts that are the same for every request of the connection. */
export interface RawRequest {
  readonly method: 'PATCH' | 'POST';
  readonly path: string;
  /** Header lines, each with its line end. */
  readonly headers: string;
  readonly body: string;
}

/**
 * Persistent connection that sends the next request after the previous response. With one client, every microsecond
 * of client time is part of the figure, so it only finds the end of a response by its `Content-Length`.
 */
export class RawConnection {
  readonly #socket: Socket;
  readonly #host: string;
  #received = '';
  #waiting: PromiseWithResolvers<RawAnswer> | null = null;

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (text: string) => this.#receive(text));
    socket.on('close', () => this.#waiting?.reject(new Error('The server closed the connection.')));
  }

  /** Opens a connection to the server at the given URL. */
  static async open(url: string): Promise<RawConnection> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket, host);
  }

  /** Sends a request and resolves with its response. Characters beyond Latin-1 remain undecoded bytes. */
  send({ method, path, headers, body }: RawRequest): Promise<RawAnswer> {
    this.#waiting = Promise.withResolvers<RawAnswer>();
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
      'latin1',
    );
    return this.#waiting.promise;
  }

  close(): void {
    this.#socket.removeAllListeners('close').destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = this.#received.slice(0, headEnd);
    const bodyLength = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const body = this.#received.slice(headEnd + 4);
    if (body.length < bodyLength) return;
    this.#received = '';
    this.#waiting?.resolve({ status: Number(head.slice(9, 12)), head, body });
  }
}
