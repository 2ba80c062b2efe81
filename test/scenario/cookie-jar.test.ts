import fc from 'fast-check';
import { CookieJar as Library } from 'tough-cookie';
import { describe, expect, test } from 'vitest';
import { CookieJar } from '../../src/scenario/drivers/http/cookie-jar.ts';
import { nonEmpty } from '../non-empty.ts';

const hosts = ['idp.example.test', 'example.test', 'other.test', '127.0.0.1', 'localhost'];
const paths = ['/', '/a', '/a/', '/a/b', '/ab', '/a/b/c'];
const address = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    host: fc.constantFrom(...hosts),
    path: fc.constantFrom(...paths),
  })
  .map(({ scheme, host, path }) => `${scheme}://${host}${path}`);
const attribute = fc.constantFrom(
  ...hosts.map((host) => `Domain=${host}`),
  'Domain=.example.test',
  'Domain=le.test',
  ...paths.map((path) => `Path=${path}`),
  'Path=relative',
  'Secure',
  'HttpOnly',
  'SameSite=Lax',
  'Max-Age=0',
  'Max-Age=-5',
  'max-age=60',
  'Max-Age=soon',
  'Expires=Thu, 01 Jan 1970 00:00:00 GMT',
  'Expires=Fri, 01 Jan 2100 00:00:00 GMT',
);
const header = fc
  .record({
    name: fc.constantFrom('a', 'b', 'sid', '__Host-a', '__Secure-a'),
    value: fc.constantFrom('', '1', '2', 'x=y', ' spaced '),
    attributes: fc.uniqueArray(attribute, { maxLength: 3, selector: (text) => text.split('=')[0]?.toLowerCase() }),
  })
  .map(({ name, value, attributes }) => [`${name}=${value}`, ...attributes].join('; '));

describe('054: cookies of the http driver', () => {
  test('054: the client sends the same cookies as a standard-compliant cookie library', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(header, address), { minLength: 1, maxLength: 6 }),
        fc.array(address, { minLength: 1, maxLength: 4 }),
        (given, requested) => {
          const ours = new CookieJar();
          const library = new Library(undefined, { prefixSecurity: 'silent', rejectPublicSuffixes: false });
          for (const [text, from] of given) {
            ours.set(text, from);
            library.setCookieSync(text, from, { ignoreError: true });
          }
          for (const one of nonEmpty(requested)) expect(ours.header(one)).toBe(library.getCookieStringSync(one));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test.for([
    ['a host that it is not for', 'a=1; Domain=other.test', 'https://idp.example.test/', 'https://other.test/', ''],
    ['a path beside its own', 'a=1; Path=/a', 'https://example.test/a', 'https://example.test/ab', ''],
    ['a path below its own', 'a=1; Path=/a', 'https://example.test/a', 'https://example.test/a/b', 'a=1'],
    ['a host below its own', 'a=1; Domain=example.test', 'https://example.test/', 'https://idp.example.test/', 'a=1'],
    ['plain HTTP, when it is secure', 'a=1; Secure', 'https://example.test/', 'http://example.test/', ''],
  ] as const)('054: the client handles a cookie and %s like the library', ([, text, from, url, sent]) => {
    const jar = new CookieJar();
    jar.set(text, from);
    expect(jar.header(url)).toBe(sent);
  });
});
