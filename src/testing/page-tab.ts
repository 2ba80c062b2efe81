import type { Page } from '@playwright/test';
import type { BrowserContext, CDPSession, Page as DrivenPage } from 'playwright-core';
import type { OperatingSystem, PasskeyType } from '../../machines/vocabulary.ts';
import type { Misbehavior } from '../authenticators/misbehavior.ts';
import type { PageControl } from '../contract/page-controls.ts';
import { defaultPasskeyType } from '../contract/step-names.ts';
import { ApplicationArrival } from '../scenario/drivers/browser/application-arrival.ts';
import { BrowserPages } from '../scenario/drivers/browser/browser-pages.ts';
import type { PasskeyTab } from '../scenario/drivers/browser/passkey-actions.ts';
import { TabAuthenticator } from '../scenario/drivers/browser/tab-authenticator.ts';
import type { ApplicationFlow, ApplicationTab } from '../scenario/drivers/http/application-flow.ts';
import type { SignInTab } from '../scenario/drivers/pages/page-transport.ts';
import { type Credentials, SignInFlow } from '../scenario/drivers/pages/sign-in-flow.ts';

/** URL to open when a page is left. The previous page runs its unload handlers, as it does when it is closed. */
const nowhere = 'about:blank';

/** Authenticators by browser context, because the pages of a context share one. */
const authenticators = new WeakMap<object, TabAuthenticator>();

/** Page of a test, used as the tab of a sign-in. */
export class PageTab implements SignInTab, PasskeyTab, ApplicationTab {
  /** Sign-in in this tab. */
  readonly flow = new SignInFlow(this);
  /** Application at which the sign-in started, or `null` if there is none. */
  application: ApplicationFlow | null = null;
  /** Code and password of the user of the latest sign-in. */
  secrets: Pick<Credentials, 'code' | 'password'> = { code: '', password: '' };
  #pages: BrowserPages;
  #arrival: ApplicationArrival | null = null;
  readonly #authenticator: TabAuthenticator;
  #os: OperatingSystem = 'windows';
  #deviceId = 'device-1';
  #left = false;
  #chosen = false;

  private constructor(pages: BrowserPages, authenticator: TabAuthenticator) {
    this.#pages = pages;
    this.#authenticator = authenticator;
  }

  /** Creates a tab for a page of a test. */
  static async of(page: Page): Promise<PageTab> {
    // The page comes from the test runner's own copy of the same library.
    const driven = page as unknown as DrivenPage;
    const context = driven.context();
    const known = authenticators.get(context) ?? new TabAuthenticator(context, await findProtocol(context, driven));
    authenticators.set(context, known);
    return new PageTab(new BrowserPages(driven), known);
  }

  get os(): OperatingSystem {
    return this.#os;
  }

  get deviceId(): string {
    return this.#deviceId;
  }

  get isOpen(): boolean {
    return !this.#left;
  }

  /** Returns true if the test has selected an authenticator. */
  get hasAuthenticator(): boolean {
    return this.#chosen;
  }

  /** Returns the URL at which the browser returned to its application, or `null` before that. */
  get arrivedAt(): string | null {
    return this.#pages.arrivedAt;
  }

  /**
   * Opens a URL. `application` is the start of the application's URLs, or `null` if no application waits for a
   * response.
   */
  async visit(address: string, application: string | null): Promise<void> {
    const { page } = this.#pages;
    await this.stopStandingIn();
    const protocol = application === null ? null : await findProtocol(page.context(), page);
    this.#arrival = application === null ? null : await ApplicationArrival.watch(page, protocol, application);
    this.#pages = new BrowserPages(page, this.#arrival);
    await this.flow.visit(address);
  }

  /** Returns the name of the current page. */
  pageName(): Promise<string> {
    return this.flow.pageName();
  }

  press(control: PageControl): Promise<void> {
    return this.flow.press(control);
  }

  /** Stops answering requests to the application, so the test can open its real pages. */
  async stopStandingIn(): Promise<void> {
    const arrival = this.#arrival;
    this.#arrival = null;
    await arrival?.stop();
  }

  /** Changes the system or the device of the tab, if given. */
  become(os: OperatingSystem | undefined, deviceId: string | undefined): void {
    this.#os = os ?? this.#os;
    this.#deviceId = deviceId ?? this.#deviceId;
  }

  /** Returns the pages of the tab. If the page was left, the caller must load it again. */
  async ensureOpen(): Promise<BrowserPages> {
    this.#left = false;
    return this.#pages;
  }

  async authenticator(): Promise<TabAuthenticator> {
    return this.#authenticator;
  }

  /** Leaves the page. */
  async leave(): Promise<void> {
    await this.#pages.page.goto(nowhere);
    this.#left = true;
  }

  /** Replaces the browser's own authenticator with one of a passkey type, and reloads an open page if necessary. */
  async useAuthenticator(type: PasskeyType | undefined, misbehavior: Misbehavior): Promise<void> {
    const { page } = this.#pages;
    const wanted = { type: type ?? defaultPasskeyType(this.#os), os: this.#os, deviceId: this.#deviceId };
    const readiness = await this.#authenticator.prepare({ ...wanted, restricted: true }, misbehavior);
    this.#chosen = true;
    if (readiness === 'after-reload' && page.url() !== nowhere) await page.reload();
  }
}

/**
 * Opens a protocol session of Chromium, which creates its virtual authenticators. Returns `null` in other browsers.
 */
async function findProtocol(context: BrowserContext, page: DrivenPage): Promise<CDPSession | null> {
  const isChromium = context.browser()?.browserType().name() === 'chromium';
  return isChromium ? context.newCDPSession(page) : null;
}
