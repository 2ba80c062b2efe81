import type { Browser, BrowserContext } from 'playwright-core';
import type { OperatingSystem } from '../../../../machines/vocabulary.ts';
import type { PageControl } from '../../../contract/page-controls.ts';
import type { ObservedCeremony } from '../../driver.ts';
import type { ApplicationTab } from '../http/application-flow.ts';
import type { OwnPasskey } from '../http/authenticators.ts';
import type { SignInTab } from '../pages/page-transport.ts';
import { SignInFlow } from '../pages/sign-in-flow.ts';
import { ApplicationArrival } from './application-arrival.ts';
import { BrowserPages } from './browser-pages.ts';
import {
  type DevicePage,
  inTime,
  type KeptState,
  killPage,
  openDeviceContext,
  openDevicePage,
} from './device-context.ts';
import type { DeviceProfile } from './device-profiles.ts';
import type { PasskeyTab } from './passkey-actions.ts';
import { TabAuthenticator } from './tab-authenticator.ts';
import { captureThumbnail } from './thumbnail.ts';

/** Device of a tab. */
export interface TabDevice {
  /** Profile of the device, or `null` to use the browser unchanged if no profile matches. */
  readonly profile: DeviceProfile | null;
  readonly os: OperatingSystem;
  readonly deviceId: string;
  /** True to record every passkey ceremony. A software authenticator is then installed from the start. */
  readonly watched?: boolean;
  /** Preferred language of the browser. The default is English. */
  readonly language?: string | undefined;
}

/** Receives each device context that a tab opens, and again before it closes. */
export interface TabWatcher {
  opened(context: BrowserContext): Promise<void>;
  closing(context: BrowserContext): Promise<void>;
}

/** Open device context with its page. */
interface Opened {
  readonly pages: BrowserPages;
  readonly authenticator: TabAuthenticator;
  readonly context: BrowserContext;
  readonly shown: DevicePage;
}

/**
 * Tab of a real browser on its own device, for one sign-in. Any action on a closed tab reopens it first.
 */
export class BrowserTab implements SignInTab, PasskeyTab, ApplicationTab {
  /** Sign-in in this tab. */
  readonly flow = new SignInFlow(this);
  readonly #browser: Browser;
  readonly #device: TabDevice;
  readonly #watcher: TabWatcher | null;
  #opened: Opened | null = null;
  #kept: KeptState | null = null;
  /** Start of the URLs of the waiting application, or `null` if there is none. */
  #application: string | null = null;

  constructor(browser: Browser, device: TabDevice, watcher: TabWatcher | null) {
    this.#browser = browser;
    this.#device = device;
    this.#watcher = watcher;
  }

  get os(): OperatingSystem {
    return this.#device.os;
  }

  get deviceId(): string {
    return this.#device.deviceId;
  }

  get isOpen(): boolean {
    return this.#opened !== null;
  }

  /** Returns the URL at which the application was reached, or `null` before that and in a closed tab. */
  get arrivedAt(): string | null {
    return this.#opened?.pages.arrivedAt ?? null;
  }

  /**
   * Opens a URL. `application` is the start of the application's URLs, or `null` if no application waits for a
   * response.
   */
  async visit(address: string, application: string | null): Promise<void> {
    this.#application = application;
    const opened = this.#opened;
    if (opened !== null) this.#opened = { ...opened, pages: await this.#createPages(opened.shown) };
    await this.flow.visit(address);
  }

  /** Returns the name of the current page. */
  pageName(): Promise<string> {
    return this.flow.pageName();
  }

  press(control: PageControl): Promise<void> {
    return this.flow.press(control);
  }

  /** Sets the cookies of the browser that the tab belongs to, which are `null` for a new browser. */
  async takeCookies(kept: KeptState | null): Promise<void> {
    this.#kept = kept;
    if (this.#opened === null) return;
    const { context } = this.#opened;
    await inTime('cookie update', context.clearCookies());
    if (kept !== null) await inTime('cookie update', context.addCookies(kept.cookies));
  }

  /** Returns the current cookies. */
  async cookies(): Promise<KeptState | null> {
    if (this.#opened !== null) this.#kept = await inTime('cookie capture', this.#opened.context.storageState());
    return this.#kept;
  }

  /** Closes the page like a user. The browser runs the unload handlers of the page (A41). */
  async close(): Promise<void> {
    if (this.#opened === null) return;
    const { context, pages } = this.#opened;
    await inTime('closing of the page', pages.page.close());
    this.#kept = await inTime('cookie capture', context.storageState());
    this.#opened = null;
    await this.#closeDevice(context);
  }

  /** Removes the device abruptly, so the page sends nothing. */
  async vanish(): Promise<void> {
    if (this.#opened === null) return;
    const { context, shown } = this.#opened;
    this.#kept = await inTime('cookie capture', context.storageState());
    this.#opened = null;
    await killPage(shown);
    await this.#closeDevice(context);
  }

  /** Closes everything permanently. A crashed browser has nothing left to close. */
  async end(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    if (opened !== null) await this.#closeDevice(opened.context).catch(() => undefined);
  }

  async #closeDevice(context: BrowserContext): Promise<void> {
    if (this.#watcher !== null) await inTime('end of the trace', this.#watcher.closing(context));
    await inTime('closing of the device', context.close());
  }

  /** Returns the passkeys of this tab's authenticator with their keys, or none if the tab is closed. */
  async madePasskeys(): Promise<readonly OwnPasskey[]> {
    return this.#opened === null ? [] : this.#opened.authenticator.held();
  }

  /** Returns the last passkey ceremony since the previous call, or `null` if there was none or the tab is closed. */
  takeCeremony(isUpgrade = false): ObservedCeremony | null {
    return this.#opened === null ? null : this.#opened.authenticator.takeCeremony(isUpgrade);
  }

  /** Takes a screenshot of the page as PNG, or returns `null` if the tab is closed. */
  async picture(): Promise<Buffer | null> {
    return this.#opened === null ? null : this.#opened.pages.page.screenshot({ fullPage: true });
  }

  /**
   * Takes a screenshot of the visible area as WebP, small enough for a report, or returns `null` if the tab is
   * closed.
   */
  async smallPicture(): Promise<Buffer | null> {
    return this.#opened === null ? null : captureThumbnail(this.#opened.pages.page);
  }

  /** Returns the open pages and reopens the device if it was closed. */
  async ensureOpen(): Promise<BrowserPages> {
    return (await this.#open()).pages;
  }

  /** Returns the authenticator of the device and reopens the device if it was closed. */
  async authenticator(): Promise<TabAuthenticator> {
    return (await this.#open()).authenticator;
  }

  async #open(): Promise<Opened> {
    if (this.#opened !== null) return this.#opened;
    const { profile, language } = this.#device;
    const context = await openDeviceContext(this.#browser, { profile, kept: this.#kept, language });
    await this.#watcher?.opened(context);
    const devicePage = await openDevicePage(context, profile);
    const authenticator = new TabAuthenticator(context, devicePage.protocol);
    if (this.#device.watched === true) await authenticator.watch();
    this.#opened = { context, shown: devicePage, pages: await this.#createPages(devicePage), authenticator };
    return this.#opened;
  }

  async #createPages({ page, protocol }: DevicePage): Promise<BrowserPages> {
    const application = this.#application;
    return new BrowserPages(
      page,
      application === null ? null : await ApplicationArrival.watch(page, protocol, application),
    );
  }
}
