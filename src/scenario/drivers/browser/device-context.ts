import { stripVTControlCharacters } from 'node:util';
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { afterDelay } from '../../../core/clock.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import type { ClientHints, DeviceProfile } from './device-profiles.ts';

/** How long anything that is done at a page may take, in ms: a page that does not answer fails its step. */
export const actionTimeoutMs = 5_000;

/** What is kept of a browser that was closed, so that it can be opened again where it was: its cookies. */
export type KeptState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/** Browser context options of a device. */
export interface DeviceContextOptions {
  /** `null` for the browser as it is. */
  readonly profile: DeviceProfile | null;
  readonly kept: KeptState | null;
  /** The language that the browser prefers; English unless given. */
  readonly language?: string | undefined;
}

/**
 * Opens a browser context that is one device: its screen, and its cookies where it was open before. What the device says of
 * itself is set on each page, by `openDevicePage`.
 */
export async function openDeviceContext(
  browser: Browser,
  { profile, kept, language }: DeviceContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...(profile === null ? {} : screenOptions(profile)),
    ...(kept === null ? {} : { storageState: kept }),
    ...(language === undefined ? {} : { locale: language }),
  });
  context.setDefaultTimeout(actionTimeoutMs);
  if (profile !== null) await context.addInitScript({ content: navigatorScript(profile) });
  return context;
}

/**
 * Waits for something that has no timeout of its own. Takes what it is, for the message. Throws `driver-failed` when it takes
 * too long.
 */
export async function inTime<T>(what: string, task: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = afterDelay(actionTimeoutMs, () =>
    reject(new NudgeLabError('driver-failed', { message: `The ${what} took longer than ${actionTimeoutMs} ms.` })),
  );
  return Promise.race([task, late]).finally(cancel);
}

/** The message of an error, without the colors that Playwright gives its own. */
export function formatPlainMessage({ message }: Error): string {
  return stripVTControlCharacters(message);
}

/** A page of a device, with the protocol session that keeps up what it says of itself. */
export interface DevicePage {
  readonly page: Page;
  readonly protocol: CDPSession;
}

/** Opens a page that sends the user agent and the client hints of its device, or none where that browser sends none. */
export async function openDevicePage(context: BrowserContext, profile: DeviceProfile | null): Promise<DevicePage> {
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  if (profile !== null) {
    const { userAgent, platform, hints } = profile;
    // Without metadata no client hint is sent at all; Playwright's own option would make some up for any browser.
    await protocol.send('Emulation.setUserAgentOverride', {
      userAgent,
      platform,
      ...(hints === null ? {} : { userAgentMetadata: metadataOf(hints) }),
    });
  }
  return { page, protocol };
}

/**
 * Ends the process of a page on the spot, so that no script of it has a last word. Closing the context alone is a race: a page
 * may still hear that it goes and send its beacon (A25). Throws `driver-failed` when the process does not end.
 */
export async function killPage({ page, protocol }: DevicePage): Promise<void> {
  const gone = new Promise<void>((resolve) => page.once('crash', () => resolve()));
  // The dead process cannot answer: its end is the answer.
  protocol.send('Page.crash').catch(() => undefined);
  await inTime('end of the page', gone);
}

function metadataOf(hints: ClientHints) {
  const { brands, fullVersionList, mobile, ...rest } = hints;
  return {
    ...rest,
    mobile,
    brands: [...brands],
    fullVersionList: [...fullVersionList],
    formFactors: [mobile ? 'Mobile' : 'Desktop'],
  };
}

function screenOptions({ screen }: DeviceProfile): BrowserContextOptions {
  return {
    viewport: { width: screen.width, height: screen.height },
    screen: { width: screen.width, height: screen.height },
    deviceScaleFactor: screen.scale,
    hasTouch: screen.touch,
    isMobile: screen.mobile,
  };
}

/** What scripts are told besides the user agent: the vendor, and no client hints where the browser knows none. */
function navigatorScript({ vendor, hints }: DeviceProfile): string {
  const noHints = hints === null ? 'delete Navigator.prototype.userAgentData;' : '';
  return `${noHints}Object.defineProperty(Navigator.prototype, 'vendor', { get: () => ${JSON.stringify(vendor)} });`;
}
