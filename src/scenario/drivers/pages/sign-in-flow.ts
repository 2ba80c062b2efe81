import type { MfaMethod, TargetedMethod } from '../../../../machines/vocabulary.ts';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import { type AnswerControl, type PageControl, toAnswerControl } from '../../../contract/page-controls.ts';
import type { FactorScreen } from '../../../contract/step-names.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { nothingToChoose, wayNotOffered } from '../../method-switching.ts';
import type { PageTransport, SignInForm, SignInTab } from './page-transport.ts';
import { hasControl, listAnswers, type ParsedPage } from './parsed-page.ts';

/** Page that a tab shows after a step. */
export interface DisplayedPage {
  /** Status of the latest document. */
  readonly status: number;
  readonly page: string;
  /** True if the prompt has a skip button, or `null` if the page is not a prompt. */
  readonly skippable: boolean | null;
  /** Pages that were shown between the second factor and the first page that requires a decision. */
  readonly interstitials: readonly string[];
  /** Error message of the page, or `null` if there is none. */
  readonly error: string | null;
  readonly signInId: string | null;
  readonly snoozesLeft: number | null;
  /** Ids of the answers of an own campaign that the page offers. */
  readonly answers: readonly string[];
  /** Signals to authenticators, or `null` if there are none. */
  readonly signals: SignalsJson | null;
}

/** Credentials for a sign-in. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
  readonly code: string;
  /** Uses a passkey as the second factor on the page that requests it. */
  readonly usePasskey?: () => Promise<void>;
  /**
   * Signs in with a passkey on the first page. Returns false if no passkey is offered. Without this function, the
   * user enters a name and a password.
   */
  readonly pickPasskey?: (() => Promise<boolean>) | undefined;
  /**
   * Rejects an impossible second factor in the step, and is called when the page of the second factor is first shown.
   */
  readonly checkFactor?: () => Promise<void>;
  /** Method to select under "Sign in another way". */
  readonly otherWay?: MfaMethod | undefined;
}

/** Maximum number of pages of a sign-in before one requires a decision. */
const maxPages = 12;

const promptPages: readonly string[] = ['prompt', 'required'];
const interstitialPages: readonly string[] = ['security-info', 'terms-of-use', 'custom-controls', 'blocked'];
const setupPages: readonly string[] = ['setup', 'setup-test', 'setup-name'];

/**
 * Page object that signs in and acts on the prompt in one tab, over any transport. Controls are found by the stable
 * names that pages declare, so it works in every language. A closed tab is reopened at its last URL.
 */
export class SignInFlow {
  readonly #tab: SignInTab;
  readonly #interstitials: string[] = [];
  readonly #factors: FactorScreen[] = [];
  #form: SignInForm | null = null;
  #page: ParsedPage | null = null;
  #signInId: string | null = null;

  constructor(tab: SignInTab) {
    this.#tab = tab;
  }

  /** Returns the id of the latest sign-in in the tab, or `null` before the first one. */
  get signInId(): string | null {
    return this.#signInId;
  }

  /** Returns the screens for name, password and second factor that the sign-in has shown. */
  get factors(): readonly FactorScreen[] {
    return [...this.#factors];
  }

  /** Returns the URL and token of the sign-in's forms, or `null` before the first form. */
  get form(): SignInForm | null {
    return this.#form;
  }

  /** Returns the URL of the open page's unload beacon, or `null` if the page has none. */
  get beaconUrl(): string | null {
    return this.#tab.isOpen && this.#page?.hasBeacon === true ? (this.#form?.url ?? null) : null;
  }

  /**
   * Signs in up to the first page that requires a decision or ends the sign-in. Pages in between are accepted and
   * reported. A rejected name, password or code ends the sign-in on that page. `url` is the URL where sign-ins start.
   */
  async signIn(url: string, credentials: Credentials): Promise<DisplayedPage> {
    await this.visit(url);
    return this.continue(credentials);
  }

  /** Opens a URL for another sign-in, like a link to it. */
  async visit(url: string): Promise<void> {
    this.#interstitials.length = 0;
    this.#factors.length = 0;
    this.#form = null;
    this.#signInId = null;
    await (await this.#tab.ensureOpen()).open(url);
  }

  /** Returns the name of the current page. */
  async pageName(): Promise<string> {
    return (await this.#read()).name;
  }

  /** Presses a button of the current page. */
  async press(control: PageControl): Promise<void> {
    await (await this.#tab.ensureOpen()).press(control);
  }

  /** Continues the sign-in from the current page. The parameters and the result are those of `signIn`. */
  async continue(credentials: Credentials): Promise<DisplayedPage> {
    const transport = await this.#tab.ensureOpen();
    let { otherWay, checkFactor } = credentials;
    for (let count = 0; count < maxPages; count += 1) {
      const page = await this.#read();
      if (page.name === 'mfa') {
        await checkFactor?.();
        checkFactor = undefined;
        if (otherWay !== undefined) {
          await this.#chooseOtherWay(transport, page, otherWay);
          otherWay = undefined;
          continue;
        }
      }
      if (page.error !== null || !(await this.#passPage(transport, page, credentials))) break;
      if (interstitialPages.includes(page.name)) this.#interstitials.push(page.name);
    }
    if (otherWay !== undefined) throw nothingToChoose(otherWay);
    return this.display();
  }

  /** Presses "Next" on the prompt, or "Try again" on the error screen. */
  next(): Promise<DisplayedPage> {
    return this.#pressOrSend('next');
  }

  /**
   * Skips the prompt. If the page has no skip button, the form is sent anyway (A1).
   *
   * @param answer - id of the answer of an own campaign; the first one by default
   */
  async skip(answer?: string): Promise<DisplayedPage> {
    if (answer !== undefined) return this.#pressOrSend(toAnswerControl(answer));
    await this.#reopen();
    const [first] = listAnswers(await this.#read());
    return this.#pressOrSend(first === undefined ? 'skip' : toAnswerControl(first));
  }

  /** Skips the error screen. If the page has no such button, the form is sent anyway. */
  skipError(): Promise<DisplayedPage> {
    return this.#pressOrSend('skip-error');
  }

  /**
   * Opens the setup from any page of the prompt. Returns its method, `own` for the setup of an own campaign without a
   * ceremony, or `null` if the setup was not reached.
   */
  async reachSetup(): Promise<TargetedMethod | 'own' | null> {
    await this.#reopen();
    if (!setupPages.includes((await this.#read()).name)) await this.next();
    const page = await this.#read();
    if (!setupPages.includes(page.name)) return null;
    if (hasControl(page, 'complete-setup')) return 'own';
    return hasControl(page, 'try-app') || page.name === 'setup-test' ? 'vendorAuthenticator' : 'fido2';
  }

  /**
   * Sets up the app on the setup page, which may have expired: scans the code and approves the test notification on
   * the phone.
   */
  async registerApp(): Promise<DisplayedPage> {
    const transport = await this.#reopen();
    if (hasControl(await this.#read(), 'try-app')) await transport.press('try-app');
    if ((await this.#read()).number !== null) await transport.approveOnPhone();
    if (hasControl(await this.#read(), 'finish')) await transport.press('finish');
    return this.display();
  }

  /**
   * Sets up a passkey with the proposed name on the setup page, which may have expired. `create` creates the passkey.
   */
  async registerPasskey(create: () => Promise<void>): Promise<DisplayedPage> {
    const transport = await this.#reopen();
    if (hasControl(await this.#read(), 'make-passkey')) await create();
    const page = await this.#read();
    if (hasControl(page, 'name-passkey')) {
      const proposed = page.forms.flatMap(({ fields }) => fields).find(({ control }) => control === 'passkey-name');
      const texts = proposed?.value === '' ? { 'passkey-name': 'Test passkey' } : {};
      await transport.press('name-passkey', { texts });
    }
    return this.display();
  }

  /** Completes the setup of an own campaign without a ceremony: enters what its page requests. */
  async completeSetup({ code, password }: Pick<Credentials, 'code' | 'password'>): Promise<DisplayedPage> {
    const transport = await this.#reopen();
    const page = await this.#read();
    const known = { 'setup-code': code, 'new-password': password, 'repeated-password': password };
    const texts = Object.fromEntries(Object.entries(known).filter(([control]) => hasControl(page, control)));
    const checks = page.forms.flatMap(({ boxes }) => boxes.flatMap(({ control }) => control ?? []));
    await transport.press('complete-setup', { texts, checks });
    return this.display();
  }

  /**
   * Fails the setup. `create` creates a passkey that the authenticator rejects. Without it, the user reports the
   * failure.
   */
  async failSetup(create?: () => Promise<void>): Promise<DisplayedPage> {
    const transport = await this.#reopen();
    if (create !== undefined && hasControl(await this.#read(), 'make-passkey')) await create();
    else await transport.press('fail');
    return this.display();
  }

  /** Reloads the sign-in, like a browser that returns to it. */
  async reload(): Promise<DisplayedPage> {
    await (await this.#tab.ensureOpen()).open(this.formOrFail().url);
    return this.display();
  }

  /** Returns the URL and token of the sign-in's forms. Throws `driver-failed` if no sign-in is in progress. */
  formOrFail(): SignInForm {
    if (this.#form !== null) return this.#form;
    throw new NudgeLabError('driver-failed', { message: 'No sign-in is in progress in this tab.' });
  }

  /** Reads the current page. */
  async display(): Promise<DisplayedPage> {
    const { status } = await this.#tab.ensureOpen();
    const page = await this.#read();
    const { name, error, signals, snoozesLeft } = page;
    return {
      status,
      page: name,
      skippable: promptPages.includes(name) ? hasControl(page, 'skip') : null,
      answers: promptPages.includes(name) ? listAnswers(page) : [],
      interstitials: [...this.#interstitials],
      error,
      signInId: this.#signInId,
      snoozesLeft,
      signals,
    };
  }

  /** Completes a page before the prompt. Returns false if the sign-in stops at the page. */
  async #passPage(transport: PageTransport, page: ParsedPage, credentials: Credentials): Promise<boolean> {
    const { name: username, password, pickPasskey } = credentials;
    switch (page.name) {
      case 'name':
        this.#factors.push('name');
        if (pickPasskey !== undefined) {
          this.#factors.push('passkey');
          return pickPasskey();
        }
        await transport.press('next', { texts: { username } });
        return true;
      case 'password':
        this.#factors.push('password');
        await transport.press('submit-password', { texts: { password } });
        return true;
      case 'mfa':
        await this.#completeMfa(transport, page, credentials);
        return true;
      case 'external-mfa':
        this.#factors.push('elsewhere');
        await transport.press('continue');
        return true;
      default:
        // A blocked sign-in has no way on.
        if (!interstitialPages.includes(page.name) || !hasControl(page, 'continue')) return false;
        await transport.press('continue');
        return true;
    }
  }

  async #completeMfa(transport: PageTransport, page: ParsedPage, { code, usePasskey }: Credentials): Promise<void> {
    const factor = secondFactorOn(page);
    this.#factors.push(factor);
    if (factor === 'code') return transport.press('verify-code', { texts: { code } });
    if (factor === 'number') {
      await transport.approveOnPhone();
      return transport.press('check-push');
    }
    if (usePasskey === undefined) {
      throw new NudgeLabError('driver-failed', {
        message: 'The page requests a passkey, but no authenticator has one.',
      });
    }
    return usePasskey();
  }

  /** Opens the list of methods under "Sign in another way" and selects one of them. */
  async #chooseOtherWay(transport: PageTransport, page: ParsedPage, wanted: MfaMethod): Promise<void> {
    if (!hasControl(page, 'other-method')) throw wayNotOffered(wanted, []);
    this.#factors.push(secondFactorOn(page), 'choice');
    await transport.press('other-method');
    const offered = (await this.#read()).forms.flatMap(({ choices }) => choices.map(({ value }) => value));
    if (!offered.includes(wanted)) throw wayNotOffered(wanted, offered as readonly MfaMethod[]);
    await transport.press('use-method', { choice: wanted });
  }

  async #pressOrSend(control: 'next' | 'skip' | 'skip-error' | AnswerControl): Promise<DisplayedPage> {
    const transport = await this.#reopen();
    if (hasControl(await this.#read(), control)) await transport.press(control);
    else await transport.send(this.formOrFail(), control);
    return this.display();
  }

  async #read(): Promise<ParsedPage> {
    const transport = await this.#tab.ensureOpen();
    const page = transport.arrivedAt === null ? await transport.read() : applicationPage;
    this.#page = page;
    this.#signInId = page.signInId ?? this.#signInId;
    const form = page.forms.find(({ fields }) => fields.some(({ name }) => name === 'formToken'));
    if (form !== undefined) {
      const formToken = form.fields.find(({ name }) => name === 'formToken')?.value ?? '';
      this.#form = { url: new URL(form.action, transport.url).href, formToken };
    }
    return page;
  }

  /** Reopens a closed tab on the page of its sign-in. */
  async #reopen(): Promise<PageTransport> {
    const wasOpen = this.#tab.isOpen;
    const transport = await this.#tab.ensureOpen();
    if (!wasOpen) {
      await transport.open(this.formOrFail().url);
      await this.#read();
    }
    return transport;
  }
}

/** Page of the application, which does not belong to the server. */
const applicationPage: ParsedPage = {
  name: 'application',
  signInId: null,
  snoozesLeft: null,
  error: null,
  forms: [],
  links: {},
  number: null,
  hasBeacon: false,
  signals: null,
  upgrade: null,
};

/** Returns what the second-factor page requests. */
function secondFactorOn(page: ParsedPage): 'code' | 'number' | 'passkey' {
  if (page.number !== null) return 'number';
  return hasControl(page, 'code') ? 'code' : 'passkey';
}
