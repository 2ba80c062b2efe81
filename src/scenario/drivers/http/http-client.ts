import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { NudgeLabError } from '../../../core/errors.ts';
import { requestTimeoutMs } from '../../../core/limits.ts';

/** A request as the client sends it. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer with its whole body. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** Sends requests over connections that are kept alive; it follows no redirects and keeps no cookies. */
export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true, timeout: requestTimeoutMs });
  readonly #running = new Set<Promise<HttpAnswer>>();

  /** Sends one request. Throws `server-unreachable` when nothing answers. */
  async send(asked: HttpRequest): Promise<HttpAnswer> {
    const answer = this.#exchange(asked);
    this.#running.add(answer);
    try {
      return await answer;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new NudgeLabError('server-unreachable', { message: `${new URL(asked.url).origin}: ${reason}`, cause });
    } finally {
      this.#running.delete(answer);
    }
  }

  /** Closes the connections once running requests have ended. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running);
    this.#agent.destroy();
  }

  /** One request with its answer. The length stands in the head, so that head and body are written at once. */
  #exchange({ url, method, headers, body }: HttpRequest): Promise<HttpAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent: ClientRequest = request(url, { method, headers: { ...headers, ...length }, agent: this.#agent });
    sent.on('response', (response) => readAnswer(response, resolve, reject));
    sent.on('timeout', () => sent.destroy(new Error(`it has not answered within ${requestTimeoutMs} ms`)));
    sent.on('error', reject);
    sent.end(body);
    return promise;
  }
}

function readAnswer(
  response: IncomingMessage,
  resolve: (answer: HttpAnswer) => void,
  reject: (cause: Error) => void,
): void {
  const { statusCode: status = 0, headers } = response;
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (part: string) => {
    text += part;
  });
  response.on('end', () => resolve({ status, headers, text }));
  response.on('error', reject);
}
