import type * as http from 'node:http';
import { createRequire } from 'node:module';
import { NudgeLabError } from '../../../core/errors.ts';
import { requestTimeoutMs } from '../../../core/limits.ts';

/**
 * Required, since an import reads all that the module exports: among it are the parts of another client, which take longer to
 * load than everything that is used here.
 */
const { Agent, request } = createRequire(import.meta.url)('node:http') as typeof http;

/** A request as the client sends it. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
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

/** How requests of one scheme are sent, and the connections that are kept for it. */
interface Transport {
  readonly request: typeof request;
  readonly agent: http.Agent;
}

const keeping = { keepAlive: true, timeout: requestTimeoutMs } as const;

/** Sends requests over connections that are kept alive; it follows no redirects and keeps no cookies. */
export class HttpClient {
  readonly #plain: Transport = { request, agent: new Agent(keeping) };
  #secure: Promise<Transport> | null = null;
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
    this.#plain.agent.destroy();
    (await this.#secure)?.agent.destroy();
  }

  #secureOne(): Promise<Transport> {
    this.#secure ??= secureTransport();
    return this.#secure;
  }

  /** One request with its answer. The length stands in the head, so that head and body are written at once. */
  async #exchange({ url, method, headers, body }: HttpRequest): Promise<HttpAnswer> {
    const transport = url.startsWith('https:') ? await this.#secureOne() : this.#plain;
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = { method, headers: { ...headers, ...length }, agent: transport.agent };
    const sent: http.ClientRequest = transport.request(url, options);
    // A connection that is used again keeps the time after which its server closes it at rest, unless it is told again.
    sent.setTimeout(requestTimeoutMs);
    sent.on('response', (response) => readAnswer(response, resolve, reject));
    sent.on('timeout', () => sent.destroy(new Error(`it has not answered within ${requestTimeoutMs} ms`)));
    sent.on('error', reject);
    sent.end(body);
    return promise;
  }
}

/** Loaded only for a server that wants it: most are asked by plain HTTP, and TLS takes longer to load than the rest. */
async function secureTransport(): Promise<Transport> {
  const { Agent: SecureAgent, request: secureRequest } = await import('node:https');
  return { request: secureRequest, agent: new SecureAgent(keeping) };
}

function readAnswer(
  response: http.IncomingMessage,
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
