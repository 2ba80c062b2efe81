import { describe, expect, it } from 'vitest';
import { controlDocument } from '../../../src/contract/control-openapi.ts';
import { documentDocument } from '../../../src/contract/document-openapi.ts';
import { lookupDocument } from '../../../src/contract/lookup-openapi.ts';
import { getRoutePattern, noRoute } from '../../../src/server/traffic/route-pattern.ts';
import { nonEmpty } from '../../non-empty.ts';

const planted = 'ada@example.test';

function patternOf(originalUrl: string, path?: string): string {
  return getRoutePattern({ originalUrl, route: path === undefined ? undefined : { path } });
}

const tenantPaths = [...Object.keys(documentDocument.paths), ...Object.keys(lookupDocument.paths)];

describe('patterns of routes', () => {
  it('every path of the OpenAPI documents has one, and it holds nothing of what was asked', () => {
    expect(tenantPaths.length).toBeGreaterThan(3);
    for (const path of tenantPaths) {
      const asked = path.replaceAll(/\{\w+\}/g, planted);
      for (const prefix of ['', `/s/${planted}`]) {
        const pattern = patternOf(`${prefix}${asked}?user=${planted}`);
        expect([asked, pattern]).not.toEqual([asked, noRoute]);
        expect(pattern).not.toContain(planted);
      }
    }
    for (const path of nonEmpty(Object.keys(controlDocument.paths))) {
      const pattern = patternOf(
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
  ])('%s is %s', (asked, pattern) => {
    expect(patternOf(asked)).toBe(pattern);
  });

  it('whatever is asked for, there are no more patterns than routes', () => {
    const patterns = new Set<string>();
    for (let asked = 0; asked < 5_000; asked += 1) {
      for (const path of [
        `/${asked}`,
        `/s/${asked}/sign-in/${asked}`,
        `/_control/v1/sandboxes/${asked}`,
        `/api/v1/x/${asked}`,
      ]) {
        patterns.add(patternOf(path));
      }
    }
    expect(patterns.size).toBe(4);
  });
});
