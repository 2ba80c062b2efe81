import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDeviceContext, openDevicePage } from '../../../src/scenario/drivers/browser/device-context.ts';
import { type DeviceName, deviceProfile, namedDevices } from '../../../src/scenario/drivers/browser/device-profiles.ts';
import { findBrowser } from '../../../src/scenario/drivers/browser/find-browser.ts';
import { BrowserDriver } from '../../../src/scenario/drivers/browser.driver.ts';
import { nonEmpty } from '../../non-empty.ts';
import { sharedBrowser } from '../../shared-browser.ts';
import { startTestServer, type TestServer } from '../../test-server.ts';
import { createScenario } from './signed-in-server.ts';

const requestedHints =
  'Sec-CH-UA-Platform-Version, Sec-CH-UA-Model, Sec-CH-UA-Full-Version-List, Sec-CH-UA-Form-Factors';
const names = Object.keys(namedDevices) as readonly DeviceName[];
let browser: Browser;
let echo: Server;
let address: string;
let received: IncomingHttpHeaders[] = [];
let server: TestServer;

beforeAll(async () => {
  browser = await sharedBrowser();
  echo = createServer((request, response) => {
    received.push(request.headers);
    response
      .writeHead(200, { 'content-type': 'text/html', 'accept-ch': requestedHints })
      .end('<!doctype html><title>x</title>');
  });
  await new Promise<void>((resolve) => echo.listen(0, 'localhost', resolve));
  address = `http://localhost:${(echo.address() as AddressInfo).port}/`;
  server = await startTestServer();
}, 60_000);

afterAll(async () => {
  echo.close();
  await server.close();
});

interface ReportedDevice {
  /** Headers of the second request, sent after the server has requested all client hints. */
  readonly headers: IncomingHttpHeaders;
  readonly hints: readonly string[];
  readonly inPage: {
    readonly platform: string;
    readonly vendor: string;
    readonly brands: unknown;
    readonly wide: number;
  };
}

async function tell(name: DeviceName): Promise<ReportedDevice> {
  const profile = deviceProfile(namedDevices[name], browser.version());
  if (profile === null) throw new Error(`${name} has no profile.`);
  const context = await openDeviceContext(browser, { profile, kept: null });
  const { page } = await openDevicePage(context, profile);
  received = [];
  await page.goto(address);
  await page.goto(address);
  const inPage = (await page.evaluate(
    '({ platform: navigator.platform, vendor: navigator.vendor, brands: navigator.userAgentData?.brands ?? null, wide: screen.width })',
  )) as ReportedDevice['inPage'];
  await context.close();
  const headers = received.at(-1) ?? {};
  return { headers, hints: Object.keys(headers).filter((header) => header.startsWith('sec-ch-')), inPage };
}

describe('device profiles', { timeout: 240_000 }, () => {
  it.each(nonEmpty(names))('%s: the emulated user agent matches the one that the server receives', async (name) => {
    const { headers } = await tell(name);
    expect(headers['user-agent']).toBe(deviceProfile(namedDevices[name], browser.version())?.userAgent);
    expect(headers['user-agent']).not.toMatch(/headless/i);
  });

  it.each(['mac-other', 'ios'] as const)(
    '%s: sends no client hints, even if requested, and exposes none to scripts',
    async (name) => {
      const { hints, inPage } = await tell(name);
      expect(hints).toEqual([]);
      expect(inPage).toMatchObject({ vendor: 'Apple Computer, Inc.', brands: null });
    },
  );

  it('a Firefox identity sends no client hints', async () => {
    const profile = deviceProfile({ os: 'windows', browser: 'firefox' }, browser.version());
    const context = await openDeviceContext(browser, { profile, kept: null });
    const { page } = await openDevicePage(context, profile);
    received = [];
    await page.goto(address);
    await page.goto(address);
    await context.close();
    expect(received.at(-1)?.['user-agent']).toMatch(/Windows NT 10\.0.*Firefox\//);
    expect(Object.keys(received.at(-1) ?? {}).filter((header) => header.startsWith('sec-ch-'))).toEqual([]);
  });

  it.each([
    ['windows-chrome', '"Windows"', '?0', 'Google Chrome', 'Win32'],
    ['windows-other', '"Windows"', '?0', 'Microsoft Edge', 'Win32'],
    ['mac-chrome', '"macOS"', '?0', 'Google Chrome', 'MacIntel'],
    ['android', '"Android"', '?1', 'Google Chrome', 'Linux armv81'],
    ['linux', '"Linux"', '?0', 'Google Chrome', 'Linux x86_64'],
  ] as const)(
    '%s: header and script report the same system and brand',
    async (name, system, mobile, brand, platform) => {
      const { headers, inPage } = await tell(name);
      expect(headers).toMatchObject({ 'sec-ch-ua-platform': system, 'sec-ch-ua-mobile': mobile });
      expect(headers['sec-ch-ua']).toContain(`"${brand}";v="${browser.version().split('.')[0]}"`);
      expect(headers['sec-ch-ua-full-version-list']).toContain(`"Chromium";v="${browser.version()}"`);
      expect(inPage).toMatchObject({ platform, vendor: 'Google Inc.' });
      expect(JSON.stringify(inPage.brands)).toContain(brand);
    },
  );

  it('android and ios have the screen size of a phone', async () => {
    expect((await tell('android')).inPage.wide).toBeLessThan(500);
    expect((await tell('ios')).inPage.wide).toBeLessThan(500);
  });

  it('an unsupported combination has no profile', () => {
    expect(deviceProfile({ os: 'windows', browser: 'safari' }, '1.0')).toBeNull();
    expect(deviceProfile({ os: 'unknown', browser: 'chrome' }, '1.0')).toBeNull();
    expect(deviceProfile({ os: 'linux', browser: 'other' }, '1.0')).toBeNull();
  });

  it.each(nonEmpty(names))(
    '%s: the server derives system and browser from the browser’s headers, not from the driver',
    async (name) => {
      const { os, browser: named } = namedDevices[name];
      const scenario = createScenario(
        'passkey-enabled',
        `  - signIn: { user: ada, os: ${os}, browser: ${named} }\n    expect: { status: 200 }\n`,
      );
      const found = await findBrowser(process.env);
      const driver = new BrowserDriver({ controlUrl: server.controlUrl, browser: found, evidence: null });
      const session = await driver.open(scenario);
      const [step] = scenario.steps;
      if (step === undefined) throw new Error('The scenario has no step.');
      const { signInId = '' } = await session.perform(step);
      const journal = await session.journal();
      const sandbox = server.sandboxes.list().at(-1);
      const detail = await sandbox?.signIns.detail(signInId);
      await session.close();
      await driver.close();
      expect(detail?.attempt).toMatchObject({ os, browser: named });
      expect(journal?.map(({ event }) => event.type)).not.toContain('nextSignIn.set');
    },
  );
});
