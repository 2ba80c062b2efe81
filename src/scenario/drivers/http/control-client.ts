import { type ControlClient, controlClient } from '../../../client/control-client.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { withoutEnd } from '../../../core/text-end.ts';
import { type HttpAnswer, HttpClient } from './http-client.ts';

/**
 * Creates a client for the control API over persistent connections. A rejected request throws `driver-failed` with
 * the message of the API.
 *
 * @param client - HTTP client with the connections
 * @param controlUrl - URL of the server or of its control API
 * @param controlKey - control key of the server, if it requires one
 */
export function driverClient(client: HttpClient, controlUrl: string, controlKey?: string): ControlClient {
  return controlClient({
    url: controlUrl,
    controlKey,
    send: (request) => client.send(request),
    toError: (cause) => new NudgeLabError('driver-failed', { message: cause.message, cause }),
  });
}

/**
 * Returns the URL of a server that responds. Throws `server-unreachable`.
 *
 * @param url - URL as the user entered it
 * @param kept - HTTP client for later requests, closed if the server does not respond, or `null` for a temporary
 *   client
 */
export async function serverAt(url: string, kept: HttpClient | null = null): Promise<string> {
  const client = kept ?? new HttpClient();
  let isReached = false;
  const api = driverClient(client, url);
  try {
    await api.getHealth();
    isReached = true;
    return withoutEnd(url, '/');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('server-unreachable', {
      message: `No server responds at ${api.getUrl('getHealth', {})}: ${reason}`,
      cause,
    });
  } finally {
    if (kept === null || !isReached) await client.close();
  }
}

/** Parses the JSON of a response, or returns `null` if it has none. */
export function parseJson({ text }: Pick<HttpAnswer, 'text'>): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
