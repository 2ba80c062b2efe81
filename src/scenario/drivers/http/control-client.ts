import { type ControlClient, controlClient } from '../../../client/control-client.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { hideUserInfo } from '../../../core/hide-user-info.ts';
import { withoutEnd } from '../../../core/text-end.ts';
import { type HttpAnswer, HttpClient } from './http-client.ts';

/** Maximum length of the reason for an unreachable server, because another server can respond with a whole page. */
const reasonCharactersMax = 300;

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
 * Returns the URL of a server that responds. Throws `server-unreachable`, also for another kind of server, and
 * `usage-invalid` for anything but the URL of a server.
 *
 * @param url - URL as the user entered it
 * @param kept - HTTP client for later requests, closed if the server does not respond, or `null` for a temporary
 *   client
 */
export async function serverAt(url: string, kept: HttpClient | null = null): Promise<string> {
  const client = kept ?? new HttpClient();
  rejectOtherUrls(url);
  let isReached = false;
  const api = driverClient(client, url);
  try {
    const { status } = { ...(await api.getHealth()) };
    if (status !== 'ok') throw new Error('the response is not that of a NudgeLab server');
    isReached = true;
    return withoutEnd(url, '/');
  } catch (cause) {
    const reason = (cause instanceof Error ? cause.message : String(cause)).slice(0, reasonCharactersMax);
    throw new NudgeLabError('server-unreachable', {
      message: `No NudgeLab server responds at ${hideUserInfo(api.getUrl('getHealth', {}))}: ${reason}`,
      cause,
    });
  } finally {
    if (kept === null || !isReached) await client.close();
  }
}

/** Rejects a text that is no URL of HTTP, and one with a query or of a sandbox, whose server has the control API. */
function rejectOtherUrls(url: string): void {
  const isServer = /^https?:\/\/[^?#]*$/i.test(url) && URL.canParse(url);
  if (isServer && !/\/s\/[^/]+\/?$/.test(url)) return;
  throw new NudgeLabError('usage-invalid', {
    message: `"${hideUserInfo(url)}" is not the URL of a server; use a URL such as http://localhost:4700, without a sandbox or a query.`,
  });
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
