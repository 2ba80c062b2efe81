import { NudgeLabError } from '../../../core/errors.ts';
import type { CookieJar } from './cookie-jar.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts';

/** Where a navigation ended, after all redirects. */
export interface NavigationResult {
  readonly response: HttpAnswer;
  readonly url: string;
  /** Whether that is a URL of the application, which is not requested. */
  readonly arrived?: boolean;
}

/** Redirects that may follow each other. */
const redirectsMax = 12;

/** Requests pages as a browser does: with its cookies and preferred languages, following redirects. */
export class NavigationClient {
  readonly #client: HttpClient;
  readonly #jar: CookieJar;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(client: HttpClient, jar: CookieJar, acceptLanguage?: string) {
    this.#client = client;
    this.#jar = jar;
    this.#headers = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage };
  }

  /**
   * Sends a request and follows redirects, to a page or to the application. Takes how URLs of the application begin; `null` where
   * none waits. Throws `driver-failed` when redirects do not end.
   */
  async send(asked: HttpRequest, application: string | null): Promise<NavigationResult> {
    let request = asked;
    for (let count = 0; count < redirectsMax; count += 1) {
      const { url } = request;
      const headers = { ...this.#headers, ...request.headers, ...this.#cookies(url) };
      const response = await this.#client.send({ ...request, headers });
      this.#keepCookies(url, response);
      const to = redirectOf(response, url);
      if (to === null) return { response, url };
      if (application !== null && to.startsWith(application)) return { response, url: to, arrived: true };
      request = { method: 'GET', url: to };
    }
    throw new NudgeLabError('driver-failed', { message: `${asked.url} redirects without end.` });
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
