import { describe, expect, it } from 'vitest';
import { controlDocument } from '../../../src/contract/control-openapi.ts';
import { directoryDocument } from '../../../src/contract/directory-api/directory-openapi.ts';
import { documentDocument } from '../../../src/contract/document-openapi.ts';
import { lookupDocument } from '../../../src/contract/lookup-openapi.ts';
import { getRoutePattern, noRoute } from '../../../src/server/traffic/route-pattern.ts';
import { nonEmpty } from '../../non-empty.ts';

const planted = 'ada@example.test';

function getPattern(originalUrl: string, path?: string): string {
  return getRoutePattern({ originalUrl, route: path === undefined ? undefined : { path } });
}

const tenantPaths = [
  ...Object.keys(documentDocument.paths),
  ...Object.keys(lookupDocument.paths),
  ...Object.keys(directoryDocument.paths).flatMap((path) => [`/v1.0${path}`, `/beta${path}`]),
];

describe('route patterns', () => {
  it('every path of the OpenAPI documents has a pattern without parts of the request', () => {
    expect(tenantPaths.length).toBeGreaterThan(3);
    for (const path of tenantPaths) {
      const filledPath = path.replaceAll(/\{\w+\}/g, planted);
      for (const prefix of ['', `/s/${planted}`]) {
        const pattern = getPattern(`${prefix}${filledPath}?user=${planted}`);
        expect([filledPath, pattern]).not.toEqual([filledPath, noRoute]);
        expect(pattern).not.toContain(planted);
      }
    }
    for (const path of nonEmpty(Object.keys(controlDocument.paths))) {
      const pattern = getPattern(
        `/_control/v1${path.replaceAll(/\{\w+\}/g, planted)}`,
        path.replaceAll(/\{(\w+)\}/g, ':$1'),
      );
      expect(pattern).toBe(`/_control/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
    }
  });

  it.each([
    ['/sign-in/abc', '/sign-in/:signIn'],
    ['/s/mine/sign-in/abc?interaction=1', '/s/:sandbox/sign-in/:signIn'],
    ['/S/mine/phone/ada%40example.test', '/s/:sandbox/phone/:user'],
    ['/s/mine', '/s/:sandbox/'],
    ['/v1.0/users/ada@example.test', '/v1.0/*'],
    ['/oauth2/authorize/XYZ', '/oauth2/authorize'],
    ['/oauth2/token', '/oauth2/token'],
    ['/_console/s/default/users/ada', '/_console/*'],
    ['/_control/v1/nothing/ada', '/_control/v1/*'],
    ['/_CONTROL/V1/nothing/ada', '/_control/v1/*'],
    ['/ada@example.test', noRoute],
    ['/s/a/ada@example.test', noRoute],
    ['//', noRoute],
    ['*', noRoute],
  ])('%s is %s', (requested, pattern) => {
    expect(getPattern(requested)).toBe(pattern);
  });

  it.each([
    ['/v1.0/policies/authenticationMethodsPolicy', '/v1.0/policies/authenticationMethodsPolicy', true],
    ['/api/v2', '/api/v2', true],
    ['/sign-in', '/sign-in', true],
    ['/sign-in/x', '/sign-in/:signIn', true],
    ['/api/v1/document', '/api/v1/document', true],
    ['/api/v1/document/x', '/api/v1/document/:document', true],
    ['/oauth2/token', '/oauth2/token', true],
    ['/oauth2/jwks', '/oauth2/jwks', true],
    ['/oauth2/userinfo', '/oauth2/userinfo', true],
    ['/oauth2/introspect', '/oauth2/introspect', true],
    ['/oauth2/revoke', '/oauth2/revoke', true],
    ['/oauth2/par', '/oauth2/par', true],
    ['/_metrics', '/_metrics', true],
    ['/api/v1', '/api/v1/*', false],
    ['/media', '/media/*', false],
    ['/documents', '/documents/*', false],
    ['/oauth2/authorize', '/oauth2/authorize', false],
    ['/oauth2/register', '/oauth2/register', false],
    ['/oauth2/end_session', '/oauth2/end_session', false],
    ['/oauth2', '/oauth2/*', false],
    ['/.well-known', '/.well-known/*', false],
    ['/v1.0', '/v1.0/*', false],
    ['/phone', '/phone/:user', false],
    ['/security-info', '/security-info', false],
    ['/try', '/try', false],
    ['/lookup', '/lookup/*', false],
    ['/_assets', '/_assets/*', false],
    ['/_console', '/_console/*', false],
  ])(
    '%s is %s in any letter case, with a slash and a query, but not with a longer segment',
    (path, pattern, isWhole) => {
      for (const target of [path, path.toUpperCase(), `${path}/`, `${path}?a=/b`, `${path}/?a`]) {
        expect([target, getPattern(target)]).toEqual([target, pattern]);
        expect([target, getPattern(`/s/mine${target}`)]).toEqual([target, `/s/:sandbox${pattern}`]);
      }
      if (!path.endsWith('/x')) expect(getPattern(`${path}s`)).not.toBe(pattern);
      expect(getPattern(`/x${path}`)).toBe(noRoute);
      expect([path, getPattern(`${path}/more/words`) === pattern]).toEqual([path, !isWhole]);
    },
  );

  it.each([
    ['/_control/v1', '/x', '/_control/v1/x'],
    ['/_control/v1', undefined, '/_control/v1/*'],
    ['/_control/v10', '/x', noRoute],
    ['/api/v2/x', undefined, '/api/v2/*'],
    ['/', undefined, '/'],
    ['', undefined, '/'],
    ['/?a=b', undefined, '/'],
    ['/s/mine/', undefined, '/s/:sandbox/'],
    ['/signs/mine/sign-in', undefined, noRoute],
    ['/s', undefined, noRoute],
  ])('%s with the route %s is %s', (requested, route, pattern) => {
    expect(getPattern(requested, route)).toBe(pattern);
  });

  it('the number of patterns never exceeds the number of routes, for any requests', () => {
    const patterns = new Set<string>();
    for (let index = 0; index < 5_000; index += 1) {
      for (const path of [
        `/${index}`,
        `/s/${index}/sign-in/${index}`,
        `/_control/v1/sandboxes/${index}`,
        `/api/v1/x/${index}`,
      ]) {
        patterns.add(getPattern(path));
      }
    }
    expect(patterns.size).toBe(4);
  });
});
