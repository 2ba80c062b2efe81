import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { answeredHosts, refuseForeignHost, refuseForeignOrigin } from '../../src/server/origin-check.ts';

/** Returns the error code for raw request headers, or `null` if the request is accepted. */
function hostCode(rawHeaders: readonly string[], target = '/', hosts = answeredHosts(4_700, ['Lab.Example:8080'])) {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  const headers = at === -1 ? {} : { host: rawHeaders[at + 1] };
  let passed: unknown = 'nothing';
  const request = { headers, rawHeaders, originalUrl: target } as unknown as Request;
  refuseForeignHost(hosts)(request, {} as Response, (error) => {
    passed = error === undefined ? null : (error as { code: string }).code;
  });
  return passed;
}

function originCode(headers: Readonly<Record<string, string>>): unknown {
  try {
    refuseForeignOrigin({ headers });
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('Host header of a request', () => {
  it('a server accepts loopback names with its port, names without a port on port 80, and the configured hosts', () => {
    expect([...answeredHosts(4_700, [])]).toEqual(['localhost:4700', '127.0.0.1:4700', '[::1]:4700']);
    expect([...answeredHosts(80, [])].toSorted()).toEqual(
      ['localhost', 'localhost:80', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:80'].toSorted(),
    );
    expect([...answeredHosts(443, [])]).toEqual(expect.arrayContaining(['localhost', 'localhost:443']));
    expect(answeredHosts(4_700, ['Lab.Example']).has('lab.example')).toBe(true);
  });

  it.for([
    ['localhost:4700', '/', null],
    ['LocalHost:4700', '/', null],
    ['[::1]:4700', '/', null],
    ['lab.example:8080', '/', null],
    ['Lab.Example:8080', '*', null],
    ['localhost:4700', 'http://localhost:4700/x', null],
    ['localhost:4700', 'http://LOCALHOST:4700/x', null],
    ['localhost', '/', 'origin-not-allowed'],
    ['localhost:4701', '/', 'origin-not-allowed'],
    ['evil.example', '/', 'origin-not-allowed'],
    ['', '/', 'origin-not-allowed'],
    ['localhost:4700', 'http://evil.example/x', 'origin-not-allowed'],
    ['evil.example', 'http://localhost:4700/x', 'origin-not-allowed'],
    ['localhost:4700', 'http://localhost:99999/x', 'origin-not-allowed'],
    ['localhost:4700', 'no-address', 'origin-not-allowed'],
  ] as const)('origin-not-allowed: a request with Host "%s" for %s returns %s', ([host, target, code]) => {
    expect(hostCode(['Host', host], target)).toBe(code);
  });

  it('origin-not-allowed, bad-request: a request without a Host header, or with two, is rejected', () => {
    expect(hostCode([])).toBe('origin-not-allowed');
    expect(hostCode(['Host', 'localhost:4700', 'X-A', 'b', 'HOST', 'localhost:4700'])).toBe('bad-request');
    expect(hostCode(['Host', 'localhost:4700', 'Ghost', 'host', 'Hosts', 'x'])).toBeNull();
    expect(hostCode(['Accept', 'host', 'Host', 'localhost:4700'])).toBeNull();
  });
});

describe('origin of a form', () => {
  it.for([
    [{}, null],
    [{ origin: 'http://localhost:4700' }, null],
    [{ origin: 'https://localhost:4700' }, null],
    [{ origin: 'HTTP://LocalHost:4700' }, null],
    [{ 'sec-fetch-site': 'same-origin' }, null],
    [{ 'sec-fetch-site': 'none' }, null],
    [{ origin: 'http://localhost:4701' }, 'origin-not-allowed'],
    [{ origin: 'ftp://localhost:4700' }, 'origin-not-allowed'],
    [{ origin: 'null' }, 'origin-not-allowed'],
    [{ origin: '' }, 'origin-not-allowed'],
    [{ 'sec-fetch-site': 'same-site' }, 'origin-not-allowed'],
    [{ 'sec-fetch-site': 'cross-site' }, 'origin-not-allowed'],
    [{ 'sec-fetch-site': '' }, 'origin-not-allowed'],
    [{ origin: 'http://localhost:4700', 'sec-fetch-site': 'cross-site' }, 'origin-not-allowed'],
    [{ origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' }, 'origin-not-allowed'],
  ] as const)('origin-not-allowed: a form with %j returns %s', ([headers, code]) => {
    expect(originCode({ host: 'Localhost:4700', ...headers })).toBe(code);
  });

  it('origin-not-allowed: without a Host header no origin matches', () => {
    expect(originCode({ origin: 'http://' })).toBeNull();
    expect(originCode({ origin: 'http://localhost' })).toBe('origin-not-allowed');
  });
});
