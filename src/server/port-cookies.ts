import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

/**
 * Browsers send a cookie of a host to every port of it, so two servers of one machine would replace each other's cookies. Each
 * name therefore carries the port that the browser asked. Inside the server names have no port.
 */

const prefix = 'nudgelab-';

/** A name with a port; no name inside the server begins with digits unless a sandbox does. */
const portedName = /^nudgelab-(\d{1,5})-/;
const portOfHost = /:(\d{1,5})$/;

const httpPort = '80';
const httpsPort = '443';

/**
 * Removes the ports from the names of the cookies in a request. Cookies of the port that was asked come first. Those of other
 * ports follow, because a sign-in continues when a server restarts on another port, or at another server of the same database;
 * their seals show whose they are.
 */
export const readPortCookies: RequestHandler = (request, _response, next) => {
  const { cookie } = request.headers;
  if (cookie?.includes(prefix) === true) request.headers.cookie = withoutPorts(cookie, portOf(request));
  next();
};

/** Adds the port that the browser asked to the name of a cookie. Takes the request and a whole `Set-Cookie` header. */
export function withPort(request: IncomingMessage, cookie: string): string {
  return cookie.startsWith(prefix) ? `${prefix}${portOf(request)}-${cookie.slice(prefix.length)}` : cookie;
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

/** The port as the browser wrote it, which a server behind another one does not listen on itself. */
function portOf({ headers: { host = '' }, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  return portOfHost.exec(host)?.[1] ?? ('encrypted' in socket && socket.encrypted === true ? httpsPort : httpPort);
}
