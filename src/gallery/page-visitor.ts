import { findZeroAaguidProfile } from '../authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../authenticators/software-authenticator.ts';
import type { CreationOptionsJson } from '../authenticators/webauthn-json.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { CookieJar } from '../scenario/drivers/http/cookie-jar.ts';
import type { HttpClient, HttpRequest } from '../scenario/drivers/http/http-client.ts';
import { NavigationClient } from '../scenario/drivers/http/navigation-client.ts';
import { type ParsedForm, type ParsedPage, parsePage } from '../scenario/drivers/pages/parsed-page.ts';
import { deviceCode, type PageStep } from './page-recipe.ts';

/** Redirect URI of the applications. Nothing listens there; the visitor stops before requesting it. */
const redirectUri = 'http://localhost:9/callback';

/** Parameters of every authorization request. The challenge belongs to no secret, because no code is redeemed. */
const authorizationParameters = {
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid profile',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: 'gallery',
  nonce: 'gallery',
};

/** Page that a visitor has reached. */
export interface VisitedPage {
  readonly url: string;
  readonly document: string;
  /** Content policy of the page. */
  readonly policy: string;
}

/** Browser over HTTP that performs the steps of recipes in one sandbox, and describes them for a person. */
export class PageVisitor {
  readonly #sandbox: Sandbox;
  readonly #client: HttpClient;
  readonly #navigation: NavigationClient;
  readonly #instructions: string[] = [];
  #visited: VisitedPage | null = null;
  #path = '';
  /** Code of the device that requested one last. */
  #deviceCode = '';
  /** URL of the sign-in that is running. */
  #signInUrl = '';

  constructor(sandbox: Sandbox, client: HttpClient) {
    this.#sandbox = sandbox;
    this.#client = client;
    this.#navigation = new NavigationClient(client, new CookieJar());
  }

  /** Path of the sandbox that was opened last. */
  get path(): string {
    return this.#path;
  }

  /** Steps so far, as sentences in the language of the labels. */
  get instructions(): readonly string[] {
    return this.#instructions;
  }

  /** The current page. Throws `driver-failed` before the first one, and while an application has the browser. */
  get visited(): VisitedPage {
    if (this.#visited === null) throw new NudgeLabError('driver-failed', { message: 'The browser shows no page.' });
    return this.#visited;
  }

  /** Performs a step. Throws `driver-failed` if the page does not offer it. */
  async perform(step: PageStep): Promise<void> {
    switch (step.kind) {
      case 'open':
        this.#instructions.push(step.path === '' ? 'Open the start page.' : `Open ${step.path}`);
        this.#path = step.path;
        return this.#load(this.#base + step.path);
      case 'authorize':
        return this.#authorize(step);
      case 'startDevice':
        return this.#startDevice(step.client);
      case 'press':
        return this.#press(step.control, step);
      case 'useWrongPasskey':
        return this.#press(step.control, { passkey: 'wrong' });
      case 'createPasskey':
        return this.#press(step.control, { passkey: 'new' });
      case 'reload':
        this.#instructions.push('Load the page of the sign-in again.');
        return this.#load(this.#signInUrl);
      case 'advance':
        this.#instructions.push(`Advance the virtual clock by ${step.minutes} minutes.`);
        await this.#sandbox.clock.advance({ minutes: step.minutes });
        return;
      case 'changeUser':
        this.#instructions.push(`Change the user to ${JSON.stringify(step.user)}.`);
        await this.#sandbox.directory.patchUser('ada', step.user);
        return;
      default:
        return step satisfies never;
    }
  }

  /** URL of the sandbox, without a trailing slash. */
  get #base(): string {
    return this.#sandbox.tokens.issuer;
  }

  async #authorize({ client, parameters = {} }: Extract<PageStep, { kind: 'authorize' }>): Promise<void> {
    const query = new URLSearchParams({ client_id: client, ...authorizationParameters, ...parameters });
    const path = `/oauth2/authorize?${query}`;
    this.#instructions.push(`Open ${path}`);
    this.#path = path;
    await this.#load(this.#base + path);
  }

  async #startDevice(client: string): Promise<void> {
    this.#instructions.push(`Request a code for a device: POST /oauth2/device with client_id=${client}.`);
    const response = await this.#client.send({
      method: 'POST',
      url: `${this.#base}/oauth2/device`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: client, scope: 'openid' }).toString(),
    });
    const { user_code: code } = JSON.parse(response.text) as { readonly user_code: string };
    this.#deviceCode = code;
  }

  async #press(control: string, options: PressOptions): Promise<void> {
    const { texts = {}, omitted, passkey } = options;
    const page = parsePage(this.visited.document);
    const { form, button } = findButton(page, control);
    const body = new URLSearchParams();
    for (const { name, value, control: field } of form.fields) {
      const text = texts[field ?? name] ?? value;
      if (name !== omitted) body.append(name, text === deviceCode ? this.#deviceCode : text);
    }
    const chosen = form.choices.find(({ checked, name }) => checked && name !== omitted);
    if (chosen !== undefined) body.append(chosen.name, chosen.value);
    if (button.name !== '') body.append(button.name, button.value);
    if (passkey === 'wrong') body.set('credential', '{}');
    if (passkey === 'new') body.set('credential', await this.#createPasskey(form));
    this.#instructions.push(describePress(form, button.label ?? control, options));
    await this.#show({
      method: 'POST',
      url: new URL(form.action, this.visited.url).href,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(this.#base).origin },
      body: body.toString(),
    });
  }

  async #createPasskey({ ceremony }: ParsedForm): Promise<string> {
    const profile = findZeroAaguidProfile('windows-bound', 'windows');
    if (ceremony === null || profile === null) {
      throw new NudgeLabError('driver-failed', { message: 'The form creates no passkey.' });
    }
    const authenticator = new SoftwareAuthenticator({ profile, seed: this.#sandbox.id });
    const options = JSON.parse(ceremony) as CreationOptionsJson;
    return JSON.stringify(await authenticator.create(options, { origin: new URL(this.#base).origin }));
  }

  #load(url: string): Promise<void> {
    return this.#show({ method: 'GET', url });
  }

  async #show(request: HttpRequest): Promise<void> {
    const { response, url, arrived = false } = await this.#navigation.send(request, redirectUri);
    const policy = String(response.headers['content-security-policy'] ?? '');
    this.#visited = arrived ? null : { url, document: response.text, policy };
    const signInId = arrived ? null : readSignInId(response.text);
    if (signInId === null) return;
    const running = `${this.#base}/sign-in/${signInId}`;
    this.#signInUrl = url.startsWith(running) ? url : `${running}${new URL(url).search}`;
  }
}

/** What happens besides the press of a button. */
interface PressOptions {
  readonly texts?: Readonly<Record<string, string>>;
  readonly omitted?: string;
  readonly passkey?: 'wrong' | 'new';
}

function readSignInId(document: string): string | null {
  return document.includes('data-sign-in=') ? parsePage(document).signInId : null;
}

/** Finds a button by its stable name, or by the value that it submits. */
function findButton(page: ParsedPage, control: string): { form: ParsedForm; button: ParsedForm['buttons'][number] } {
  for (const form of page.forms) {
    const button = form.buttons.find((one) => (one.control ?? one.value) === control);
    if (button !== undefined) return { form, button };
  }
  throw new NudgeLabError('driver-failed', { message: `The page "${page.name}" has no button "${control}".` });
}

function describePress(form: ParsedForm, label: string, options: PressOptions): string {
  const { texts = {}, omitted } = options;
  const entries = form.fields.flatMap(({ control, name, label: field }) => {
    const text = texts[control ?? name];
    return text === undefined || field === null ? [] : [describeEntry(field, text)];
  });
  const removal = omitted === undefined ? [] : [`remove the field "${omitted}" with the tools of the browser`];
  const passkey = options.passkey === undefined ? '' : passkeyInstructions[options.passkey];
  const before = [...entries, ...removal].join(', ');
  return before === ''
    ? `Select "${label}"${passkey}.`
    : `${before.slice(0, 1).toUpperCase()}${before.slice(1)}, and select "${label}"${passkey}.`;
}

/** What the authenticator does after a button was pressed. */
const passkeyInstructions = {
  wrong: ', and respond with a passkey that the server does not know',
  new: ', and create a passkey with an authenticator without a model',
};

function describeEntry(field: string, text: string): string {
  return text.trim() === '' ? `leave "${field}" blank` : `enter "${text}" in "${field}"`;
}
