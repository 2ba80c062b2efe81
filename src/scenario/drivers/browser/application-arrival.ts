import type { CDPSession, Page } from 'playwright-core';

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
 * address; an address of another scheme, as applications on devices have them, is never asked for at all.
 */
export class ApplicationArrival {
  readonly #redirectUri: string;
  readonly #isOfWeb: boolean;
  readonly #outside = Promise.withResolvers<void>();
  #address: string | null = null;

  private constructor(redirectUri: string) {
    this.#redirectUri = redirectUri;
    this.#isOfWeb = /^https?:/.test(redirectUri);
  }

  /** Watches a page. Takes the protocol session of the page, and how addresses of the application begin. */
  static async watch(page: Page, protocol: CDPSession, redirectUri: string): Promise<ApplicationArrival> {
    const arrival = new ApplicationArrival(redirectUri);
    page.on('response', (response) => {
      const { location } = response.headers();
      const isRedirect = response.status() >= firstRedirect && response.status() < firstError;
      if (isRedirect && location !== undefined) arrival.#ledTo(new URL(location, response.url()).href);
    });
    if (!arrival.#isOfWeb) return arrival;
    const body = Buffer.from(applicationPage).toString('base64');
    const responseHeaders = [{ name: 'Content-Type', value: 'text/html; charset=utf-8' }];
    protocol.on('Fetch.requestPaused', ({ requestId }) => {
      // A page that is closed meanwhile needs no answer any more.
      protocol
        .send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body })
        .catch(() => undefined);
    });
    const urlPattern = `${redirectUri.replaceAll(/[*?\\]/g, String.raw`\$&`)}*`;
    await protocol.send('Fetch.enable', { patterns: [{ urlPattern }] });
    return arrival;
  }

  /** The address at which the application was reached; `null` before. */
  get address(): string | null {
    return this.#address;
  }

  /** Resolves when the browser was led to an address that is none of the web, so that it shows no further page. */
  get outside(): Promise<void> {
    return this.#outside.promise;
  }

  #ledTo(address: string): void {
    if (!address.startsWith(this.#redirectUri)) return;
    this.#address = address;
    if (!this.#isOfWeb) this.#outside.resolve();
  }
}
