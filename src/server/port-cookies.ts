import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

/**
 * Prefix of all cookie names. Browsers send a host's cookies to every port, so two servers on one machine would
 * overwrite each other's cookies. Cookie names in browsers therefore contain the requested port, but names within the
 * server do not.
 */

const prefix = 'nudgelab-';

/** Cookie name with a port. Names within the server start with digits only if the sandbox id does. */
const portedName = /^nudgelab-(\d{1,5})-/;
const portOfHost = /:(\d{1,5})$/;

const httpPort = '80';
const httpsPort = '443';

/**
 * Removes the ports from the cookie names of a request. Cookies of the requested port come first. Those of other ports
 * follow, because a sign-in continues after a restart on another port or on another server of the same database. Their
 * HMACs show whether they are valid here.
 */
export const readPortCookies: RequestHandler = (request, _response, next) => {
  const { cookie } = request.headers;
  if (cookie?.includes(prefix) === true) request.headers.cookie = withoutPorts(cookie, getPort(request));
  next();
};

/** Adds the requested port to the name of a cookie. `cookie` is the full `Set-Cookie` header. */
export function withPort(request: IncomingMessage, cookie: string): string {
  return cookie.startsWith(prefix) ? `${prefix}${getPort(request)}-${cookie.slice(prefix.length)}` : cookie;
}

function withoutPorts(header: string, port: string): string {
  const [own, others]: [string[], string[]] = [[], []];
  for (const part of header.split(';')) {
    const pair = part.trim();
    const [start = '', named] = portedName.exec(pair) ?? [];
    if (named === undefined) others.push(pair);
    else (named === port ? own : others).push(`${prefix}${pair.slice(start.length)}`);
  }
  return [...own, ...others].join('; ');
}

/** Returns the port that the browser requested, which differs from the server's port behind a proxy. */
function getPort({ headers: { host = '' }, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  return portOfHost.exec(host)?.[1] ?? ('encrypted' in socket && socket.encrypted === true ? httpsPort : httpPort);
}
