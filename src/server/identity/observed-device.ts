import type { IncomingMessage } from 'node:http';
import Bowser from 'bowser';
import { browsersOn } from '../../../machines/platform.ts';
import type { Browser, OperatingSystem, Surface } from '../../../machines/vocabulary.ts';
import type { AttemptPatch } from '../../contract/facts.schema.ts';

type Headers = IncomingMessage['headers'];

/** User agents are compared by patterns, so what is beyond this is not read. */
const userAgentCharactersMax = 1_024;

/** What browsers and their embedded views call themselves by; clients that are none do not. */
const browserLike = /^(?:Mozilla\/5\.0|Opera\/|Dalvik\/)/;

/**
 * What a request tells of its device: operating system, browser and surface, from user agent and client hints. What cannot be
 * told is left out: a client that is no browser tells nothing, and no request tells which device it is, that it comes from
 * the out-of-box experience, or that its view stands in the settings of the system. An iPad that asks for desktop pages has
 * platform `unknown` (A36) where it can be told from a Mac; Safari there sends what Safari on a Mac sends.
 */
export function observedDevice({ headers }: { readonly headers: Headers }): AttemptPatch {
  const userAgent = (headers['user-agent'] ?? '').slice(0, userAgentCharactersMax);
  if (!browserLike.test(userAgent)) return {};
  const brands = brandsOf(textOf(headers, 'sec-ch-ua'));
  const parsed = Bowser.parse(userAgent, { brands: [...brands] });
  const os = osOf(userAgent, parsed.os.name, headers);
  if (os === null) return {};
  const surface = surfaceOf(userAgent, os, brands);
  return { os, surface, browser: browserOf(brands, parsed.browser.name, surface) };
}

/** Systems by the names of the parser and of `Sec-CH-UA-Platform`; any other is one without a column (A36). */
const systems: ReadonlyMap<string, OperatingSystem> = new Map([
  ['windows', 'windows'],
  ['macos', 'macos'],
  ['ios', 'ios'],
  ['android', 'android'],
  ['linux', 'linux'],
]);

/** Marks of browsers and views that are made for iOS alone. */
const madeForIos = /\b(?:CriOS|FxiOS|EdgiOS|OPiOS|GSA)\/|\bMobile\/\w+/;

/** The hint comes before the user agent, which browsers let people bend. `null` where nothing is told. */
function osOf(userAgent: string, parsed: string | undefined, headers: Headers): OperatingSystem | null {
  const hint = unquoted(textOf(headers, 'sec-ch-ua-platform'));
  const name = hint === '' || hint === 'Unknown' ? parsed : hint;
  if (name === undefined) return null;
  const os = systems.get(name.toLowerCase()) ?? 'unknown';
  const model = unquoted(textOf(headers, 'sec-ch-ua-model'));
  // A desktop has no model: this is a phone that asks for desktop pages.
  if (os === 'linux' && model !== '') return 'android';
  return os === 'macos' && madeForIos.test(userAgent) ? 'unknown' : os;
}

/** Apps that show pages in a view of their own and say so. */
const inAppBrowsers =
  /\b(?:FBAN|FBAV|FB_IAB|Instagram|LinkedInApp|Snapchat|Pinterest|Twitter|TwitterAndroid|BytedanceWebview|musical_ly|MicroMessenger|Line|GSA|Slack|Teams|Electron)[/ ;\]]/;

const androidView = /; wv\)/;
const nativeAndroid = /^Dalvik\//;

/** Every real browser on iOS names Safari, whose engine it uses; a bare view does not. */
const namesSafari = /\bSafari\//;

function surfaceOf(userAgent: string, os: OperatingSystem, brands: readonly Brand[]): Surface {
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

/** Browsers by the last word of their name; the words before it are their makers'. */
const browserNames: ReadonlyMap<string, Browser> = new Map([
  ['Chrome', 'chrome'],
  ['Chromium', 'chrome'],
  ['Edge', 'edge'],
  ['Firefox', 'firefox'],
  ['Safari', 'safari'],
]);

/** A view of an app is no browser of its own name. The engine's brand says nothing of the browser that uses it. */
function browserOf(brands: readonly Brand[], parsed: string | undefined, surface: Surface): Browser | null {
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

/** The brands of `Sec-CH-UA` without the meaningless one that browsers put among them. */
function brandsOf(header: string): readonly Brand[] {
  const brands = [...header.slice(0, userAgentCharactersMax).matchAll(brandPattern)].map(
    ([, brand = '', version = '']) => ({ brand, version }),
  );
  return brands.filter(isBrand).filter(({ brand }) => !/not.{0,3}a.{0,3}brand/i.test(brand));
}

function isBrand({ brand, version }: Brand): boolean {
  const isBounded = brand.length <= brandCharactersMax && version.length <= versionCharactersMax;
  return brand !== '' && version !== '' && isBounded;
}

function textOf(headers: Headers, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

function unquoted(text: string): string {
  return text.trim().replace(/^"(.*)"$/, '$1');
}
