import { stripVTControlCharacters } from 'node:util';
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { afterDelay } from '../../../core/clock.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { getTelemetry } from '../../../core/telemetry.ts';
import type { ClientHints, DeviceProfile } from './device-profiles.ts';

/** Timeout of any action on a page, in milliseconds. A page that does not respond fails its step. */
export const actionTimeoutMs = 5_000;

/** Stored data of a closed browser, so it can be reopened in the same state: its cookies. */
export type KeptState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/** Browser context options of a device. */
export interface DeviceContextOptions {
  /** Profile of the device, or `null` to use the browser unchanged. */
  readonly profile: DeviceProfile | null;
  readonly kept: KeptState | null;
  /** Preferred language of the browser. The default is English. */
  readonly language?: string | undefined;
}

/**
 * Opens a browser context for one device with its screen, and with the cookies of an earlier context. Its requests
 * continue the trace of the scenario, if there is one.
 * `openDevicePage` sets the user agent data on each page.
 */
export async function openDeviceContext(
  browser: Browser,
  { profile, kept, language }: DeviceContextOptions,
): Promise<BrowserContext> {
  const span = getTelemetry()?.current() ?? null;
  const context = await browser.newContext({
    ...(span === null ? {} : { extraHTTPHeaders: { traceparent: span.traceparent } }),
    ...(profile === null ? {} : screenOptions(profile)),
    ...(kept === null ? {} : { storageState: kept }),
    ...(language === undefined ? {} : { locale: language }),
  });
  context.setDefaultTimeout(actionTimeoutMs);
  if (profile !== null) await context.addInitScript({ content: navigatorScript(profile) });
  return context;
}

/**
 * Waits for a task without its own timeout. Throws `driver-failed` on a timeout.
 *
 * @param what - name of the task for the error message
 * @param task - task to wait for
 */
export async function inTime<T>(what: string, task: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = afterDelay(actionTimeoutMs, () =>
    reject(new NudgeLabError('driver-failed', { message: `The ${what} took longer than ${actionTimeoutMs} ms.` })),
  );
  return Promise.race([task, late]).finally(cancel);
}

/** Returns the message of an error without the color codes of Playwright. */
export function formatPlainMessage({ message }: Error): string {
  return stripVTControlCharacters(message);
}

/** Page of a device, with the protocol session that overrides its user agent data. */
export interface DevicePage {
  readonly page: Page;
  readonly protocol: CDPSession;
}

/**
 * Opens a page that sends the user agent and client hints of its device. No hints are sent if that browser sends
 * none.
 */
export async function openDevicePage(context: BrowserContext, profile: DeviceProfile | null): Promise<DevicePage> {
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  if (profile !== null) {
    const { userAgent, platform, hints } = profile;
    // Without metadata no client hints are sent. Playwright's own option would generate some for any browser.
    await protocol.send('Emulation.setUserAgentOverride', {
      userAgent,
      platform,
      ...(hints === null ? {} : { userAgentMetadata: createMetadata(hints) }),
    });
  }
  return { page, protocol };
}

/**
 * Kills the process of a page, so none of its scripts can run any more. Closing the context is a race, because the
 * page may notice it and send its beacon (A25). Throws `driver-failed` if the process does not end.
 */
export async function killPage({ page, protocol }: DevicePage): Promise<void> {
  const gone = new Promise<void>((resolve) => page.once('crash', () => resolve()));
  // The killed process sends no response, so its end is detected instead.
  protocol.send('Page.crash').catch(() => undefined);
  await inTime('closing of the page', gone);
}

function createMetadata(hints: ClientHints) {
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

/** Returns a script that overrides the vendor and, if the browser has none, removes the client hints. */
function navigatorScript({ vendor, hints }: DeviceProfile): string {
  const noHints = hints === null ? 'delete Navigator.prototype.userAgentData;' : '';
  return `${noHints}Object.defineProperty(Navigator.prototype, 'vendor', { get: () => ${JSON.stringify(vendor)} });`;
}
