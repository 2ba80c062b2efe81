import { createHash, randomBytes } from 'node:crypto';
import { type Agent, request } from 'undici';

/** Redirect URI of the application. No server listens there; the benchmark only reads the redirect. */
export const redirectUri = 'http://localhost:9/callback';

/** Page or response of a journey. */
export interface Answer {
  readonly status: number;
  readonly location: string;
  readonly text: string;
}

/** Durations of journeys and their pages, in milliseconds. */
export interface Times {
  readonly journeysMs: number[];
  readonly pagesMs: number[];
}

/** Simulated browser with an application. Cookies are stored by name because all of them belong to one host. */
export class PageClient {
  readonly #baseUrl: string;
  readonly #dispatcher: Agent;
  readonly #pagesMs: number[];
  readonly #cookies = new Map<string, string>();
  readonly #verifier = randomBytes(32).toString('base64url');

  /**
   * Creates a browser from the base URL of paths, the connection pool, and the list that records the time of each
   * page.
   */
  constructor(baseUrl: string, dispatcher: Agent, pagesMs: number[]) {
    this.#baseUrl = baseUrl;
    this.#dispatcher = dispatcher;
    this.#pagesMs = pagesMs;
  }

  /** Sends the authorization request of an application to the endpoint at the given path. */
  authorize(path: string): Promise<Answer> {
    const query = new URLSearchParams({
      client_id: 'test-public',
      response_type: 'code',
      scope: 'openid profile',
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(this.#verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'bench',
    });
    return this.page('GET', `${this.#baseUrl}${path}?${query}`);
  }

  /**
   * Exchanges the code of a redirect for tokens at the endpoint at the given path. Throws if the response has no ID
   * token.
   */
  async redeem(path: string, { location }: Answer): Promise<void> {
    const token = await this.page('POST', `${this.#baseUrl}${path}`, {
      grant_type: 'authorization_code',
      client_id: 'test-public',
      redirect_uri: redirectUri,
      code: new URL(location).searchParams.get('code') ?? '',
      code_verifier: this.#verifier,
    });
    if (!token.text.includes('"id_token"')) throw new Error(`No token: ${token.status} ${token.text}`);
  }

  /** Requests one page with the current cookies. A form is sent with its fields. */
  async page(method: 'GET' | 'POST', path: string, form?: Record<string, string>): Promise<Answer> {
    const startMs = performance.now();
    const { statusCode, headers, body } = await request(new URL(path, this.#baseUrl), {
      method,
      dispatcher: this.#dispatcher,
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
    });
    for (const cookie of [headers['set-cookie'] ?? []].flat()) {
      const [name = '', value = ''] = cookie.slice(0, cookie.indexOf(';')).split(/=(.*)/s);
      this.#cookies.set(name, value);
    }
    const text = await body.text();
    this.#pagesMs.push(performance.now() - startMs);
    return { status: statusCode, location: String(headers['location'] ?? ''), text };
  }
}
