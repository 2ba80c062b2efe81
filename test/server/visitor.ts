import { CookieJar } from 'tough-cookie';
import { request } from 'undici';
import type { CeremonyOutcome } from '../../src/authenticators/ceremony.ts';
import type { SoftwareAuthenticator } from '../../src/authenticators/software-authenticator.ts';
import type { CreationOptionsJson, RequestOptionsJson } from '../../src/authenticators/webauthn-json.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { createBody, findButton, readPage, type ShownPage } from './labelled-page.ts';

/** Response as displayed to the visitor of a page. */
export interface DisplayedPage {
  readonly address: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** Texts that the visitor types on each page, and the button that continues. */
const waysOn: Readonly<Record<string, readonly [button: string, typed: Readonly<Record<string, string>>]>> = {
  name: ['Next', { Username: 'ada@example.test' }],
  password: ['Sign in', { Password: 'correct horse' }],
  mfa: ['Verify', { Code: '123456' }],
};

/** Simulated visitor of the pages of one sandbox. Reads pages, fills fields by label and presses buttons by text. */
export class Visitor {
  readonly sandbox: Sandbox;
  readonly jar: CookieJar;
  readonly #origin: string;
  #shown: DisplayedPage | null = null;

  /** Creates a visitor for a sandbox of a server. The cookie jar may be shared with other tabs of a browser. */
  constructor(sandbox: Sandbox, jar = new CookieJar()) {
    this.sandbox = sandbox;
    this.jar = jar;
    this.#origin = new URL(sandbox.tokens.issuer).origin;
  }

  /** Returns another tab of the same browser with the same page, unchanged as after the Back button. */
  copy(): Visitor {
    const tab = new Visitor(this.sandbox, this.jar);
    tab.#shown = this.#shown;
    return tab;
  }

  get origin(): string {
    return this.#origin;
  }

  get shown(): DisplayedPage {
    if (this.#shown === null) throw new Error('Nothing was loaded.');
    return this.#shown;
  }

  get page(): ShownPage {
    return readPage(this.shown.text);
  }

  /** Status and name of the page, in the format that tests compare. */
  get seen(): readonly [status: number, page: string] {
    return [this.shown.status, this.page.name];
  }

  /** Id of the displayed sign-in. */
  get signInId(): string {
    return this.page.signInId ?? '';
  }

  /** Loads a path relative to the base URL of the sandbox, or a URL. */
  async load(path = '/sign-in'): Promise<this> {
    const address = path.startsWith('/') ? `${this.sandbox.tokens.issuer}${path}` : path;
    return this.#show(address, await this.#ask('GET', address));
  }

  /** Reloads the displayed sign-in, like the reload button of a browser. */
  async reload(): Promise<this> {
    return this.load(this.shown.address);
  }

  /** Presses a button, with texts given by field label and values of hidden fields that a script would set. */
  async press(
    label: string,
    typed: Readonly<Record<string, string>> = {},
    set: Readonly<Record<string, string>> = {},
  ): Promise<this> {
    const { form, button } = this.#button(label);
    const body = new URLSearchParams(createBody(form, button, typed));
    for (const [name, value] of Object.entries(set)) body.set(name, value);
    return this.submit(new URL(form.address, this.#origin).href, body);
  }

  /** Submits fields that no button of the page submits, with the anti-forgery token of the page. */
  async send(fields: Readonly<Record<string, string>>): Promise<this> {
    const form = this.page.forms.find(({ fields: given }) => given.some(({ name }) => name === 'formToken'));
    const formToken = form?.fields.find(({ name }) => name === 'formToken')?.value ?? '';
    const address = new URL(form?.address ?? '', this.#origin).href;
    return this.submit(address, new URLSearchParams({ formToken, ...fields }));
  }

  /** Submits the fields of a form to a URL. */
  async submit(address: string, body: URLSearchParams): Promise<this> {
    return this.#show(address, await this.#ask('POST', address, body.toString()));
  }

  /** Continues with username, password and code to the given page, or to the first page that requires other input. */
  async signIn(until?: 'password' | 'mfa'): Promise<this> {
    await this.load();
    for (let page = this.page.name; page !== until; page = this.page.name) {
      const way = waysOn[page];
      if (way === undefined || this.shown.status >= 400 || findButton(this.page, way[0]) === null) return this;
      await this.press(...way);
    }
    return this;
  }

  /** Returns the ceremony options of a button. */
  options<Options extends CreationOptionsJson | RequestOptionsJson>(label: string): Options {
    return JSON.parse(this.#button(label).form.ceremony ?? 'null') as Options;
  }

  /** Presses a button that creates a passkey with the given authenticator. */
  async make(authenticator: SoftwareAuthenticator, label = 'Create passkey'): Promise<this> {
    const options = this.options<CreationOptionsJson>(label);
    return this.answer(label, getResponse(authenticator.answerCreation(options, { origin: this.#origin })));
  }

  /** Presses a button that uses a passkey of the given authenticator. */
  async use(authenticator: SoftwareAuthenticator, label = 'Use passkey'): Promise<this> {
    const options = this.options<RequestOptionsJson>(label);
    return this.answer(label, getResponse(authenticator.answerRequest(options, { origin: this.#origin })));
  }

  /** Presses a ceremony button with the given authenticator response. */
  answer(label: string, response: object): Promise<this> {
    return this.press(label, {}, { credential: JSON.stringify(response) });
  }

  #button(label: string): NonNullable<ReturnType<typeof findButton>> {
    const found = findButton(this.page, label);
    if (found === null) throw new Error(`The page "${this.page.name}" has no button "${label}".`);
    return found;
  }

  #show(address: string, answer: Omit<DisplayedPage, 'address'>): this {
    this.#shown = { address, ...answer };
    return this;
  }

  async #ask(method: 'GET' | 'POST', address: string, body?: string): Promise<Omit<DisplayedPage, 'address'>> {
    const cookie = this.jar.getCookieStringSync(address);
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: this.#origin };
    const {
      statusCode,
      headers,
      body: answered,
    } = await request(address, {
      method,
      headers: { ...(body === undefined ? {} : form), ...(cookie === '' ? {} : { cookie }) },
      ...(body === undefined ? {} : { body }),
    });
    for (const given of [headers['set-cookie'] ?? []].flat()) this.jar.setCookieSync(given, address);
    return { status: statusCode, headers, text: await answered.text() };
  }
}

function getResponse(outcome: CeremonyOutcome<object>): object {
  if (outcome.kind === 'answered') return outcome.response;
  throw outcome.kind === 'failed' ? outcome.error : new Error('No one answers.');
}
