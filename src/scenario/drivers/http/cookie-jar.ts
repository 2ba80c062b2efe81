import { isIP } from 'node:net';
import { machineNowMs, parseDate } from '../../../core/clock.ts';

interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  /** Whether only this very host gets it. */
  readonly hostOnly: boolean;
  readonly path: string;
  /** Whether the path was given, and not made from the address. */
  readonly pathGiven: boolean;
  readonly secure: boolean;
  /** When it ends, in ms; `null` for one that lasts as long as the browser. */
  readonly endsAtMs: number | null;
}

const msPerSecond = 1_000;

/**
 * The cookies of one browser, by RFC 6265: what a server sets is kept for the hosts and paths that it may be set for, and sent
 * to those alone, so that a cookie with a wrong Domain or Path fails a scenario as it fails in a browser. It lives as long as
 * the browser, and knows no list of public suffixes: it talks to one server.
 */
export class CookieJar {
  readonly #cookies = new Map<string, StoredCookie>();

  /** Keeps a cookie that an answer set, or drops the one that it ends. Takes a `Set-Cookie` header and the address asked. */
  set(header: string, address: string): void {
    const url = new URL(address);
    const cookie = readCookie(header, url);
    if (cookie === null || !mayBeSet(cookie, url)) return;
    const key = JSON.stringify([cookie.domain, cookie.path, cookie.name]);
    // One that is set again keeps the place that it was first set at.
    if (hasEnded(cookie)) this.#cookies.delete(key);
    else this.#cookies.set(key, cookie);
  }

  /** The browser is closed and started again: what lasts only as long as it is gone. */
  restart(): void {
    for (const [key, { endsAtMs }] of this.#cookies) {
      if (endsAtMs === null) this.#cookies.delete(key);
    }
  }

  /** The `Cookie` header for an address: longer paths first, then as they were set; empty when there is none. */
  header(address: string): string {
    const url = new URL(address);
    return [...this.#cookies.values()]
      .filter((cookie) => !hasEnded(cookie) && isSent(cookie, url))
      .toSorted((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => (name === '' ? value : `${name}=${value}`))
      .join('; ');
  }
}

function readCookie(header: string, url: URL): StoredCookie | null {
  const [pair = '', ...attributes] = header.split(';');
  const at = pair.indexOf('=');
  const name = pair.slice(0, at).trim();
  if (at <= 0 || name === '') return null;
  const given = new Map(attributes.map(readAttribute));
  const domain = (given.get('domain') ?? '').replace(/^\./, '').toLowerCase();
  const path = given.get('path') ?? '';
  return {
    name,
    value: pair.slice(at + 1).trim(),
    domain: domain === '' ? hostOf(url) : domain,
    hostOnly: domain === '',
    path: path.startsWith('/') ? path : defaultPath(url),
    pathGiven: path.startsWith('/'),
    secure: given.has('secure'),
    endsAtMs: endOf(given.get('max-age'), given.get('expires')),
  };
}

function readAttribute(text: string): readonly [name: string, value: string] {
  const [name = '', ...value] = text.split('=');
  return [name.trim().toLowerCase(), value.join('=').trim()];
}

/** `Max-Age` comes before `Expires`; one that is no number is as if it were not there. */
function endOf(maxAge: string | undefined, expires: string | undefined): number | null {
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) {
    const seconds = Number(maxAge);
    return seconds <= 0 ? Number.NEGATIVE_INFINITY : machineNowMs() + seconds * msPerSecond;
  }
  return expires === undefined ? null : parseDate(expires);
}

function mayBeSet(cookie: StoredCookie, url: URL): boolean {
  if (!domainMatches(cookie, hostOf(url))) return false;
  if (cookie.secure && !isTrusted(url)) return false;
  if (cookie.name.startsWith('__Secure-')) return cookie.secure;
  if (cookie.name.startsWith('__Host-'))
    return cookie.secure && cookie.hostOnly && cookie.pathGiven && cookie.path === '/';
  return true;
}

function isSent(cookie: StoredCookie, url: URL): boolean {
  return (
    domainMatches(cookie, hostOf(url)) && pathMatches(cookie.path, url.pathname) && (!cookie.secure || isTrusted(url))
  );
}

function domainMatches({ domain, hostOnly }: StoredCookie, host: string): boolean {
  if (host === domain) return true;
  return !hostOnly && host.endsWith(`.${domain}`) && isIP(host) === 0;
}

function pathMatches(path: string, asked: string): boolean {
  if (path === asked) return true;
  return asked.startsWith(path) && (path.endsWith('/') || asked[path.length] === '/');
}

/** The folder of the address asked, which a cookie without a path is for. */
function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));
}

/** Browsers trust the machine that they run on as they trust HTTPS. */
function isTrusted(url: URL): boolean {
  const host = hostOf(url);
  return url.protocol === 'https:' || host === 'localhost' || host.startsWith('127.') || host === '::1';
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function hasEnded({ endsAtMs }: StoredCookie): boolean {
  return endsAtMs !== null && endsAtMs <= machineNowMs();
}
