import { describe, expect, it } from 'vitest';
import { observedDevice } from '../../src/server/identity/observed-device.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)';
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

/** User agents sent by browsers, with the device data derived from them. */
const inBrowsers = [
  ['Chrome on Windows', `${windows} ${blink} Chrome/143.0.0.0 Safari/537.36`, 'windows', 'chrome'],
  ['Edge on Windows', `${windows} ${blink} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`, 'windows', 'edge'],
  [
    'Firefox on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'windows',
    'firefox',
  ],
  ['Opera on Windows', `${windows} ${blink} Chrome/143.0.0.0 Safari/537.36 OPR/125.0.0.0`, 'windows', 'other'],
  ['Chrome on macOS', `${mac} ${blink} Chrome/143.0.0.0 Safari/537.36`, 'macos', 'chrome'],
  ['Edge on macOS', `${mac} ${blink} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`, 'macos', 'edge'],
  [
    'Firefox on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0',
    'macos',
    'firefox',
  ],
  ['Safari on macOS', `${mac} ${webkit} Version/18.6 Safari/605.1.15`, 'macos', 'safari'],
  ['Safari on an iPhone', `${iphone} ${webkit} Version/18.6 Mobile/15E148 Safari/604.1`, 'ios', 'safari'],
  ['Chrome on an iPhone', `${iphone} ${webkit} CriOS/143.0.7499.92 Mobile/15E148 Safari/604.1`, 'ios', 'chrome'],
  ['Firefox on an iPhone', `${iphone} ${webkit} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`, 'ios', 'firefox'],
  ['Edge on an iPhone', `${iphone} ${webkit} Version/18.0 EdgiOS/143.0 Mobile/15E148 Safari/605.1.15`, 'ios', 'edge'],
  [
    'Safari on an iPad that asks for mobile pages',
    `Mozilla/5.0 (iPad; CPU OS 16_7 like Mac OS X) ${webkit} Version/16.6 Mobile/15E148 Safari/604.1`,
    'ios',
    'safari',
  ],
  [
    'Chrome on an iPad that asks for desktop pages',
    `${mac} ${webkit} CriOS/143 Version/11.1.1 Safari/605.1.15`,
    'unknown',
    'chrome',
  ],
  [
    'Chrome on Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${blink} Chrome/143.0.0.0 Mobile Safari/537.36`,
    'android',
    'chrome',
  ],
  [
    'Edge on Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${blink} Chrome/143.0.0.0 Mobile Safari/537.36 EdgA/143.0.0.0`,
    'android',
    'edge',
  ],
  ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', 'android', 'firefox'],
  [
    'a handset vendor’s browser on Android',
    `Mozilla/5.0 (Linux; Android 15; SM-S921B) ${blink} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'android',
    'other',
  ],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${blink} Chrome/143.0.0.0 Safari/537.36`, 'linux', 'chrome'],
  [
    'Chrome without a window on Linux',
    `Mozilla/5.0 (X11; Linux x86_64) ${blink} HeadlessChrome/143.0.0.0 Safari/537.36`,
    'linux',
    'chrome',
  ],
  [
    'Firefox on Linux',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'linux',
    'firefox',
  ],
  [
    'Chrome on ChromeOS',
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Chrome/143.0.0.0 Safari/537.36`,
    'unknown',
    'chrome',
  ],
] as const;

const inApps = [
  [
    'a view in an Android app',
    `Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/AP4A; wv) ${blink} Version/4.0 Chrome/143.0.7499.34 Mobile Safari/537.36`,
    'android',
  ],
  ['a view in an iOS app', `${iphone} ${webkit} Mobile/15E148`, 'ios'],
  ['a view in a macOS app', `${mac} ${webkit}`, 'macos'],
  ['a view in an iPad app that asks for desktop pages', `${mac} ${webkit} Mobile/15E148`, 'unknown'],
  ['a social app on iOS', `${iphone} ${webkit} Mobile/22G86 [FBAN/FBIOS;FBAV/500.0]`, 'ios'],
  ['a search app on iOS', `${iphone} ${webkit} GSA/390.0.8 Mobile/15E148 Safari/604.1`, 'ios'],
  [
    'a desktop app made of web pages',
    `${windows} ${blink} Slack/4.41 Chrome/130.0.0.0 Electron/33.2.0 Safari/537.36`,
    'windows',
  ],
] as const;

describe('device data of a request', () => {
  it.each(inBrowsers)('A9, A36: %s is detected from its user agent', (_what, userAgent, os, browser) => {
    expect(observedDevice({ headers: { 'user-agent': userAgent } })).toEqual({ os, browser, surface: 'browser' });
  });

  it.each(inApps)('R13.6, A36: %s is an embedded view', (_what, userAgent, os) => {
    const device = observedDevice({ headers: { 'user-agent': userAgent } });
    expect(device).toEqual({ os, browser: 'other', surface: 'embedded-app' });
  });

  it('R11.4: a native Android app is detected and has no browser', () => {
    const userAgent = 'Dalvik/2.1.0 (Linux; U; Android 15; Pixel 8 Build/AP4A)';
    expect(observedDevice({ headers: { 'user-agent': userAgent } })).toEqual({
      os: 'android',
      browser: null,
      surface: 'native-app',
    });
  });

  it.each([
    ['node', 'node'],
    ['curl', 'curl/8.5.0'],
    ['an empty one', ''],
    ['a native client that could be on two systems', 'App/1 CFNetwork/1498.700.2 Darwin/23.6.0'],
    ['a crawler', 'Mozilla/5.0 (compatible; SomeBot/2.1; +http://example.test/bot.html)'],
  ])('detects nothing for %s, so the defaults apply', (_what, userAgent) => {
    expect(observedDevice({ headers: { 'user-agent': userAgent } })).toEqual({});
  });

  it('detects nothing without a user agent, regardless of the hints', () => {
    expect(observedDevice({ headers: { 'sec-ch-ua-platform': '"Android"' } })).toEqual({});
  });
});

describe('client hints', () => {
  const reduced = `${windows} ${blink} Chrome/143.0.0.0 Safari/537.36`;
  const maker = 'Its Maker';
  const brands = (own: string) => `"${own}";v="143", "Chromium";v="143", "Not A(Brand";v="24"`;

  it.each([
    ['"Windows"', 'windows'],
    ['"macOS"', 'macos'],
    ['"Android"', 'android'],
    ['"Linux"', 'linux'],
    ['"Chrome OS"', 'unknown'],
    ['"Chromium OS"', 'unknown'],
    ['"Unknown"', 'windows'],
    ['', 'windows'],
  ])('A36: the platform %s takes precedence over the user agent', (platform, os) => {
    const headers = { 'user-agent': reduced, 'sec-ch-ua-platform': platform };
    expect(observedDevice({ headers })).toMatchObject({ os });
  });

  it.each([
    ['Google Chrome', 'chrome', 'browser'],
    [`${maker} Edge`, 'edge', 'browser'],
    ['Brave', 'other', 'browser'],
    ['Chromium', 'chrome', 'browser'],
    [`${maker} Edge WebView2`, 'other', 'embedded-app'],
    ['Android WebView', 'other', 'embedded-app'],
  ])('the brand %s takes precedence over the user agent', (own, browser, surface) => {
    const headers = { 'user-agent': reduced, 'sec-ch-ua': brands(own) };
    expect(observedDevice({ headers })).toMatchObject({ browser, surface });
  });

  it('A36: a phone that requests desktop pages is still a phone, because it has a model', () => {
    const headers = {
      'user-agent': `Mozilla/5.0 (X11; Linux x86_64) ${blink} Chrome/143.0.0.0 Safari/537.36`,
      'sec-ch-ua-platform': '"Linux"',
      'sec-ch-ua-model': '"Pixel 8"',
    };
    expect(observedDevice({ headers })).toMatchObject({ os: 'android' });
    expect(observedDevice({ headers: { ...headers, 'sec-ch-ua-model': '""' } })).toMatchObject({ os: 'linux' });
  });

  it('parses a header of any length and content without errors', () => {
    const headers = { 'user-agent': reduced + 'x'.repeat(20_000), 'sec-ch-ua': '"'.repeat(20_000) };
    expect(observedDevice({ headers })).toEqual({ os: 'windows', browser: 'chrome', surface: 'browser' });
  });
});
