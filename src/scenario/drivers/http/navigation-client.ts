import { NudgeLabError } from '../../../core/errors.ts';
import type { CookieJar } from './cookie-jar.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts';

/** What a request came to, after all redirects. */
export interface NavigationResult {
  readonly answer: HttpAnswer;
  readonly address: string;
  /** Whether that is an address of the application, which is not asked for. */
  readonly arrived?: boolean;
}

/** Redirects that may follow each other. */
const redirectsMax = 12;

/** How a browser asks for pages: with the cookies that it holds, and on where redirects lead. */
export class NavigationClient {
  readonly #client: HttpClient;
  readonly #jar: CookieJar;

  constructor(client: HttpClient, jar: CookieJar) {
    this.#client = client;
    this.#jar = jar;
  }

  /**
   * Sends a request and goes on where redirects lead, to a page or to the application. Takes how addresses of the application
   * begin; `null` where none waits. Throws `driver-failed` when redirects come to no end.
   */
  async send(asked: HttpRequest, application: string | null): Promise<NavigationResult> {
    let request = asked;
    for (let count = 0; count < redirectsMax; count += 1) {
      const { url } = request;
      const answer = await this.#client.send({ ...request, headers: { ...request.headers, ...this.#cookies(url) } });
      this.#keepCookies(url, answer);
      const to = redirectOf(answer, url);
      if (to === null) return { answer, address: url };
      if (application !== null && to.startsWith(application)) return { answer, address: to, arrived: true };
      request = { method: 'GET', url: to };
    }
    throw new NudgeLabError('driver-failed', { message: `${asked.url} leads from one redirect to the next.` });
  }

  #cookies(url: string): Record<string, string> {
    const cookie = this.#jar.header(url);
    return cookie === '' ? {} : { cookie };
  }

  #keepCookies(url: string, { headers }: HttpAnswer): void {
    const given = headers['set-cookie'];
    if (given === undefined) return;
    for (const cookie of typeof given === 'string' ? [given] : given) this.#jar.set(cookie, url);
  }
}

/** Where an answer leads; `null` for one that leads nowhere. */
function redirectOf({ status, headers }: HttpAnswer, from: string): string | null {
  const { location } = headers;
  return status >= 300 && status < 400 && typeof location === 'string' ? new URL(location, from).href : null;
}
