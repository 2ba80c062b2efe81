import type { Request } from 'express';

/** Route label for paths that match no route. */
export const noRoute = 'none';

const sandboxPrefix = /^\/s\/[^/]+/i;
const controlPrefix = '/_control/v1';
const controlBeginning = /^\/_control\/v1(?:\/|$)/i;

/** Patterns of paths below a sandbox, most frequent ones first. Each expression matches in linear time. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\.0\/policies\/authenticationmethodspolicy\/?$/i, '/v1.0/policies/authenticationMethodsPolicy'],
  [/^\/api\/v2\/?$/i, '/api/v2'],
  [/^\/sign-in\/?$/i, '/sign-in'],
  [/^\/sign-in\/[^/]+\/?$/i, '/sign-in/:signIn'],
  [/^\/api\/v1\/document\/?$/i, '/api/v1/document'],
  [/^\/api\/v1\/document\/[^/]+\/?$/i, '/api/v1/document/:document'],
  [/^\/api\/v1(?:\/|$)/i, '/api/v1/*'],
  [/^\/api\/v2(?:\/|$)/i, '/api/v2/*'],
  [/^\/media(?:\/|$)/i, '/media/*'],
  [/^\/documents(?:\/|$)/i, '/documents/*'],
  [/^\/oauth2\/authorize(?:\/|$)/i, '/oauth2/authorize'],
  [/^\/oauth2\/token\/?$/i, '/oauth2/token'],
  [/^\/oauth2\/jwks\/?$/i, '/oauth2/jwks'],
  [/^\/oauth2\/userinfo\/?$/i, '/oauth2/userinfo'],
  [/^\/oauth2\/introspect\/?$/i, '/oauth2/introspect'],
  [/^\/oauth2\/revoke\/?$/i, '/oauth2/revoke'],
  [/^\/oauth2\/register(?:\/|$)/i, '/oauth2/register'],
  [/^\/oauth2\/par\/?$/i, '/oauth2/par'],
  [/^\/oauth2\/end_session(?:\/|$)/i, '/oauth2/end_session'],
  [/^\/oauth2\/device\/?$/i, '/oauth2/device'],
  [/^\/oauth2\/verify-device(?:\/|$)/i, '/oauth2/verify-device'],
  [/^\/oauth2(?:\/|$)/i, '/oauth2/*'],
  [/^\/device\/?$/i, '/device'],
  [/^\/\.well-known(?:\/|$)/i, '/.well-known/*'],
  [/^\/v1\.0(?:\/|$)/i, '/v1.0/*'],
  [/^\/beta\/policies\/authenticationmethodspolicy\/?$/i, '/beta/policies/authenticationMethodsPolicy'],
  [/^\/beta(?:\/|$)/i, '/beta/*'],
  [/^\/phone(?:\/|$)/i, '/phone/:user'],
  [/^\/security-info(?:\/|$)/i, '/security-info'],
  [/^\/try(?:\/|$)/i, '/try'],
  [/^\/lookup(?:\/|$)/i, '/lookup/*'],
  [/^\/_assets(?:\/|$)/i, '/_assets/*'],
  [/^\/_console(?:\/|$)/i, '/_console/*'],
  [/^\/_metrics\/?$/i, '/_metrics'],
  [/^\/?$/, '/'],
  [/^\/oidc\/userinfo$/i, '/oidc/userinfo'],
  [/^\/[^/]+(?:\/v2\.0)?\/\.well-known\//i, '/:tenant/v2.0/.well-known/*'],
  [/^\/[^/]+\/oauth2\/v2\.0\/authorize(?:\/|$)/i, '/:tenant/oauth2/v2.0/authorize'],
  [/^\/[^/]+\/oauth2\/v2\.0\/token$/i, '/:tenant/oauth2/v2.0/token'],
  [/^\/[^/]+\/oauth2\/v2\.0\/devicecode$/i, '/:tenant/oauth2/v2.0/devicecode'],
  [/^\/[^/]+\/oauth2\/v2\.0\/par$/i, '/:tenant/oauth2/v2.0/par'],
  [/^\/[^/]+\/oauth2\/v2\.0\/logout(?:\/|$)/i, '/:tenant/oauth2/v2.0/logout'],
  [/^\/[^/]+\/discovery\/(?:v2\.0\/)?keys$/i, '/:tenant/discovery/v2.0/keys'],
  [/^\/[^/]+\/discovery\/instance$/i, '/:tenant/discovery/instance'],
];

/**
 * Returns the route pattern of a completed request for logs and labels. Ids and personal names are replaced by
 * `:names`, so the number of patterns equals the number of routes for any requests.
 */
export function getRoutePattern({ originalUrl, route }: Pick<Request, 'originalUrl' | 'route'>): string {
  const queryAt = originalUrl.indexOf('?');
  const path = queryAt === -1 ? originalUrl : originalUrl.slice(0, queryAt);
  if (controlBeginning.test(path)) {
    const own = (route as { readonly path?: unknown } | undefined)?.path;
    return typeof own === 'string' ? `${controlPrefix}${own}` : `${controlPrefix}/*`;
  }
  const below = path.startsWith('/s/') || path.startsWith('/S/') ? path.replace(sandboxPrefix, '') : path;
  const pattern = findPattern(below);
  if (pattern === null) return noRoute;
  return below === path ? pattern : `/s/:sandbox${pattern}`;
}

function findPattern(path: string): string | null {
  for (const [expression, pattern] of patterns) if (expression.test(path)) return pattern;
  return null;
}
