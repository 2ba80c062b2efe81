import type { IncomingMessage } from 'node:http';
import Bowser from 'bowser';
import { browsersOn } from '../../../machines/platform.ts';
import type { Browser, OperatingSystem, Surface } from '../../../machines/vocabulary.ts';
import type { AttemptPatch } from '../../contract/facts.schema.ts';

type Headers = IncomingMessage['headers'];

/** Maximum number of user agent characters that are read, because patterns are matched against them. */
const userAgentCharactersMax = 1_024;

/** Prefixes of user agents of browsers and embedded views. Other clients do not use them. */
const browserLike = /^(?:Mozilla\/5\.0|Opera\/|Dalvik\/)/;

/**
 * Derives operating system, browser, and surface from the user agent and client hints of a request. Unknown facts are
 * omitted: clients that are not browsers reveal nothing, and no request reveals the device id, the out-of-box setup, or
 * a view in the OS settings. An iPad that requests desktop pages has platform `unknown` (A36) if it can be
 * distinguished from a Mac. Safari on such an iPad sends the same headers as on a Mac.
 */
export function observedDevice({ headers }: { readonly headers: Headers }): AttemptPatch {
  const userAgent = (headers['user-agent'] ?? '').slice(0, userAgentCharactersMax);
  if (!browserLike.test(userAgent)) return {};
  const brands = parseBrands(getHeaderText(headers, 'sec-ch-ua'));
  const parsed = Bowser.parse(userAgent, { brands: [...brands] });
  const os = detectOs(userAgent, parsed.os.name, headers);
  if (os === null) return {};
  const surface = detectSurface(userAgent, os, brands);
  return { os, surface, browser: detectBrowser(brands, parsed.browser.name, surface) };
}

/** Operating systems by the names in the parser and in `Sec-CH-UA-Platform`. All others are `unknown` (A36). */
const systems: ReadonlyMap<string, OperatingSystem> = new Map([
  ['windows', 'windows'],
  ['macos', 'macos'],
  ['ios', 'ios'],
  ['android', 'android'],
  ['linux', 'linux'],
]);

/** User agent tokens of browsers and views that exist only on iOS. */
const madeForIos = /\b(?:CriOS|FxiOS|EdgiOS|OPiOS|GSA)\/|\bMobile\/\w+/;

/**
 * Detects the operating system. The hint takes precedence because users can change the user agent. `null` if unknown.
 */
function detectOs(userAgent: string, parsed: string | undefined, headers: Headers): OperatingSystem | null {
  const hint = unquoted(getHeaderText(headers, 'sec-ch-ua-platform'));
  const name = hint === '' || hint === 'Unknown' ? parsed : hint;
  if (name === undefined) return null;
  const os = systems.get(name.toLowerCase()) ?? 'unknown';
  const model = unquoted(getHeaderText(headers, 'sec-ch-ua-model'));
  // Desktop computers send no model, so this is a phone that requests desktop pages.
  if (os === 'linux' && model !== '') return 'android';
  return os === 'macos' && madeForIos.test(userAgent) ? 'unknown' : os;
}

/** User agent tokens of apps that show pages in an embedded view. */
const inAppBrowsers =
  /\b(?:FBAN|FBAV|FB_IAB|Instagram|LinkedInApp|Snapchat|Pinterest|Twitter|TwitterAndroid|BytedanceWebview|musical_ly|MicroMessenger|Line|GSA|Slack|Teams|Electron)[/ ;\]]/;

const androidView = /; wv\)/;
const nativeAndroid = /^Dalvik\//;

/** Pattern for Safari. Every browser on iOS names Safari because it uses its engine, but embedded views do not. */
const namesSafari = /\bSafari\//;

function detectSurface(userAgent: string, os: OperatingSystem, brands: readonly Brand[]): Surface {
  if (nativeAndroid.test(userAgent)) return 'native-app';
  const isView =
    androidView.test(userAgent) ||
    inAppBrowsers.test(userAgent) ||
    brands.some(({ brand }) => brand.includes('WebView')) ||
    (isAppleView(userAgent, os) && !namesSafari.test(userAgent));
  return isView ? 'embedded-app' : 'browser';
}

function isAppleView(userAgent: string, os: OperatingSystem): boolean {
  return (
    os === 'ios' || ((os === 'macos' || os === 'unknown') && userAgent.includes('(Macintosh;') && isWebKit(userAgent))
  );
}

function isWebKit(userAgent: string): boolean {
  return userAgent.includes('AppleWebKit/') && !userAgent.includes('Chrome/');
}

/** Browsers by the last word of their name. The preceding words name the vendor. */
const browserNames: ReadonlyMap<string, Browser> = new Map([
  ['Chrome', 'chrome'],
  ['Chromium', 'chrome'],
  ['Edge', 'edge'],
  ['Firefox', 'firefox'],
  ['Safari', 'safari'],
]);

/**
 * Detects the browser. App views are always `other`, and native apps have no browser. The engine brand is ignored
 * because it does not identify the browser.
 */
function detectBrowser(brands: readonly Brand[], parsed: string | undefined, surface: Surface): Browser | null {
  const [only, ...others] = browsersOn(surface);
  if (only !== undefined && others.length === 0) return only;
  const own = brands.find(({ brand }) => brand !== 'Chromium' && named(brand) !== undefined);
  return named(own?.brand ?? parsed ?? '') ?? 'other';
}

function named(name: string): Browser | undefined {
  return browserNames.get(name.split(' ').at(-1) ?? '');
}

interface Brand {
  readonly brand: string;
  readonly version: string;
}

const brandPattern = /"([^"]*)"\s*;\s*v="([^"]*)"/g;

const brandCharactersMax = 64;
const versionCharactersMax = 32;

/** Parses the brands of `Sec-CH-UA` without the meaningless brand that browsers add. */
function parseBrands(header: string): readonly Brand[] {
  const brands = [...header.slice(0, userAgentCharactersMax).matchAll(brandPattern)].map(
    ([, brand = '', version = '']) => ({ brand, version }),
  );
  return brands.filter(isBrand).filter(({ brand }) => !/not.{0,3}a.{0,3}brand/i.test(brand));
}

function isBrand({ brand, version }: Brand): boolean {
  const isBounded = brand.length <= brandCharactersMax && version.length <= versionCharactersMax;
  return brand !== '' && version !== '' && isBounded;
}

function getHeaderText(headers: Headers, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

function unquoted(text: string): string {
  return text.trim().replace(/^"(.*)"$/, '$1');
}
