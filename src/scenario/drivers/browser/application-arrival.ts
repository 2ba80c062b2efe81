import type { CDPSession, Page, Response } from 'playwright-core';

/** What stands where the application would be: the browser is at rest there, and no request leaves this machine. */
const applicationPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Application</title></head>
<body><main data-page="application"><h1>Back at the application</h1></main></body></html>
`;

/** The redirects of HTTP. */
const firstRedirect = 300;
const firstError = 400;

/**
 * Sees a page come back to its application. Requests to the application are answered here, since nothing may listen at its
 * address; an address of another scheme, as applications on devices have them, is never asked for at all. Only Chromium lets
 * a request be answered that a redirect has led to.
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
   * Watches a page. Takes the protocol session of the page, `null` in a browser that is no Chromium, and how addresses of the
   * application begin.
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

  /** Stands in for the application no longer: the next request for it is sent. */
  async stop(): Promise<void> {
    this.#page.off('response', this.#hear);
    if (this.#protocol === null || !this.#isAnswered) return;
    this.#protocol.off('Fetch.requestPaused', this.#answer);
    await this.#protocol.send('Fetch.disable');
  }

  /** The address at which the application was reached; `null` before. */
  get address(): string | null {
    return this.#address;
  }

  /** Resolves when the browser was led to an address that no one answers, so that no further page of ours is shown. */
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
    // A page that is closed meanwhile needs no answer any more.
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
