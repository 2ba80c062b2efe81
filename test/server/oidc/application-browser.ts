import type { CookieJar } from 'tough-cookie';
import { fetch as fetchBy, type RequestInit } from 'undici';
import { createBody, findButton, readPage, type ShownPage } from '../labelled-page.ts';

/** Page that a browser displays after following every redirect. */
export interface DisplayedPage {
  readonly status: number;
  /** Final URL. A URL of the application is not loaded. */
  readonly address: string;
  readonly page: ShownPage | null;
  readonly text: string;
  readonly headers: Headers;
}

/** Cookie storage of a browser. */
export interface Cookies {
  getCookieStringSync(address: string): string;
  setCookieSync(given: string, address: string): unknown;
}

interface BrowserSetup<Jar extends Cookies> {
  /** Prefix of all URLs of the application. Navigation ends at a redirect to one of them. */
  readonly application: string;
  /** Cookie jar, shared by the tabs of one browser. */
  readonly jar: Jar;
  readonly dispatcher?: RequestInit['dispatcher'];
}

/** Texts that a user types on each page, and the button that continues. */
const waysOn: Readonly<Record<string, readonly [button: string, typed: Readonly<Record<string, string>>]>> = {
  name: ['Next', { Username: 'ada@example.test' }],
  password: ['Sign in', { Password: 'correct horse' }],
  mfa: ['Verify', { Code: '123456' }],
  'external-mfa': ['Continue', {}],
};

const redirectsMax = 12;

/**
 * Browser of a user of an application. It follows redirects, stores cookies and fills forms by label, and runs no
 * scripts.
 */
export class ApplicationBrowser<Jar extends Cookies = CookieJar> {
  readonly jar: Jar;
  readonly #setup: BrowserSetup<Jar>;

  constructor(setup: BrowserSetup<Jar>) {
    this.#setup = setup;
    this.jar = setup.jar;
  }

  /** Loads a URL and follows redirects to a page or to the application. */
  load(address: string | URL): Promise<DisplayedPage> {
    return this.#follow(String(address), { method: 'GET' });
  }

  /** Presses a button of a page, with texts given by field label. */
  press(
    { page, address }: DisplayedPage,
    label: string,
    typed: Readonly<Record<string, string>> = {},
  ): Promise<DisplayedPage> {
    const found = page === null ? null : findButton(page, label);
    if (found === null) throw new Error(`The page ${page?.name} has no button "${label}".`);
    const body = createBody(found.form, found.button, typed);
    const to = new URL(found.form.address, address);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: to.origin };
    return this.#follow(to.href, { method: 'POST', body, headers });
  }

  /** Loads a URL and completes every sign-in page. Returns the first page that is not a sign-in step. */
  async signIn(address: string | URL, userName = 'ada@example.test'): Promise<DisplayedPage> {
    let shown = await this.load(address);
    for (let steps = 0; steps < redirectsMax; steps += 1) {
      const way = waysOn[shown.page?.name ?? ''];
      if (way === undefined) return shown;
      const [button, typed] = way;
      shown = await this.press(shown, button, 'Username' in typed ? { Username: userName } : typed);
    }
    return shown;
  }

  async #follow(address: string, init: RequestInit): Promise<DisplayedPage> {
    let [to, next] = [address, init];
    for (let count = 0; count < redirectsMax; count += 1) {
      const cookie = this.jar.getCookieStringSync(to);
      const headers = { ...(next.headers as Record<string, string>), accept: 'text/html', ...(cookie && { cookie }) };
      const answer = await fetchBy(to, {
        ...next,
        headers,
        redirect: 'manual',
        ...(this.#setup.dispatcher && { dispatcher: this.#setup.dispatcher }),
      });
      for (const given of answer.headers.getSetCookie()) this.jar.setCookieSync(given, to);
      const location = answer.headers.get('location');
      if (location === null) return toDisplayedPage(to, answer.status, await answer.text(), answer.headers as never);
      await answer.text();
      [to, next] = [new URL(location, to).href, { method: 'GET' }];
      if (to.startsWith(this.#setup.application))
        return toDisplayedPage(to, answer.status, '', answer.headers as never);
    }
    throw new Error(`More than ${redirectsMax} redirects from ${address}.`);
  }
}

function toDisplayedPage(address: string, status: number, text: string, headers: Headers): DisplayedPage {
  return { address, status, text, headers, page: text.includes('data-page=') ? readPage(text) : null };
}
