import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { NudgeLabError } from '../core/errors.ts';
import { isHandedOver } from './hand-over/hand-over-mark.ts';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
/** Ports that clients leave out of `Host`. */
const defaultPorts: readonly number[] = [80, 443];
const hostHeader = 'host';

/**
 * Returns the accepted values of `Host`: the loopback names with the port of the server, and configured hosts.
 *
 * @param port - port of the server
 * @param further - configured hosts as clients send them, with a port unless it is the default
 */
export function answeredHosts(port: number, further: readonly string[]): ReadonlySet<string> {
  const loopback = loopbackNames.flatMap((name) =>
    defaultPorts.includes(port) ? [name, `${name}:${port}`] : [`${name}:${port}`],
  );
  return new Set([...loopback, ...further.map((host) => host.toLowerCase())]);
}

/**
 * Rejects requests for other hosts. A foreign page whose name resolves to this machine (DNS rebinding) must not reach
 * the simulator. Fails with `origin-not-allowed`.
 */
export function refuseForeignHost(hosts: ReadonlySet<string>): RequestHandler {
  const isOurs = (host: string): boolean => hosts.has(host) || hosts.has(host.toLowerCase());
  return (request, _response, next) => {
    const { headers, rawHeaders, originalUrl } = request;
    // The server that the client reached has checked the request.
    if (isHandedOver(request)) next();
    else if (!isOurs(headers.host ?? '') || !isOurs(hostInTarget(originalUrl) ?? headers.host ?? ''))
      next(
        new NudgeLabError('origin-not-allowed', {
          message: `The Host header ${JSON.stringify(headers.host ?? '')} does not name this server. To allow another host name, start the server with --allowed-host.`,
        }),
      );
    else if (hasSeveralHosts(rawHeaders))
      next(
        new NudgeLabError('bad-request', {
          problems: [{ location: 'header.Host', message: 'is repeated; send it only once' }],
        }),
      );
    else next();
  };
}

/**
 * Returns the host of an absolute request target, which proxies receive and which takes precedence (RFC 9112, section
 * 3.2.2). A target that is neither a path nor a valid URL, such as one with an invalid port, has no host.
 */
function hostInTarget(target: string): string | null {
  if (target.startsWith('/') || target === '*') return null;
  return URL.parse(target)?.host ?? '';
}

/**
 * Returns `true` if there are several `Host` headers, of which intermediaries may use different ones (RFC 9112, section
 * 3.2).
 */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === hostHeader.length && name.toLowerCase() === hostHeader) hosts += 1;
  }
  return hosts > 1;
}

/**
 * Rejects forms from pages of another origin. Browsers identify the origin in `Origin` and `Sec-Fetch-Site`. Other
 * clients send neither header, but they still need the anti-forgery token.
 *
 * @throws NudgeLabError `origin-not-allowed` if the form is from another origin
 */
export function refuseForeignOrigin({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const { origin, host = '' } = headers;
  const site = headers['sec-fetch-site'];
  const sameSite = site === undefined || site === 'same-origin' || site === 'none';
  if (sameSite && (origin === undefined || isSameOrigin(origin.toLowerCase(), host.toLowerCase()))) return;
  throw new NudgeLabError('origin-not-allowed', { message: 'The form was sent from a page of another origin.' });
}

/** Returns `true` for an origin on the given host. Its scheme can differ if the server is behind a TLS proxy. */
function isSameOrigin(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}
