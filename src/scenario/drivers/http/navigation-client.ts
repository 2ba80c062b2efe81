import { NudgeLabError } from '../../../core/errors.ts';
import type { CookieJar } from './cookie-jar.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts';

/** Result of a navigation after all redirects. */
export interface NavigationResult {
  readonly response: HttpAnswer;
  readonly url: string;
  /** True if the final URL belongs to the application, in which case it is not requested. */
  readonly arrived?: boolean;
}

/** Maximum number of consecutive redirects. */
const redirectsMax = 12;

/** Requests pages like a browser: with its cookies and preferred languages, and following redirects. */
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
   * Sends a request and follows redirects to a page or to the application. Throws `driver-failed` if there are too
   * many redirects.
   *
   * @param asked - request to send
   * @param application - start of the application's URLs, or `null` if no application waits for a response
   */
  async send(asked: HttpRequest, application: string | null): Promise<NavigationResult> {
    let request = asked;
    for (let count = 0; count < redirectsMax; count += 1) {
      const { url } = request;
      const headers = { ...this.#headers, ...request.headers, ...this.#cookies(url) };
      const response = await this.#client.send({ ...request, headers });
      this.#keepCookies(url, response);
      const to = findRedirect(response, url);
      if (to === null) return { response, url };
      if (application !== null && to.startsWith(application)) return { response, url: to, arrived: true };
      request = { method: 'GET', url: to };
    }
    throw new NudgeLabError('driver-failed', { message: `${asked.url} redirects in a loop.` });
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

/** Returns the redirect target of a response, or `null` if it is not a redirect. */
function findRedirect({ status, headers }: HttpAnswer, from: string): string | null {
  const { location } = headers;
  return status >= 300 && status < 400 && typeof location === 'string' ? new URL(location, from).href : null;
}
