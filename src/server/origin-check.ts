import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { NudgeLabError } from '../core/errors.ts';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
const httpPort = 80;
const hostHeader = 'host';

/**
 * The values of `Host` that a server answers to: the loopback names with its port, and what was configured besides.
 * Takes the port and further hosts as a client writes them, with their port where it is not the default one.
 */
export function answeredHosts(port: number, further: readonly string[]): ReadonlySet<string> {
  const loopback = loopbackNames.flatMap((name) =>
    port === httpPort ? [name, `${name}:${port}`] : [`${name}:${port}`],
  );
  return new Set([...loopback, ...further.map((host) => host.toLowerCase())]);
}

/**
 * Refuses requests that were meant for another host: a page of a foreign site that has its name resolve to this machine must
 * not reach the simulator. Passes on `origin-not-allowed`.
 */
export function refuseForeignHost(hosts: ReadonlySet<string>): RequestHandler {
  const isOurs = (host: string): boolean => hosts.has(host) || hosts.has(host.toLowerCase());
  return ({ headers, rawHeaders, originalUrl }, _response, next) => {
    if (!isOurs(headers.host ?? '') || !isOurs(hostInTarget(originalUrl) ?? headers.host ?? ''))
      next(new NudgeLabError('origin-not-allowed', { message: 'The Host header does not name this server.' }));
    else if (hasSeveralHosts(rawHeaders))
      next(
        new NudgeLabError('bad-request', { problems: [{ location: 'header.Host', message: 'It is given twice.' }] }),
      );
    else next();
  };
}

/**
 * The host of a request target that is a whole address, as proxies are sent; it is the one that counts (RFC 9112, 3.2.2). What is
 * neither a path nor an address, such as one with a port that no machine has, names no one.
 */
function hostInTarget(target: string): string | null {
  if (target.startsWith('/') || target === '*') return null;
  return URL.parse(target)?.host ?? '';
}

/** Whether there are two `Host` headers, of which programs on the way may each have read another (RFC 9112, 3.2). */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === hostHeader.length && name.toLowerCase() === hostHeader) hosts += 1;
  }
  return hosts > 1;
}

/**
 * Refuses a form that a page of another origin sent. A browser tells by `Origin` and `Sec-Fetch-Site`; a client that is no
 * browser sends neither, and the form token still stands in its way. Throws `origin-not-allowed`.
 */
export function refuseForeignOrigin({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const { origin, host = '' } = headers;
  const site = headers['sec-fetch-site'];
  const sameSite = site === undefined || site === 'same-origin' || site === 'none';
  if (sameSite && (origin === undefined || isOriginOf(origin.toLowerCase(), host.toLowerCase()))) return;
  throw new NudgeLabError('origin-not-allowed', { message: 'The form was sent from a page of another origin.' });
}

/** Another scheme on the same host is a server behind a proxy that speaks TLS. */
function isOriginOf(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}
