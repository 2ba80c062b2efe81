import { type ControlClient, controlClient } from '../../../client/control-client.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { withoutEnd } from '../../../core/text-end.ts';
import { type HttpAnswer, HttpClient } from './http-client.ts';

/**
 * The control API of a server as a driver uses it, over connections that are kept: a refusal is `driver-failed` with the API's own
 * message. Takes the connections, the address of the server or of its control API, and the control key, if any.
 */
export function driverClient(client: HttpClient, controlUrl: string, controlKey?: string): ControlClient {
  return controlClient({
    url: controlUrl,
    controlKey,
    send: (request) => client.send(request),
    errorOf: (cause) => new NudgeLabError('driver-failed', { message: cause.message, cause }),
  });
}

/**
 * The address of a server that answers. Takes it as it was given and, for anyone who goes on asking over them,
 * the connections; they are closed when nothing answers. Throws `server-unreachable`.
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
      message: `Nothing answers at ${api.urlOf('getHealth', {})}: ${reason}`,
      cause,
    });
  } finally {
    if (kept === null || !isReached) await client.close();
  }
}

/** The JSON of an answer; `null` where it has none. */
export function parseJson({ text }: Pick<HttpAnswer, 'text'>): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
