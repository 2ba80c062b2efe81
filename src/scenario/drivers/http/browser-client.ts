import type { MfaMethod } from '../../../../machines/vocabulary.ts';
import type { SoftwareAuthenticator } from '../../../authenticators/software-authenticator.ts';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import type { FactorScreen } from '../../../contract/step-names.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { methodsLabelled, nothingToChoose, wayLabels, wayNotOffered } from '../../method-switching.ts';
import type { BrowserOptions, Credentials, MadePasskey, Shown } from './browser-parts.ts';
import { type Asked, Ceremonies, relatedOrigins } from './ceremonies.ts';
import { CookieJar } from './cookie-jar.ts';
import type { HttpClient } from './http-client.ts';
import { NavigationClient, type NavigationResult } from './navigation-client.ts';
import { factorOn, findMethodPath, isOfSignIn, type Way } from './page-navigation.ts';
import { encodeForm, findButton, readPage, type ShownPage } from './pages.ts';

/** Pages that come before the rules have judged, with the button that leads on. */
const waysOn: Readonly<Record<string, string>> = {
  password: 'Sign in',
  mfa: 'Verify',
  'external-mfa': 'Continue',
  'security-info': 'Continue',
  'terms-of-use': 'Accept',
  'custom-controls': 'Continue',
  blocked: 'Continue',
};
const interstitialPages: readonly string[] = ['security-info', 'terms-of-use', 'custom-controls', 'blocked'];
const promptPages: readonly string[] = ['prompt', 'required'];

/** No sign-in has more pages than this before it asks for an answer. */
const pagesMax = 10;

/**
 * One tab of a browser that walks the pages of a sign-in: it reads the HTML, fills the forms by their labels and presses
 * their buttons by their texts. It knows nothing of the server but its address.
 */
export class BrowserSession {
  readonly #client: HttpClient;
  readonly #baseUrl: string;
  readonly #line: NavigationClient;
  readonly #interstitials: string[] = [];
  readonly #factors: FactorScreen[] = [];
  /** The passkey ceremonies of the tab. */
  readonly ceremonies: Ceremonies;
  #status = 0;
  #page: ShownPage | null = null;
  #way: Way | null = null;
  /** The address of the page. */
  #here: string;
  /** How addresses of the application begin; `null` where no application waits. */
  #application: string | null = null;
  /** The address of the application that the tab came back to. */
  #arrivedAt: string | null = null;
  #signInId: string | null = null;

  /** Takes the connections, the sandbox and, for a tab of a browser that has others, their cookies. */
  constructor({ client, baseUrl, jar = new CookieJar(), origin = null }: BrowserOptions) {
    this.#client = client;
    this.#baseUrl = baseUrl;
    this.#here = baseUrl;
    this.#line = new NavigationClient(client, jar);
    this.ceremonies = new Ceremonies(origin, () => relatedOrigins(client, baseUrl));
  }

  /**
   * Signs in and goes on to the first page that asks for an answer or ends the sign-in. What lies between, such as terms of
   * use, is accepted and told. A refused name, password or code ends it on that page.
   */
  async signIn(credentials: Credentials): Promise<Shown> {
    this.#forget();
    await this.#load(`${this.#baseUrl}/sign-in`);
    return this.goOn(credentials);
  }

  /** The address at which the tab came back to its application; `null` before it did. */
  get arrivedAt(): string | null {
    return this.#arrivedAt;
  }

  /** Goes where an application sends the browser. Takes the address, and where the application hears the answer. */
  async visit(address: string, application: string | null): Promise<Shown> {
    this.#forget();
    this.#application = application;
    await this.#load(address);
    return this.page();
  }

  #forget(): void {
    this.#interstitials.length = 0;
    this.#factors.length = 0;
    this.#way = null;
    this.#signInId = null;
  }

  /** Screens of name, password and second factor that the sign-in went through. */
  get factors(): readonly FactorScreen[] {
    return [...this.#factors];
  }

  /** Presses a button of the page. */
  async press(label: string): Promise<void> {
    await this.#press(label);
  }

  /** The name of the page. */
  async pageName(): Promise<string> {
    return this.#shownPage().name;
  }

  /** Signs in from the page where names are entered, however the tab came to it. Takes and returns what `signIn` does. */
  async goOn({ name, password, code, authenticator, checkFactor, otherWay, offering }: Credentials): Promise<Shown> {
    if (this.#shownPage().error !== null) return this.page();
    await this.#sayWho(name, offering);
    const typed: Readonly<Record<string, Record<string, string>>> = {
      password: { Password: password },
      mfa: { Code: code },
    };
    let wanted = otherWay;
    let checked = checkFactor === undefined;
    for (let pages = 0; pages < pagesMax; pages += 1) {
      if (!checked && this.#shownPage().name === 'mfa') {
        await checkFactor?.();
        checked = true;
      }
      if (wanted !== undefined && this.#shownPage().name === 'mfa') {
        await this.#chooseOtherWay(wanted);
        wanted = undefined;
      }
      const { name: page, error } = this.#shownPage();
      const way = waysOn[page];
      if (way === undefined || error !== null) break;
      if (interstitialPages.includes(page)) this.#interstitials.push(page);
      this.#factors.push(...factorOn(this.#shownPage()));
      if (page === 'mfa' && !this.#offers(way)) await this.#giveOtherFactor(authenticator);
      else await this.#press(way, typed[page] ?? {});
    }
    if (wanted !== undefined) throw nothingToChoose(wanted);
    return this.page();
  }

  /** Next on the prompt, or "Try again" on the error screen. */
  async next(): Promise<Shown> {
    if (this.#offers('Try again')) await this.#press('Try again');
    else await this.#pressOrSend('Next', 'next');
    return this.page();
  }

  /** "Skip for now". Where the page has no such button the skip is sent all the same (A1). */
  async skip(): Promise<Shown> {
    await this.#pressOrSend('Skip for now', 'skip');
    return this.page();
  }

  /** Whether the page has a field with this label. */
  asksFor(label: string): boolean {
    return this.#shownPage().forms.some(({ fields }) => fields.some((field) => field.label === label));
  }

  /** Registers the method from wherever the prompt is. Takes the passkey that is made, or `null` for the app. */
  async register(passkey: MadePasskey | null): Promise<Shown> {
    if (!(await this.#reachSetup())) return this.page();
    if (passkey === null) {
      await this.#press('Next');
      if (this.#shownPage().number !== null) await this.#approveOnPhone();
      if (this.#offers('Finish')) await this.#press('Finish');
      return this.page();
    }
    const { authenticator, deviceId } = passkey;
    const answered = await this.#holdCeremony('Create passkey', ['create', authenticator], { deviceId });
    if (!answered) await this.#press('It did not work');
    else if (this.#offers('Save')) await this.#press('Save');
    return this.page();
  }

  /** "Sign in another way": opens the list of methods, and chooses one of them. */
  async #chooseOtherWay(wanted: MfaMethod): Promise<void> {
    if (!this.#offers('Sign in another way')) throw wayNotOffered(wanted, []);
    this.#factors.push(...factorOn(this.#shownPage()), 'choice');
    await this.#press('Sign in another way');
    const labels = this.#shownPage().forms.flatMap(({ choices }) => choices.map(({ label }) => label));
    if (!labels.includes(wayLabels[wanted])) throw wayNotOffered(wanted, methodsLabelled(labels));
    await this.#press('Continue', {}, wayLabels[wanted]);
  }

  /** The second factor by what is no code: a request in the app, or a passkey. */
  async #giveOtherFactor(authenticator: Credentials['authenticator']): Promise<void> {
    if (this.#shownPage().number !== null) {
      await this.#approveOnPhone();
      return this.#press('Continue');
    }
    const device = await authenticator?.();
    if (device === undefined) throw new NudgeLabError('driver-failed', { message: 'Nothing answers for a passkey.' });
    if (await this.#holdCeremony('Use passkey', ['get', device])) return;
    throw new NudgeLabError('driver-failed', { message: 'The authenticator holds no passkey that the page asks for.' });
  }

  /** What the script of a page does when its button is pressed. Returns whether the authenticator answered. */
  async #holdCeremony(
    label: string,
    [type, authenticator]: readonly ['create' | 'get', SoftwareAuthenticator],
    more: Readonly<Record<string, string>> = {},
  ): Promise<boolean> {
    const { form, button } = this.#button(label);
    const asked = { type, options: JSON.parse(form.ceremony ?? '{}') } as Asked;
    const outcome = await this.ceremonies.hold(new URL(this.#here).origin, authenticator, asked);
    if (outcome.kind !== 'answered') return false;
    const body = new URLSearchParams(encodeForm(form, button, {}));
    body.set('credential', JSON.stringify(outcome.response));
    for (const [name, value] of Object.entries(more)) body.set(name, value);
    this.#show(await this.#sendForm(new URL(form.address, this.#here).href, body.toString()));
    return true;
  }

  /** Enters a name on the first page, or picks a passkey there; where the authenticators offer none the page stays as it is. */
  async #sayWho(name: string, offering: Credentials['offering']): Promise<void> {
    this.#factors.push('name');
    if (offering === undefined) return this.#press('Next', { 'User name': name });
    this.#factors.push('passkey');
    const authenticator = await offering();
    if (authenticator.held().length > 0) await this.#holdCeremony('Sign in with a passkey', ['get', authenticator]);
  }

  /**
   * Has the browser create a passkey by itself, as the script of the last page does when it is loaded; a page that does not ask for
   * it stays as it is. One that the server rejects is forgotten again.
   */
  async upgrade({ authenticator, deviceId }: MadePasskey): Promise<Shown> {
    if (this.#way !== null) await this.#load(this.#way.address);
    const { upgrade } = this.#shownPage();
    if (upgrade === null) return this.page();
    const { options, address, formToken } = upgrade;
    const asked = { type: 'create', options } as const;
    const outcome = await this.ceremonies.hold(new URL(this.#here).origin, authenticator, asked, true);
    if (outcome.kind !== 'answered') return this.page();
    const credential = JSON.stringify(outcome.response);
    const body = new URLSearchParams({ action: 'upgrade', formToken, credential, deviceId });
    const { answer } = await this.#sendForm(new URL(address, this.#here).href, body.toString());
    this.#status = answer.status;
    const { id } = outcome.response as { readonly id: string };
    if (answer.status !== okStatus) authenticator.forget(id);
    return this.page();
  }

  /** What the page tells authenticators; `null` where it tells them nothing. */
  get signals(): SignalsJson | null {
    return this.#page?.signals ?? null;
  }

  /** Opens the simulated phone in a window of its own, and approves the request there with the number of this page. */
  async #approveOnPhone(): Promise<void> {
    const { number, links } = this.#shownPage();
    const link = links.find(({ label }) => label === 'open the simulated phone');
    if (number === null || link === undefined) {
      throw new NudgeLabError('driver-failed', { message: 'The page shows no number, or no way to the phone.' });
    }
    const url = new URL(link.address, this.#here).href;
    const phone = readPage((await this.#client.send({ method: 'GET', url })).text);
    const request = findButton(phone, 'Approve');
    // A request that never reached the phone cannot be approved there.
    if (request === null) return;
    const body = encodeForm(request.form, request.button, { 'Number on the sign-in page': number });
    await this.#sendForm(url, body);
  }

  /** Lets set-up fail, from wherever the prompt is. */
  async failRegistration(): Promise<Shown> {
    if (await this.#reachSetup()) await this.#press('It did not work');
    return this.page();
  }

  /** "Skip" on the error screen; where the page has no such button it is sent all the same. */
  async skipError(): Promise<Shown> {
    await this.#pressOrSend('Skip', 'skip-error');
    return this.page();
  }

  /** Leaves the page: the browser's last word is the unload beacon (A41). The tab can still come back. */
  async close(): Promise<Shown> {
    if (this.#way !== null) this.#status = (await this.#post(this.#way, 'left')).answer.status;
    return { ...this.page(), page: 'closed', skippable: null };
  }

  /** Loads the page again, as a browser does that comes back. */
  async reload(): Promise<Shown> {
    await this.#load(this.#wayOrFail().address);
    return this.page();
  }

  /** What the tab shows. Throws `driver-failed` when it has shown nothing. */
  page(): Shown {
    const { name, snoozesLeft, error } = this.#shownPage();
    return {
      status: this.#status,
      page: name,
      skippable: promptPages.includes(name) ? this.#offers('Skip for now') : null,
      interstitials: [...this.#interstitials],
      error,
      signInId: this.#signInId,
      snoozesLeftShown: snoozesLeft,
    };
  }

  /** Whether the page offers a button with this text. */
  offers(label: string): boolean {
    return this.#offers(label);
  }

  async #reachSetup(): Promise<boolean> {
    if (this.#shownPage().name !== 'setup') await this.next();
    return this.#shownPage().name === 'setup';
  }

  #offers(label: string): boolean {
    return findButton(this.#shownPage(), label) !== null;
  }

  #shownPage(): ShownPage {
    if (this.#page === null) throw new NudgeLabError('driver-failed', { message: 'The tab has shown no page.' });
    return this.#page;
  }

  #wayOrFail(): Way {
    if (this.#way === null) throw new NudgeLabError('driver-failed', { message: 'The tab has no sign-in running.' });
    return this.#way;
  }

  async #pressOrSend(label: string, action: string): Promise<void> {
    if (this.#offers(label)) await this.#press(label);
    else this.#show(await this.#post(this.#wayOrFail(), action));
  }

  async #press(
    label: string,
    typed: Readonly<Record<string, string>> = {},
    chosen: string | null = null,
  ): Promise<void> {
    const { form, button } = this.#button(label);
    const address = new URL(form.address, this.#here).href;
    this.#show(await this.#sendForm(address, encodeForm(form, button, typed, chosen)));
  }

  #button(label: string): NonNullable<ReturnType<typeof findButton>> {
    const found = findButton(this.#shownPage(), label);
    if (found !== null) return found;
    throw new NudgeLabError('driver-failed', {
      message: `The page "${this.#shownPage().name}" has no button "${label}".`,
    });
  }

  #post({ address, hidden }: Way, action: string): Promise<NavigationResult> {
    const body = new URLSearchParams({ ...Object.fromEntries(hidden), action });
    return this.#sendForm(address, body.toString());
  }

  async #load(url: string): Promise<void> {
    this.#show(await this.#line.send({ method: 'GET', url }, this.#application));
  }

  #sendForm(url: string, body: string): Promise<NavigationResult> {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: new URL(this.#here).origin,
      'sec-fetch-site': 'same-origin',
    };
    return this.#line.send({ method: 'POST', url, headers, body }, this.#application);
  }

  #show({ answer: { status, text }, address, arrived = false }: NavigationResult): void {
    this.#status = arrived ? okStatus : status;
    this.#arrivedAt = arrived ? address : null;
    this.#page = arrived ? applicationPage : readPage(text);
    this.#signInId = this.#page.signInId ?? this.#signInId;
    if (arrived) return;
    this.#here = address;
    const form = this.#page.forms.find(isOfSignIn);
    if (form !== undefined) this.#way = findMethodPath(form, address);
  }
}

const okStatus = 200;

/** What the tab shows once it is back: a page of the application, which is none of the server's. */
const applicationPage: ShownPage = {
  name: 'application',
  signInId: null,
  snoozesLeft: null,
  error: null,
  forms: [],
  links: [],
  number: null,
  signals: null,
  upgrade: null,
};
