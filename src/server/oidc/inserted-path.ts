import type { RequestHandler } from 'express';

const inserted = /^\/\.well-known\/(openid-configuration|oauth-authorization-server)(\/s\/[^/?]+)(\?.*)?$/i;

/**
 * Continues requests for the discovery document of a sandbox at its usual URL. Some clients insert the well-known path
 * between the host and the path of the issuer (RFC 8414, section 3.1).
 */
export const findInsertedPath: RequestHandler = (request, _response, next) => {
  const [, name, sandbox, query = ''] = inserted.exec(request.url) ?? [];
  if (name !== undefined) request.url = `${sandbox}/.well-known/${name}${query}`;
  next();
};
