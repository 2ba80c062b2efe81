import type * as http from 'node:http';
import { createRequire } from 'node:module';
import { NudgeLabError } from '../../../core/errors.ts';
import { requestTimeoutMs } from '../../../core/limits.ts';
import { getTelemetry } from '../../../core/telemetry.ts';

/**
 * The module is loaded by `require`, because an import reads all exports, including another HTTP client that takes
 * longer to load than everything used here.
 */
const { Agent, request } = createRequire(import.meta.url)('node:http') as typeof http;

/** Request to send. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  readonly url: string;
  /** Values by lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Response with its complete body. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** Request function of one URL scheme, with its persistent connections. */
interface Transport {
  readonly request: typeof request;
  readonly agent: http.Agent;
}

/**
 * Connections are closed shortly before the idle timeout of their server. A timeout other than that of requests makes
 * Node.js set the timeout again when a connection is reused.
 */
const keeping = { keepAlive: true, timeout: 2 * requestTimeoutMs } as const;

/** HTTP client with persistent connections that does not follow redirects and stores no cookies. */
export class HttpClient {
  readonly #plain: Transport = { request, agent: new Agent(keeping) };
  #secure: Promise<Transport> | null = null;
  readonly #running = new Set<Promise<HttpAnswer>>();

  /** Sends one request. Throws `server-unreachable` if no server responds. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const answer = this.#exchange(request);
    this.#running.add(answer);
    try {
      return await answer;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new NudgeLabError('server-unreachable', { message: `${new URL(request.url).origin}: ${reason}`, cause });
    } finally {
      this.#running.delete(answer);
    }
  }

  /** Closes the connections after in-flight requests have ended. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running);
    this.#plain.agent.destroy();
    (await this.#secure)?.agent.destroy();
  }

  #secureOne(): Promise<Transport> {
    this.#secure ??= secureTransport();
    return this.#secure;
  }

  /**
   * Sends one request and reads its response. The header contains the length, so header and body are written
   * together. Node.js writes a list of headers as it is, which takes half of the time of an object.
   */
  async #exchange({ url, method, headers = {}, body }: HttpRequest): Promise<HttpAnswer> {
    const address = new URL(url);
    const { hostname, port, pathname, search } = address;
    const transport = address.protocol === 'https:' ? await this.#secureOne() : this.#plain;
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    const span = getTelemetry()?.current() ?? null;
    const sent: http.ClientRequest = transport.request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: `${pathname}${search}`,
      agent: transport.agent,
      timeout: requestTimeoutMs,
      headers: Object.entries({
        host: address.host,
        ...readCredentials(address),
        ...(span === null ? {} : { traceparent: span.traceparent }),
        ...headers,
        ...statedLength(method, body),
      }).flat(),
    });
    sent.on('response', (response) => readAnswer(response, resolve, reject));
    sent.on('timeout', () => sent.destroy(new Error(`no response within ${requestTimeoutMs} ms`)));
    sent.on('error', reject);
    sent.end(body);
    return promise;
  }
}

/** Returns the header for the user and password in a URL, as of a proxy in front of a server. */
function readCredentials({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Returns the header with the length of a body. A method that usually has a body states an empty one. */
function statedLength(method: HttpRequest['method'], body = ''): Readonly<Record<string, string>> {
  const isUsual = method === 'POST' || method === 'PUT' || method === 'PATCH';
  return body === '' && !isUsual ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

/** Loads TLS on demand. Most servers use plain HTTP, and TLS takes longer to load than everything else. */
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
