import { CookieJar } from 'tough-cookie';
import { findButton } from '../labelled-page.ts';
import { ApplicationBrowser, type Cookies, type DisplayedPage } from './application-browser.ts';
import { type AuthorizationRequest, answerAt, application, type RelyingParty } from './relying-party.ts';

/** Action of a tab on each page: the button, and the texts typed by field label. */
type Ways = Readonly<Record<string, readonly [button: string, typed?: Readonly<Record<string, string>>]>>;

/** Task of one tab. */
export interface Errand {
  readonly party: RelyingParty;
  /** Username that is typed on the username page. */
  readonly user: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Actions that differ from the defaults, by page. */
  readonly ways?: Ways;
}

const usualWays: Ways = {
  password: ['Sign in', { Password: 'correct horse' }],
  mfa: ['Verify', { Code: '123456' }],
  prompt: ['Skip for now'],
  'stay-signed-in': ['No'],
  consent: ['Accept'],
};

/** Tab that navigates from its application back to it. Each step is one page. */
export class Tab {
  readonly browser: ApplicationBrowser<Cookies>;
  readonly #errand: Errand;
  readonly request: AuthorizationRequest;
  shown: DisplayedPage | null = null;
  /** Pages that the tab has displayed. */
  readonly pages: string[] = [];

  private constructor(browser: ApplicationBrowser<Cookies>, errand: Errand, request: AuthorizationRequest) {
    this.browser = browser;
    this.#errand = errand;
    this.request = request;
  }

  /** Creates a tab that has not loaded a page. */
  static async open(errand: Errand, jar: Cookies): Promise<Tab> {
    const browser = new ApplicationBrowser({ application: new URL(application).origin, jar });
    return new Tab(browser, errand, await errand.party.ask(errand.parameters));
  }

  /** True if the tab is back at an application, or its page has no further action. */
  get hasEnded(): boolean {
    return this.shown !== null && this.#way() === null;
  }

  get page(): string {
    return this.shown?.page?.name ?? 'application';
  }

  /** Goes back to an earlier page as it was displayed, as a browser does without a request to the server. */
  back(to: DisplayedPage): void {
    this.shown = to;
  }

  /** Performs the action of the current page. */
  async step(): Promise<void> {
    const { shown } = this;
    const way = this.#way();
    if (shown === null) this.shown = await this.browser.load(this.request.url);
    else if (way !== null) this.shown = await this.browser.press(shown, ...way);
    this.pages.push(this.page);
  }

  /** Performs all remaining steps. */
  async finish(): Promise<void> {
    for (let steps = 0; !this.hasEnded; steps += 1) {
      if (steps > 20) throw new Error(`The tab goes round: ${this.pages.join(', ')}.`);
      await this.step();
    }
  }

  /**
   * Returns the ending of the tab: the application by URL and state, with the user of the tokens, or else the page.
   */
  async ending(): Promise<string> {
    const { shown, request } = this;
    if (shown === null || shown.page !== null) return `${shown?.status} ${this.page}`;
    const { state, code, error } = answerAt(shown);
    const own = shown.address.startsWith(this.#errand.party.redirectUri) && state === request.checks.expectedState;
    if (!own) return 'the application of another tab';
    if (code === undefined) return `error ${error}`;
    return `code of ${(await this.#errand.party.redeem(shown, request)).claims()?.sub}`;
  }

  #way(): Ways[string] | null {
    const { user, ways } = this.#errand;
    const name: Ways = { name: ['Next', { Username: `${user}@example.test` }] };
    const way = { ...usualWays, ...name, ...ways }[this.page];
    const page = this.shown?.page;
    // The tab ends at a page that no longer offers the expected action.
    return way === undefined || !page || findButton(page, way[0]) === null ? null : way;
  }
}

/** Lists all orders of the steps of two tabs. `false` is a step of the first tab. */
export function orders(first: number, second: number): readonly (readonly boolean[])[] {
  if (first === 0) return [Array.from({ length: second }, () => true)];
  if (second === 0) return [Array.from({ length: first }, () => false)];
  return [
    ...orders(first - 1, second).map((rest) => [false, ...rest]),
    ...orders(first, second - 1).map((rest) => [true, ...rest]),
  ];
}

/**
 * Cookies stored by name only, as in small clients. A later cookie replaces one with the same name and another path.
 */
class NamedCookies implements Cookies {
  readonly #values = new Map<string, string>();

  getCookieStringSync(): string {
    return Array.from(this.#values, ([name, value]) => `${name}=${value}`).join('; ');
  }

  setCookieSync(given: string): void {
    const [pair = '', ...attributes] = given.split(';').map((part) => part.trim());
    const at = pair.indexOf('=');
    const ended = attributes.some((attribute) => /^(max-age=0|expires=Thu, 01 Jan 1970.*)$/i.test(attribute));
    if (ended) this.#values.delete(pair.slice(0, at));
    else this.#values.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

/** Cookie jars of a browser by storage method, each with the sampling interval of the orders. */
export const jars: readonly (readonly [kind: string, make: () => Cookies, thinning: number])[] = [
  ['a browser', () => new CookieJar(), 1],
  ['a client that keeps cookies by name', () => new NamedCookies(), 2],
];
