import { NudgeLabError } from '../../../core/errors.ts';
import { isPlainObject } from '../../../core/merge-patch.ts';
import { withoutEnd } from '../../../core/text-end.ts';
import type { Observation } from '../../driver.ts';
import { type HttpAnswer, HttpClient, type HttpRequest } from './http-client.ts';

/** Asks the control API of a server: JSON in, JSON out. */
export class ControlClient {
  readonly #client: HttpClient;
  readonly #controlUrl: string;
  readonly #key: Readonly<Record<string, string>>;

  /** Takes the connections, the address of the control API, without a slash at the end, and the access key, if any. */
  constructor(client: HttpClient, controlUrl: string, controlKey?: string) {
    this.#client = client;
    this.#controlUrl = controlUrl;
    this.#key = controlKey === undefined ? {} : { authorization: `Bearer ${controlKey}` };
  }

  /** Sends a request whose refusal is an answer too. */
  async observe(method: HttpRequest['method'], path: string, body?: unknown): Promise<Observation> {
    const answer = await this.#send(method, path, body);
    return { status: answer.status, body: jsonOf(answer) };
  }

  /** Sends a request and returns its answer. Throws `driver-failed` with the API's own message unless it is a success. */
  async ask(method: HttpRequest['method'], path: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await this.#send(method, path, body);
    const data = jsonOf(answer);
    if (answer.status < 200 || answer.status > 299) {
      throw new NudgeLabError('driver-failed', {
        message: `${method} ${path} was answered with ${answer.status}: ${messageOf(data) ?? answer.text}`,
      });
    }
    return isPlainObject(data) ? data : {};
  }

  #send(method: HttpRequest['method'], path: string, body: unknown): Promise<HttpAnswer> {
    return this.#client.send({
      method,
      url: `${this.#controlUrl}${path}`,
      headers: { ...this.#key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

/**
 * The address of the control API of a server that answers. Takes the server's address and, for whoever goes on asking over them,
 * the connections; they are closed when nothing answers. Throws `server-unreachable`.
 */
export async function serverAt(url: string, kept: HttpClient | null = null): Promise<string> {
  const client = kept ?? new HttpClient();
  let isReached = false;
  const controlUrl = `${withoutEnd(url, '/')}/_control/v1`;
  try {
    await new ControlClient(client, controlUrl).ask('GET', '/health');
    isReached = true;
    return controlUrl;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('server-unreachable', {
      message: `Nothing answers at ${controlUrl}/health: ${reason}`,
      cause,
    });
  } finally {
    if (kept === null || !isReached) await client.close();
  }
}

/** The JSON of an answer; `null` where it has none. */
export function jsonOf({ text }: HttpAnswer): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function messageOf(data: unknown): string | null {
  const error = isPlainObject(data) ? data['error'] : null;
  return isPlainObject(error) && typeof error['message'] === 'string' ? error['message'] : null;
}
