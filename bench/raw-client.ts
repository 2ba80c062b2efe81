import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An answer as it came: status, head as text, body as text. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A request, but for what every request of the connection has. */
export interface RawRequest {
  readonly method: 'PATCH' | 'POST';
  readonly path: string;
  /** Lines of the head, each with its line end. */
  readonly headers: string;
  readonly body: string;
}

/**
 * One kept connection that sends a request when the answer before has come. With one client every µs that the client takes is
 * part of the figure, so it does no more than find the end of an answer, by its `Content-Length`.
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

  /** Opens a connection to the server of an address. */
  static async open(url: string): Promise<RawConnection> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket, host);
  }

  /** Sends a request and resolves with its answer. Characters beyond Latin-1 stay the bytes that they came as. */
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
