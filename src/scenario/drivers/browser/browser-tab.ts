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

/** The device that a tab is on. */
export interface TabDevice {
  /** `null` for the browser as it is, where no profile can express the wish. */
  readonly profile: DeviceProfile | null;
  readonly os: OperatingSystem;
  readonly deviceId: string;
  /** Whether every passkey ceremony is noted; then a software authenticator is there from the beginning. */
  readonly watched?: boolean;
  /** The language that the browser prefers; English unless given. */
  readonly language?: string | undefined;
}

/** Hears of each device that a tab opens. */
export interface TabWatcher {
  opened(context: BrowserContext): Promise<void>;
}

/** What is open in the browser: one device with one page. */
interface Opened {
  readonly pages: BrowserPages;
  readonly authenticator: TabAuthenticator;
  readonly context: BrowserContext;
  readonly shown: DevicePage;
}

/**
 * One tab of a real browser, on a device of its own, in which someone signs in. Whatever is done to a tab that was closed
 * opens it again first.
 */
export class BrowserTab implements SignInTab, PasskeyTab, ApplicationTab {
  /** The sign-in in this tab. */
  readonly flow = new SignInFlow(this);
  readonly #browser: Browser;
  readonly #device: TabDevice;
  readonly #watcher: TabWatcher | null;
  #opened: Opened | null = null;
  #kept: KeptState | null = null;
  /** How addresses of the application begin that waits; `null` without one. */
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

  /** The address at which the application was reached again; `null` before, and in a tab that is closed. */
  get arrivedAt(): string | null {
    return this.#opened?.pages.arrivedAt ?? null;
  }

  /** Goes to an address. Takes how addresses of the application begin; `null` where none waits for an answer. */
  async visit(address: string, application: string | null): Promise<void> {
    this.#application = application;
    const opened = this.#opened;
    if (opened !== null) this.#opened = { ...opened, pages: await this.#createPages(opened.shown) };
    await this.flow.visit(address);
  }

  /** The name of the page that it shows. */
  pageName(): Promise<string> {
    return this.flow.pageName();
  }

  press(control: PageControl): Promise<void> {
    return this.flow.press(control);
  }

  /** Takes over the cookies of the browser whose tab it is; `null` for a browser that has none. */
  async takeCookies(kept: KeptState | null): Promise<void> {
    this.#kept = kept;
    if (this.#opened === null) return;
    const { context } = this.#opened;
    await inTime('change of the cookies', context.clearCookies());
    if (kept !== null) await inTime('change of the cookies', context.addCookies(kept.cookies));
  }

  /** The cookies that it has now. */
  async cookies(): Promise<KeptState | null> {
    if (this.#opened !== null) this.#kept = await inTime('reading of the cookies', this.#opened.context.storageState());
    return this.#kept;
  }

  /** Closes the page as a person does: the browser runs what the page has to say at the end (A41). */
  async close(): Promise<void> {
    if (this.#opened === null) return;
    const { context, pages } = this.#opened;
    await inTime('closing of the page', pages.page.close());
    this.#kept = await inTime('reading of the cookies', context.storageState());
    this.#opened = null;
    await inTime('closing of the device', context.close());
  }

  /** The device is gone without a word: the page sends nothing. */
  async vanish(): Promise<void> {
    if (this.#opened === null) return;
    const { context, shown } = this.#opened;
    this.#kept = await inTime('reading of the cookies', context.storageState());
    this.#opened = null;
    await killPage(shown);
    await inTime('closing of the device', context.close());
  }

  /** Closes what is open for good; a browser that has died has nothing left to close. */
  async end(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    if (opened !== null) await inTime('closing of the device', opened.context.close()).catch(() => undefined);
  }

  /** The passkeys that the authenticator of this tab holds, with their keys; none when the tab is closed. */
  async madePasskeys(): Promise<readonly OwnPasskey[]> {
    return this.#opened === null ? [] : this.#opened.authenticator.held();
  }

  /** The last passkey ceremony since this was asked before; `null` for none, and in a tab that is closed. */
  takeCeremony(isUpgrade = false): ObservedCeremony | null {
    return this.#opened === null ? null : this.#opened.authenticator.takeCeremony(isUpgrade);
  }

  /** A picture of the page as it stands, in PNG; `null` when the tab is closed. */
  async picture(): Promise<Buffer | null> {
    return this.#opened === null ? null : this.#opened.pages.page.screenshot({ fullPage: true });
  }

  /** The part of the page that is seen, in WebP and so small that a report can carry it; `null` when the tab is closed. */
  async smallPicture(): Promise<Buffer | null> {
    return this.#opened === null ? null : captureThumbnail(this.#opened.pages.page);
  }

  /** What is open; opens the device again where it was closed. */
  async ensureOpen(): Promise<BrowserPages> {
    return (await this.#open()).pages;
  }

  /** The authenticator of the device, which is opened where it was closed. */
  async authenticator(): Promise<TabAuthenticator> {
    return (await this.#open()).authenticator;
  }

  async #open(): Promise<Opened> {
    if (this.#opened !== null) return this.#opened;
    const { profile, language } = this.#device;
    const context = await openDeviceContext(this.#browser, { profile, kept: this.#kept, language });
    await this.#watcher?.opened(context);
    const shown = await openDevicePage(context, profile);
    const authenticator = new TabAuthenticator(context, shown.protocol);
    if (this.#device.watched === true) await authenticator.watch();
    this.#opened = { context, shown, pages: await this.#createPages(shown), authenticator };
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
