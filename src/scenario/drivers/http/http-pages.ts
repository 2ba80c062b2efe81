import type { SoftwareAuthenticator } from '../../../authenticators/software-authenticator.ts';
import type { PageControl } from '../../../contract/page-controls.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import type { PageTransport, SignInForm, SignInTab } from '../pages/page-transport.ts';
import { buildFormBody, type FormEntries, findButton, type ParsedPage, parsePage } from '../pages/parsed-page.ts';
import { SignInFlow } from '../pages/sign-in-flow.ts';
import { Ceremonies, type CeremonyRequest, relatedOrigins } from './ceremonies.ts';
import { CookieJar } from './cookie-jar.ts';
import type { HttpClient } from './http-client.ts';
import { NavigationClient, type NavigationResult } from './navigation-client.ts';

export interface HttpPagesOptions {
  readonly client: HttpClient;
  /** URL of the sandbox, without a trailing slash. */
  readonly baseUrl: string;
  /** Cookies. The tabs of one browser share a jar. */
  readonly jar?: CookieJar;
  /** Origin of the page that uses passkeys, or `null` for the origin of the server. */
  readonly origin?: string | null;
  /** Preferred languages of the browser, in the format of `Accept-Language`. */
  readonly acceptLanguage?: string | undefined;
}

/** Authenticator that creates a passkey, with the id of its device. */
export interface PasskeySource {
  readonly authenticator: SoftwareAuthenticator;
  readonly deviceId: string;
}

/**
 * Browser tab over plain HTTP. The tab parses the HTML, fills in forms and presses buttons, and knows nothing about
 * the server except its URL.
 */
export class HttpPages implements PageTransport, SignInTab {
  /** Sign-in in this tab. */
  readonly flow = new SignInFlow(this);
  readonly ceremonies: Ceremonies;
  readonly isOpen = true;
  readonly #client: HttpClient;
  readonly #baseUrl: string;
  readonly #navigation: NavigationClient;
  #status = 0;
  #page: ParsedPage | null = null;
  #url: string;
  /** Start of the URLs of the waiting application, or `null` if there is none. */
  #application: string | null = null;
  #arrivedAt: string | null = null;

  /** Creates a tab. `jar` contains the cookies of its browser. */
  constructor({ client, baseUrl, jar = new CookieJar(), origin = null, acceptLanguage }: HttpPagesOptions) {
    this.#client = client;
    this.#baseUrl = baseUrl;
    this.#url = baseUrl;
    this.#navigation = new NavigationClient(client, jar, acceptLanguage);
    this.ceremonies = new Ceremonies(origin, () => relatedOrigins(client, baseUrl));
  }

  get status(): number {
    return this.#status;
  }

  get arrivedAt(): string | null {
    return this.#arrivedAt;
  }

  get url(): string {
    return this.#url;
  }

  /** Returns the URL where sign-ins start. */
  get signInUrl(): string {
    return `${this.#baseUrl}/sign-in`;
  }

  async ensureOpen(): Promise<this> {
    return this;
  }

  async open(url: string): Promise<void> {
    this.#show(await this.#navigation.send({ method: 'GET', url }, this.#application));
  }

  /**
   * Opens a URL for another sign-in. `application` is the start of the application's URLs, or `null` if no
   * application waits for a response.
   */
  async visit(url: string, application: string | null): Promise<void> {
    this.#application = application;
    await this.flow.visit(url);
  }

  pageName(): Promise<string> {
    return this.flow.pageName();
  }

  async read(): Promise<ParsedPage> {
    return this.#parsed();
  }

  async press(control: PageControl, entries: FormEntries = {}): Promise<void> {
    const { form, button } = this.#button(control);
    this.#show(await this.#post(form.action, buildFormBody(form, button, entries)));
  }

  async send({ url, formToken }: SignInForm, action: string): Promise<void> {
    this.#show(await this.#post(url, new URLSearchParams({ formToken, action }).toString()));
  }

  /** Leaves the page like a browser, which sends its unload beacon (A41). The tab can still return. */
  async leave(): Promise<void> {
    const { form } = this.flow;
    if (form === null) return;
    const body = new URLSearchParams({ formToken: form.formToken, action: 'left' });
    this.#status = (await this.#post(form.url, body.toString())).response.status;
  }

  async approveOnPhone(): Promise<void> {
    const { number, links } = this.#parsed();
    const link = links['open-phone'];
    if (number === null || link === undefined) {
      throw new NudgeLabError('driver-failed', { message: 'The page has no number, or no link to the phone page.' });
    }
    const url = new URL(link, this.#url).href;
    const phone = parsePage((await this.#client.send({ method: 'GET', url })).text);
    const request = findButton(phone, 'approve');
    // A notification that was not delivered to the phone cannot be approved there.
    if (request !== null) await this.#post(url, buildFormBody(request.form, request.button, { texts: { number } }));
  }

  /**
   * Runs the passkey ceremony of a button, as the script of the page does. `fields` are further form fields. Returns
   * true if the authenticator responded.
   */
  async runCeremony(
    control: PageControl,
    type: 'create' | 'get',
    authenticator: SoftwareAuthenticator,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<boolean> {
    const { form, button } = this.#button(control);
    const request = { type, options: JSON.parse(form.ceremony ?? '{}') } as CeremonyRequest;
    const outcome = await this.ceremonies.hold(new URL(this.#url).origin, authenticator, request);
    if (outcome.kind !== 'answered') return false;
    const body = new URLSearchParams(buildFormBody(form, button, {}));
    body.set('credential', JSON.stringify(outcome.response));
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    this.#show(await this.#post(form.action, body.toString()));
    return true;
  }

  /**
   * Creates a passkey automatically, as the script of the last page does on load. Nothing happens if the page does
   * not request it. The authenticator deletes a passkey that the server rejects.
   */
  async upgrade({ authenticator, deviceId }: PasskeySource): Promise<void> {
    if (this.flow.form !== null) await this.open(this.flow.form.url);
    const { upgrade } = this.#parsed();
    if (upgrade === null) return;
    const { options, action, formToken } = upgrade;
    const request = { type: 'create', options } as const;
    const outcome = await this.ceremonies.hold(new URL(this.#url).origin, authenticator, request, true);
    if (outcome.kind !== 'answered') return;
    const credential = JSON.stringify(outcome.response);
    const body = new URLSearchParams({ action: 'upgrade', formToken, credential, deviceId });
    this.#status = (await this.#post(action, body.toString())).response.status;
    const { id } = outcome.response as { readonly id: string };
    if (this.#status !== okStatus) authenticator.forget(id);
  }

  #parsed(): ParsedPage {
    if (this.#page === null) throw new NudgeLabError('driver-failed', { message: 'The tab has not loaded a page.' });
    return this.#page;
  }

  #button(control: PageControl): NonNullable<ReturnType<typeof findButton>> {
    const page = this.#parsed();
    const found = findButton(page, control);
    if (found !== null) return found;
    throw new NudgeLabError('driver-failed', { message: `The page "${page.name}" has no button "${control}".` });
  }

  #post(action: string, body: string): Promise<NavigationResult> {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: new URL(this.#url).origin,
      'sec-fetch-site': 'same-origin',
    };
    const url = new URL(action, this.#url).href;
    return this.#navigation.send({ method: 'POST', url, headers, body }, this.#application);
  }

  #show({ response: { status, text }, url, arrived = false }: NavigationResult): void {
    this.#status = arrived ? okStatus : status;
    this.#arrivedAt = arrived ? url : null;
    if (arrived) return;
    this.#page = parsePage(text);
    this.#url = url;
  }
}

const okStatus = 200;
