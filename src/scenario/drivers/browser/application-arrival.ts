import type { CDPSession, Page, Response } from 'playwright-core';

/** Page shown in place of the application. The browser stops there, and no request leaves this machine. */
const applicationPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Application</title></head>
<body><main data-page="application"><h1>Back at the application</h1></main></body></html>
`;

/** Range of HTTP redirect statuses: the first redirect, and the first status after them. */
const firstRedirect = 300;
const firstError = 400;

/**
 * Detects that a page returns to its application. Requests to the application get a response from this class,
 * because its URL may have no server. A URL with another scheme, as used by apps on devices, is never requested.
 * Only Chromium allows a response to a request that follows a redirect.
 */
export class ApplicationArrival {
  readonly #redirectUri: string;
  readonly #isAnswered: boolean;
  readonly #page: Page;
  readonly #protocol: CDPSession | null;
  readonly #outside = Promise.withResolvers<void>();
  #address: string | null = null;

  private constructor(page: Page, protocol: CDPSession | null, redirectUri: string) {
    this.#page = page;
    this.#protocol = protocol;
    this.#redirectUri = redirectUri;
    this.#isAnswered = protocol !== null && /^https?:/.test(redirectUri);
  }

  /**
   * Starts watching a page.
   *
   * @param page - page to watch
   * @param protocol - protocol session of the page, or `null` if the browser is not Chromium
   * @param redirectUri - start of the application's URLs
   */
  static async watch(page: Page, protocol: CDPSession | null, redirectUri: string): Promise<ApplicationArrival> {
    const arrival = new ApplicationArrival(page, protocol, redirectUri);
    page.on('response', arrival.#hear);
    if (protocol === null || !arrival.#isAnswered) return arrival;
    protocol.on('Fetch.requestPaused', arrival.#answer);
    const urlPattern = `${redirectUri.replaceAll(/[*?\\]/g, String.raw`\$&`)}*`;
    await protocol.send('Fetch.enable', { patterns: [{ urlPattern }] });
    return arrival;
  }

  /** Stops answering requests to the application. The next such request is sent to the network. */
  async stop(): Promise<void> {
    this.#page.off('response', this.#hear);
    if (this.#protocol === null || !this.#isAnswered) return;
    this.#protocol.off('Fetch.requestPaused', this.#answer);
    await this.#protocol.send('Fetch.disable');
  }

  /** Returns the URL at which the application was reached, or `null` before that. */
  get address(): string | null {
    return this.#address;
  }

  /**
   * Resolves when the browser was redirected to a URL without a server, so no further page of the sign-in is shown.
   */
  get outside(): Promise<void> {
    return this.#outside.promise;
  }

  readonly #hear = (response: Response): void => {
    const { location } = response.headers();
    const isRedirect = response.status() >= firstRedirect && response.status() < firstError;
    if (isRedirect && location !== undefined) this.#ledTo(new URL(location, response.url()).href);
  };

  readonly #answer = ({ requestId }: { readonly requestId: string }): void => {
    const body = Buffer.from(applicationPage).toString('base64');
    const responseHeaders = [{ name: 'Content-Type', value: 'text/html; charset=utf-8' }];
    // A closed page no longer needs a response.
    this.#protocol
      ?.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body })
      .catch(() => undefined);
  };

  #ledTo(address: string): void {
    if (!address.startsWith(this.#redirectUri)) return;
    this.#address = address;
    if (!this.#isAnswered) this.#outside.resolve();
  }
}
