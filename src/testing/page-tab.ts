import type { Page } from '@playwright/test';
import type { BrowserContext, CDPSession, Page as DrivenPage } from 'playwright-core';
import type { OperatingSystem, PasskeyType } from '../../machines/vocabulary.ts';
import type { Misbehavior } from '../authenticators/misbehavior.ts';
import { defaultPasskeyType } from '../contract/step-names.ts';
import { ApplicationArrival } from '../scenario/drivers/browser/application-arrival.ts';
import type { DisplayedPage } from '../scenario/drivers/browser/sign-in-navigation.ts';
import { type OpenPlace, SignInNavigation, type WalkPlace } from '../scenario/drivers/browser/sign-in-navigation.ts';
import { SignInPages } from '../scenario/drivers/browser/sign-in-pages.ts';
import { TabAuthenticator } from '../scenario/drivers/browser/tab-authenticator.ts';
import type { ApplicationJourney, ApplicationTab } from '../scenario/drivers/http/application-journey.ts';

/** Where a page goes that somebody leaves: the page before it hears that it is left, as it does when it is closed. */
const nowhere = 'about:blank';

/** One authenticator a context: its pages share it. */
const authenticators = new WeakMap<object, TabAuthenticator>();

/** A page of a test as a tab in which somebody signs in. */
export class PageTab implements WalkPlace, ApplicationTab {
  readonly walk: SignInNavigation;
  /** The application at which the sign-in began; `null` without one. */
  application: ApplicationJourney | null = null;
  #pages: SignInPages;
  #arrival: ApplicationArrival | null = null;
  readonly #authenticator: TabAuthenticator;
  #os: OperatingSystem = 'windows';
  #deviceId = 'device-1';
  #left = false;
  #chosen = false;

  private constructor(pages: SignInPages, authenticator: TabAuthenticator) {
    this.#pages = pages;
    this.#authenticator = authenticator;
    this.walk = new SignInNavigation(this);
  }

  /** Takes over a page. */
  static async of(page: Page): Promise<PageTab> {
    // The page comes from the test runner's own copy of the same library.
    const driven = page as unknown as DrivenPage;
    const context = driven.context();
    const known = authenticators.get(context) ?? new TabAuthenticator(context, await protocolOf(context, driven));
    authenticators.set(context, known);
    return new PageTab(new SignInPages(driven), known);
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
    this.#pages = new SignInPages(page, this.#arrival);
    await this.walk.visit(address);
  }

  /** The name of the page that it shows. */
  pageName(): Promise<string> {
    return this.walk.pageName();
  }

  press(label: string): Promise<void> {
    return this.walk.press(label);
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

  /** The page; one that was left is gone back to by whoever asks. */
  async open(): Promise<OpenPlace> {
    this.#left = false;
    return { pages: this.#pages, authenticator: this.#authenticator };
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

  /** Registers a passkey with the authenticator that the test has chosen. */
  async registerAsItIs(): Promise<DisplayedPage> {
    const method = await this.walk.reachSetup();
    if (method === null) return this.walk.shown();
    return method === 'fido2' ? this.walk.createPasskey() : this.walk.registerApp();
  }
}

/** The protocol of Chromium, by which its own authenticators are made; other browsers have none. */
async function protocolOf(context: BrowserContext, page: DrivenPage): Promise<CDPSession | null> {
  const isChromium = context.browser()?.browserType().name() === 'chromium';
  return isChromium ? context.newCDPSession(page) : null;
}
