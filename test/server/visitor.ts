import { CookieJar } from 'tough-cookie';
import { request } from 'undici';
import type { CeremonyOutcome } from '../../src/authenticators/ceremony.ts';
import type { SoftwareAuthenticator } from '../../src/authenticators/software-authenticator.ts';
import type { CreationOptionsJson, RequestOptionsJson } from '../../src/authenticators/webauthn-json.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { bodyOf, findButton, readPage, type ShownPage } from './labelled-page.ts';

/** An answer as the visitor of a page sees it. */
export interface DisplayedPage {
  readonly address: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** What the visitor types where, by the page that asks for it, and the button that leads on. */
const waysOn: Readonly<Record<string, readonly [button: string, typed: Readonly<Record<string, string>>]>> = {
  name: ['Next', { Username: 'ada@example.test' }],
  password: ['Sign in', { Password: 'correct horse' }],
  mfa: ['Verify', { Code: '123456' }],
};

/** One person before the pages of one sandbox: reads a page, types by labels, presses buttons by their texts. */
export class Visitor {
  readonly sandbox: Sandbox;
  readonly jar: CookieJar;
  readonly #origin: string;
  #shown: DisplayedPage | null = null;

  /** Takes a sandbox that a server serves, and the cookies of a browser that has other tabs. */
  constructor(sandbox: Sandbox, jar = new CookieJar()) {
    this.sandbox = sandbox;
    this.jar = jar;
    this.#origin = new URL(sandbox.tokens.issuer).origin;
  }

  /** Another tab of the same browser with the same page, which stays as it is: what Back leads to. */
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

  /** Status and name of the page, as tests compare them. */
  get seen(): readonly [status: number, page: string] {
    return [this.shown.status, this.page.name];
  }

  /** Id of the sign-in that is shown. */
  get signInId(): string {
    return this.page.signInId ?? '';
  }

  /** Loads a path below the address of the sandbox, or an address. */
  async load(path = '/sign-in'): Promise<this> {
    const address = path.startsWith('/') ? `${this.sandbox.tokens.issuer}${path}` : path;
    return this.#show(address, await this.#ask('GET', address));
  }

  /** Loads the sign-in that is shown again, as the browser's own button does. */
  async reload(): Promise<this> {
    return this.load(this.shown.address);
  }

  /** Presses a button. Takes what is typed by the labels of the fields, and values of hidden fields that a script would set. */
  async press(
    label: string,
    typed: Readonly<Record<string, string>> = {},
    set: Readonly<Record<string, string>> = {},
  ): Promise<this> {
    const { form, button } = this.#button(label);
    const body = new URLSearchParams(bodyOf(form, button, typed));
    for (const [name, value] of Object.entries(set)) body.set(name, value);
    return this.submit(new URL(form.address, this.#origin).href, body);
  }

  /** Sends a form that no button of the page sends, with the token of the page. */
  async send(fields: Readonly<Record<string, string>>): Promise<this> {
    const form = this.page.forms.find(({ fields: given }) => given.some(({ name }) => name === 'formToken'));
    const formToken = form?.fields.find(({ name }) => name === 'formToken')?.value ?? '';
    const address = new URL(form?.address ?? '', this.#origin).href;
    return this.submit(address, new URLSearchParams({ formToken, ...fields }));
  }

  /** Sends the fields of a form to an address. */
  async submit(address: string, body: URLSearchParams): Promise<this> {
    return this.#show(address, await this.#ask('POST', address, body.toString()));
  }

  /** Goes on by name, password and code to the first page that asks for something else, or to the page that is named. */
  async signIn(until?: 'password' | 'mfa'): Promise<this> {
    await this.load();
    for (let page = this.page.name; page !== until; page = this.page.name) {
      const way = waysOn[page];
      if (way === undefined || this.shown.status >= 400 || findButton(this.page, way[0]) === null) return this;
      await this.press(...way);
    }
    return this;
  }

  /** What a button asks the browser for. */
  options<Options extends CreationOptionsJson | RequestOptionsJson>(label: string): Options {
    return JSON.parse(this.#button(label).form.ceremony ?? 'null') as Options;
  }

  /** Presses a button that makes a passkey, which an authenticator answers. */
  async make(authenticator: SoftwareAuthenticator, label = 'Create passkey'): Promise<this> {
    const options = this.options<CreationOptionsJson>(label);
    return this.answer(label, responseOf(authenticator.answerCreation(options, { origin: this.#origin })));
  }

  /** Presses a button that uses a passkey, which an authenticator answers. */
  async use(authenticator: SoftwareAuthenticator, label = 'Use passkey'): Promise<this> {
    const options = this.options<RequestOptionsJson>(label);
    return this.answer(label, responseOf(authenticator.answerRequest(options, { origin: this.#origin })));
  }

  /** Presses a button of a ceremony with an answer. */
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

function responseOf(outcome: CeremonyOutcome<object>): object {
  if (outcome.kind === 'answered') return outcome.response;
  throw outcome.kind === 'failed' ? outcome.error : new Error('No one answers.');
}
