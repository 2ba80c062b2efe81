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
import { SignInFlow } from '../scenario/drivers/pages/sign-in-flow.ts';

/** Where a page goes that someone leaves: the page before it hears that it is left, as it does when it is closed. */
const nowhere = 'about:blank';

/** One authenticator a context: its pages share it. */
const authenticators = new WeakMap<object, TabAuthenticator>();

/** A page of a test as a tab in which someone signs in. */
export class PageTab implements SignInTab, PasskeyTab, ApplicationTab {
  /** The sign-in in this tab. */
  readonly flow = new SignInFlow(this);
  /** The application at which the sign-in began; `null` without one. */
  application: ApplicationFlow | null = null;
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

  /** Takes over a page. */
  static async of(page: Page): Promise<PageTab> {
    // The page comes from the test runner's own copy of the same library.
    const driven = page as unknown as DrivenPage;
    const context = driven.context();
    const known = authenticators.get(context) ?? new TabAuthenticator(context, await protocolOf(context, driven));
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

  /** Whether the test has chosen an authenticator. */
  get hasAuthenticator(): boolean {
    return this.#chosen;
  }

  /** The address at which the application was reached again; `null` before. */
  get arrivedAt(): string | null {
    return this.#pages.arrivedAt;
  }

  /** Goes to an address. Takes how addresses of the application begin; `null` where none waits for an answer. */
  async visit(address: string, application: string | null): Promise<void> {
    const { page } = this.#pages;
    await this.stopStandingIn();
    const protocol = application === null ? null : await protocolOf(page.context(), page);
    this.#arrival = application === null ? null : await ApplicationArrival.watch(page, protocol, application);
    this.#pages = new BrowserPages(page, this.#arrival);
    await this.flow.visit(address);
  }

  /** The name of the page that it shows. */
  pageName(): Promise<string> {
    return this.flow.pageName();
  }

  press(control: PageControl): Promise<void> {
    return this.flow.press(control);
  }

  /** Stands in for the application no longer, so that the page of the test may go to its own. */
  async stopStandingIn(): Promise<void> {
    const arrival = this.#arrival;
    this.#arrival = null;
    await arrival?.stop();
  }

  /** Is another device from now on, where one is given. */
  become(os: OperatingSystem | undefined, deviceId: string | undefined): void {
    this.#os = os ?? this.#os;
    this.#deviceId = deviceId ?? this.#deviceId;
  }

  /** Returns the page. The caller loads a page that was left again. */
  async ensureOpen(): Promise<BrowserPages> {
    this.#left = false;
    return this.#pages;
  }

  async authenticator(): Promise<TabAuthenticator> {
    return this.#authenticator;
  }

  /** Goes away from the page. */
  async leave(): Promise<void> {
    await this.#pages.page.goto(nowhere);
    this.#left = true;
  }

  /** Puts an authenticator of a kind into the place of the browser's own, and loads a page again that is open. */
  async useAuthenticator(type: PasskeyType | undefined, misbehavior: Misbehavior): Promise<void> {
    const { page } = this.#pages;
    const wanted = { type: type ?? defaultPasskeyType(this.#os), os: this.#os, deviceId: this.#deviceId };
    const readiness = await this.#authenticator.prepare({ ...wanted, restricted: true }, misbehavior);
    this.#chosen = true;
    if (readiness === 'after-reload' && page.url() !== nowhere) await page.reload();
  }
}

/** The protocol of Chromium, by which its own authenticators are made; other browsers have none. */
async function protocolOf(context: BrowserContext, page: DrivenPage): Promise<CDPSession | null> {
  const isChromium = context.browser()?.browserType().name() === 'chromium';
  return isChromium ? context.newCDPSession(page) : null;
}
