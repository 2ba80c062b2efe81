import { Agent, request } from 'undici';
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
  readonly #agent = new Agent({ headersTimeout: requestTimeoutMs, bodyTimeout: requestTimeoutMs });

  /** Sends one request. Throws `server-unreachable` when nothing answers. */
  async send({ url, ...options }: HttpRequest): Promise<HttpAnswer> {
    try {
      const { statusCode, headers, body } = await request(url, { ...options, dispatcher: this.#agent });
      return { status: statusCode, headers, text: await body.text() };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new NudgeLabError('server-unreachable', { message: `${new URL(url).origin}: ${reason}`, cause });
    }
  }

  /** Closes the connections once running requests have ended. */
  close(): Promise<void> {
    return this.#agent.close();
  }
}
