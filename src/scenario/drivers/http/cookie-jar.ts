import { isIP } from 'node:net';
import { machineNowMs, parseDate } from '../../../core/clock.ts';

interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  /** True if only this exact host receives the cookie. */
  readonly hostOnly: boolean;
  readonly path: string;
  /** True if the path was set explicitly and not derived from the URL. */
  readonly pathGiven: boolean;
  readonly secure: boolean;
  /** Expiry in milliseconds, or `null` for a session cookie. */
  readonly endsAtMs: number | null;
}

const msPerSecond = 1_000;

/**
 * Cookies of one browser according to RFC 6265. A cookie is stored and sent only for the hosts and paths that its
 * server may set, so a cookie with a wrong Domain or Path fails a scenario as it would fail in a browser. The jar
 * lives as long as the browser. A list of public suffixes is not required, because the jar is used with one server.
 */
export class CookieJar {
  readonly #cookies = new Map<string, StoredCookie>();

  /**
   * Stores a cookie, or removes it if it has expired. `header` is a `Set-Cookie` header, and `address` the requested
   * URL.
   */
  set(header: string, address: string): void {
    const url = new URL(address);
    const cookie = readCookie(header, url);
    if (cookie === null || !mayBeSet(cookie, url)) return;
    const key = JSON.stringify([cookie.domain, cookie.path, cookie.name]);
    // A cookie that is set again keeps its original position.
    if (hasEnded(cookie)) this.#cookies.delete(key);
    else this.#cookies.set(key, cookie);
  }

  /** Removes the session cookies, as a browser does when it is closed and started again. */
  restart(): void {
    for (const [key, { endsAtMs }] of this.#cookies) {
      if (endsAtMs === null) this.#cookies.delete(key);
    }
  }

  /**
   * Returns the `Cookie` header for a URL, or an empty text if there is none. Longer paths come first, then older
   * cookies.
   */
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
    domain: domain === '' ? getHost(url) : domain,
    hostOnly: domain === '',
    path: path.startsWith('/') ? path : defaultPath(url),
    pathGiven: path.startsWith('/'),
    secure: given.has('secure'),
    endsAtMs: computeEnd(given.get('max-age'), given.get('expires')),
  };
}

function readAttribute(text: string): readonly [name: string, value: string] {
  const [name = '', ...value] = text.split('=');
  return [name.trim().toLowerCase(), value.join('=').trim()];
}

/**
 * Returns the expiry of a cookie. `Max-Age` takes precedence over `Expires`, and a non-numeric value is ignored.
 */
function computeEnd(maxAge: string | undefined, expires: string | undefined): number | null {
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) {
    const seconds = Number(maxAge);
    return seconds <= 0 ? Number.NEGATIVE_INFINITY : machineNowMs() + seconds * msPerSecond;
  }
  return expires === undefined ? null : parseDate(expires);
}

function mayBeSet(cookie: StoredCookie, url: URL): boolean {
  if (!domainMatches(cookie, getHost(url))) return false;
  if (cookie.secure && !isTrusted(url)) return false;
  if (cookie.name.startsWith('__Secure-')) return cookie.secure;
  if (cookie.name.startsWith('__Host-'))
    return cookie.secure && cookie.hostOnly && cookie.pathGiven && cookie.path === '/';
  return true;
}

function isSent(cookie: StoredCookie, url: URL): boolean {
  return (
    domainMatches(cookie, getHost(url)) && pathMatches(cookie.path, url.pathname) && (!cookie.secure || isTrusted(url))
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

/** Returns the directory of the requested URL, the default path of a cookie. */
function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));
}

/** Returns true for HTTPS and for the local machine, which browsers trust equally. */
function isTrusted(url: URL): boolean {
  const host = getHost(url);
  return url.protocol === 'https:' || host === 'localhost' || host.startsWith('127.') || host === '::1';
}

function getHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function hasEnded({ endsAtMs }: StoredCookie): boolean {
  return endsAtMs !== null && endsAtMs <= machineNowMs();
}
