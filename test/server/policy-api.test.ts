import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import { apiBodyBytesMax } from '../../src/core/limits.ts';
import { jsonMediaType } from '../../src/sandbox/directory-api/directory-exchange.ts';
import { campaignBody } from '../sandbox/policy-sandbox.ts';
import { PolicyServer, policyPath } from './policy-api-server.ts';

let server: PolicyServer;

beforeEach(async () => {
  server = await PolicyServer.start();
});

afterEach(() => server.stop());

const change = campaignBody({ snoozeDurationInDays: 7 });
const allow = 'GET, HEAD, PATCH, OPTIONS';

/** Returns the status and error code of a response, and checks its error format. */
async function getFailure(response: Response): Promise<[status: number, code: unknown]> {
  const body = (await response.json()) as { error: { code: string; innerError: object } };
  expect(body).toEqual({
    error: expect.objectContaining({
      code: expect.stringMatching(/^[a-z][A-Za-z]+$/),
      message: expect.stringMatching(/\S/),
      innerError: {
        date: expect.stringMatching(/^\d{4}-.*Z$/),
        'request-id': response.headers.get('request-id'),
        'client-request-id': response.headers.get('client-request-id'),
      },
    }),
  });
  expect(response.headers.get('content-type')).toBe(jsonMediaType);
  return [response.status, body.error.code];
}

describe('GET', () => {
  test('GET: 200 with the whole policy, a strong ETag and a request id', async () => {
    const response = await server.ask('GET');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(jsonMediaType);
    expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(response.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const body = (await response.json()) as Record<string, unknown>;
    expect(body).toMatchObject(campaignBody({ state: 'enabled', snoozeDurationInDays: 3 }) as object);
    expect(body['@odata.context']).toMatch(/\$metadata#authenticationMethodsPolicy$/);
  });

  test.for([
    ['/V1.0/Policies/AuthenticationMethodsPolicy'],
    ['/v1.0/policies/AUTHENTICATIONMETHODSPOLICY/'],
    [`${policyPath}?$select=id`],
    [`/s/default${policyPath}`],
    ['/beta/policies/authenticationMethodsPolicy'],
  ])('GET: the policy is also available at %s', async ([path = '']) => {
    expect((await server.ask('GET', { path })).status).toBe(200);
  });

  test('GET: appends nothing to the journal', async () => {
    await server.ask('GET');
    expect(server.sandbox.entryCount).toBe(1);
  });

  test('GET: returns 304 without a body for a current ETag, until the policy changes', async () => {
    const etag = (await server.ask('GET')).headers.get('etag') ?? '';
    const unchanged = await server.ask('GET', { headers: { 'if-none-match': etag } });
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', etag]);
    await server.patch(change);
    expect((await server.ask('GET', { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  test('HEAD: returns the same as GET, without the body', async () => {
    const [get, head] = [await server.ask('GET'), await server.ask('HEAD')];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['etag', 'content-length', 'content-type']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  test('GET: returns changes of the control API immediately', async () => {
    await server.ask('GET');
    await server.sandbox.directory.patchTenant({ campaign: { state: 'disabled' } }, 'control-api');
    expect(await (await server.ask('GET')).json()).toMatchObject(campaignBody({ state: 'disabled' }) as object);
  });

  test('GET: waits until the store contains the returned data', async () => {
    const [waiting, safe] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    vi.spyOn(server.sandbox, 'settled').mockImplementationOnce(() => {
      waiting.resolve();
      return safe.promise;
    });
    let answered = false;
    const answer = server.ask('GET').then(({ status }) => {
      answered = true;
      return status;
    });
    await waiting.promise;
    await server.ask('HEAD');
    expect(answered).toBe(false);
    safe.resolve();
    expect(await answer).toBe(200);
  });
});

describe('PATCH', () => {
  test('PATCH: 200 with the whole policy and its new ETag, which GET repeats', async () => {
    const before = (await server.ask('GET')).headers.get('etag');
    const response = await server.patch(change);
    expect(response.status).toBe(200);
    const text = await response.text();
    const get = await server.ask('GET');
    expect([await get.text(), get.headers.get('etag')]).toEqual([text, response.headers.get('etag')]);
    expect(response.headers.get('etag')).not.toBe(before);
    expect(JSON.parse(text)).toMatchObject(change as object);
  });

  test('PATCH: accepts the exact bytes of a GET response with 200', async () => {
    const get = await server.ask('GET');
    const response = await server.ask('PATCH', { body: await get.text() });
    expect([response.status, response.headers.get('etag')]).toEqual([200, get.headers.get('etag')]);
    expect(server.sandbox.entryCount).toBe(1);
  });

  test('PATCH: return=minimal is 204 without a body and with Preference-Applied', async () => {
    const response = await server.patch(change, { prefer: 'return=minimal' });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('preference-applied')).toBe('return=minimal');
    expect(response.headers.get('etag')).toBe((await server.ask('GET')).headers.get('etag'));
  });

  test('PATCH: changes only the addressed sandbox', async () => {
    await server.patch(change);
    expect(server.sandbox.directory.tenant().campaign.snoozeDurationInDays).toBe(7);
    expect(server.other.directory.tenant().campaign.snoozeDurationInDays).toBe(3);
  });

  test('precondition-failed: 412 for a lost update, 200 with the current ETag', async () => {
    const etag = (await server.ask('GET')).headers.get('etag') ?? '';
    expect((await server.patch(change, { 'if-match': `"other", ${etag}` })).status).toBe(200);
    expect(await getFailure(await server.patch({}, { 'if-match': etag }))).toEqual([412, 'preconditionFailed']);
    expect((await server.patch({}, { 'if-match': '*' })).status).toBe(200);
  });

  test.for<[string, string | Uint8Array<ArrayBuffer> | undefined]>([
    ['no body', undefined],
    ['an empty body', ''],
    ['half a body', '{"registrationEnforcement":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['bytes that are no text', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
    ['a wrong field', JSON.stringify(campaignBody({ snoozeDurationInDays: 15 }))],
  ])('bad-request: 400 for %s', async ([, body]) => {
    const response = await server.ask('PATCH', body === undefined ? {} : { body });
    expect(await getFailure(response)).toEqual([400, 'badRequest']);
    expect(server.sandbox.entryCount).toBe(1);
  });

  test('bad-request: details lists every invalid field', async () => {
    const response = await server.patch({
      ...(campaignBody({ snoozeDurationInDays: 15, state: 'on' }) as object),
      x: 1,
    });
    const { error } = (await response.json()) as { error: { details: { target: string }[] } };
    const campaign = 'registrationEnforcement.authenticationMethodsRegistrationCampaign';
    expect(error.details.map(({ target }) => target)).toEqual([
      `${campaign}.snoozeDurationInDays`,
      `${campaign}.state`,
      'x',
    ]);
  });

  test.for<[string, number]>([
    ['application/json', 200],
    ['Application/JSON; charset=UTF-8', 200],
    ['application/json;odata.metadata=minimal', 200],
    ['application/json; charset="utf-8"', 200],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/merge-patch+json', 415],
    ['application/json; charset=utf-16', 415],
    ['application/jsonp', 415],
  ])('unsupported-media-type: %s is %i', async ([type, status]) => {
    const response = await server.patch({}, { 'content-type': type });
    expect(response.status).toBe(status);
    if (status === 415) expect(await getFailure(response)).toEqual([415, 'unsupportedMediaType']);
  });

  test('unsupported-media-type: 415 for a compressed body and for a body without a type', async () => {
    const compressed = await server.patch({}, { 'content-encoding': 'gzip' });
    expect(await getFailure(compressed)).toEqual([415, 'unsupportedMediaType']);
    expect(compressed.headers.get('accept-patch')).toBe('application/json');
    const untyped = await server.ask('PATCH', {
      body: new Uint8Array([0x7b, 0x7d]),
      headers: { 'content-type': null },
    });
    expect(await getFailure(untyped)).toEqual([415, 'unsupportedMediaType']);
  });

  test('payload-too-large: 413 if Content-Length exceeds the limit, and the connection stays open', async () => {
    const atLimit = `{}${' '.repeat(apiBodyBytesMax - 2)}`;
    expect((await server.ask('PATCH', { body: atLimit })).status).toBe(200);
    expect(await getFailure(await server.ask('PATCH', { body: `${atLimit} ` }))).toEqual([413, 'payloadTooLarge']);
    expect((await server.patch({})).status).toBe(200);
  });

  test('payload-too-large: 413 while reading the body, regardless of Content-Length', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const { promise, resolve } = Promise.withResolvers<string>();
    let received = '';
    socket.on('data', (chunk) => {
      received += String(chunk);
      if (received.includes('payloadTooLarge')) resolve(received);
    });
    socket.write(
      `PATCH ${policyPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${await server.token()}\r\n` +
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const size = 65_536;
    const chunk = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`;
    for (let sent = 0; sent <= apiBodyBytesMax; sent += size) socket.write(chunk);
    expect(await promise).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });
});

describe('authentication and permissions', () => {
  test.for<[string, string | null]>([
    ['no header', null],
    ['another scheme', 'Basic YWRhOnB3'],
    ['no token', 'Bearer'],
    ['no valid token', 'Bearer abc.def.ghi'],
  ])('unauthenticated: 401 with a challenge for %s', async ([, authorization]) => {
    for (const method of ['GET', 'PATCH']) {
      const response = await server.ask(method, { headers: { authorization } });
      expect(await getFailure(response)).toEqual([401, 'unauthenticated']);
      const challenge = authorization?.includes('abc') ? 'Bearer error="invalid_token"' : 'Bearer';
      expect(response.headers.get('www-authenticate')).toBe(challenge);
    }
  });

  test('unauthenticated: the scheme is case-insensitive', async () => {
    const authorization = `bearer ${await server.token()}`;
    expect((await server.ask('GET', { headers: { authorization } })).status).toBe(200);
  });

  test('unauthenticated: a cached token expires by the virtual clock and on revocation', async () => {
    const token = await server.token();
    const ask = async () => (await server.ask('GET', { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await ask()).toBe(200);
    await server.sandbox.clock.advance({ hours: 1 });
    expect(await ask()).toBe(401);
    const second = await server.token();
    const askSecond = () => server.ask('GET', { headers: { authorization: `Bearer ${second}` } });
    expect((await askSecond()).status).toBe(200);
    await server.sandbox.tokens.revoke(second);
    expect((await askSecond()).status).toBe(401);
  });

  test('unauthenticated: a token of one sandbox is invalid in another', async () => {
    const response = await server.ask('GET', { path: `/s/other${policyPath}` });
    expect(await getFailure(response)).toEqual([401, 'unauthenticated']);
  });

  test('access-denied: 403 for reading and writing, before the body is validated', async () => {
    const { access_token: reader } = await server.sandbox.tokens.issue({ permissions: ['Policy.Read.All'] });
    const { access_token: nobody } = await server.sandbox.tokens.issue({ app: 'pipeline' });
    const read = await server.ask('GET', { headers: { authorization: `Bearer ${nobody}` } });
    expect(await getFailure(read)).toEqual([403, 'accessDenied']);
    const headers = { authorization: `Bearer ${reader}`, 'content-type': 'text/plain' };
    expect(await getFailure(await server.ask('PATCH', { body: 'x', headers }))).toEqual([403, 'accessDenied']);
  });
});

describe('unknown resources', () => {
  test.for([
    ['/v1.0/policies'],
    ['/beta/policies/other'],
    [`${policyPath}/authenticationMethodConfigurations/fido2/other`],
    ['/v1.0/users/ada/calendar'],
    ['/s/default/v1.0/policies/other'],
  ])('not-found: 404 for %s', async ([path = '']) => {
    for (const method of ['GET', 'PATCH', 'POST']) {
      expect(await getFailure(await server.ask(method, { path }))).toEqual([404, 'notFound']);
    }
  });

  test('sandbox-not-found: 404 in the format of this API, for any request', async () => {
    for (const method of ['GET', 'PATCH', 'POST', 'OPTIONS']) {
      const response = await server.ask(method, { path: `/s/nowhere${policyPath}` });
      expect(await getFailure(response)).toEqual([404, 'notFound']);
    }
    expect((await server.ask('HEAD', { path: `/s/nowhere${policyPath}` })).status).toBe(404);
  });

  test.for([
    ['/V1.0/Policies/AuthenticationMethodsPolicy/Extra', 'Extra', '/Policies/AuthenticationMethodsPolicy/Extra'],
    ['/s/other/v1.0/Gadgets/A%2Fb?x=1', 'Gadgets', '/Gadgets/A%2Fb'],
    ['/v1.0//policies', '', '//policies'],
  ])('not-found: 404 for %s names the segment and the path as sent', async ([path = '', segment, sent]) => {
    const response = await server.ask('GET', { path });
    const { error } = (await response.json()) as { readonly error: { readonly message: string } };
    expect(response.status).toBe(404);
    expect(error.message).toBe(`Resource not found for the segment '${segment}'. The path ${sent} does not exist.`);
  });

  test('GET: $select returns a part, and an unknown option is 400 after the token check', async () => {
    const part = await server.ask('GET', { path: `${policyPath}?$select=id` });
    expect([part.status, Object.keys((await part.json()) as object)]).toEqual([200, ['@odata.context', 'id']]);
    const unknown = await server.ask('GET', { path: `${policyPath}?$top=1` });
    expect(await getFailure(unknown)).toEqual([400, 'badRequest']);
    const bare = await server.ask('GET', { path: `${policyPath}?$top=1`, headers: { authorization: null } });
    expect(await getFailure(bare)).toEqual([401, 'unauthenticated']);
    const patched = await server.ask('PATCH', { path: `${policyPath}?$top=1`, body: JSON.stringify(change) });
    expect(await getFailure(patched)).toEqual([400, 'badRequest']);
    expect(server.sandbox.entryCount).toBe(1);
  });

  test('PATCH: a stored GET response is accepted with 200 after another write', async () => {
    const stored = await (await server.ask('GET')).text();
    await server.patch(change);
    expect((await server.ask('PATCH', { body: stored })).status).toBe(200);
    expect(server.sandbox.directory.tenant().campaign.snoozeDurationInDays).toBe(3);
  });

  test('not-found: paths outside the version prefix are passed to other routes', async () => {
    const response = await server.ask('GET', { path: '/v1.00/policies' });
    expect([response.status, response.headers.get('request-id')]).toEqual([404, null]);
  });

  test.for([['POST'], ['PUT'], ['DELETE'], ['PURGE']])(
    'method-not-allowed: 405 with Allow for %s',
    async ([method = '']) => {
      const response = await server.ask(method, { headers: { authorization: null } });
      expect(await getFailure(response)).toEqual([405, 'methodNotAllowed']);
      expect(response.headers.get('allow')).toBe(allow);
    },
  );

  test('method-not-allowed: OPTIONS lists the methods', async () => {
    const response = await server.ask('OPTIONS', { headers: { authorization: null } });
    expect([response.status, response.headers.get('allow')]).toEqual([204, allow]);
  });
});

describe('internal failures', () => {
  test('too-many-requests: 429 with Retry-After if a handler raises it', async () => {
    vi.spyOn(server.sandbox.policy, 'read').mockImplementation(() => {
      throw new NudgeLabError('too-many-requests', { headers: { 'Retry-After': '30' } });
    });
    const response = await server.ask('GET');
    expect(response.headers.get('retry-after')).toBe('30');
    expect(await getFailure(response)).toEqual([429, 'tooManyRequests']);
  });

  test('internal-error: 500 without details, which are passed to the listener', async () => {
    const cause = new Error('secret detail');
    vi.spyOn(server.sandbox.policy, 'read').mockImplementation(() => {
      throw cause;
    });
    const response = await server.ask('GET');
    const copy = response.clone();
    expect(await getFailure(response)).toEqual([500, 'internalError']);
    expect(await copy.text()).not.toContain('secret');
    expect(server.faults).toEqual([cause]);
  });

  test('store-failed: 503 if the store cannot save a change', async () => {
    vi.spyOn(server.sandbox.recorder, 'record').mockRejectedValue(new NudgeLabError('store-failed'));
    expect(await getFailure(await server.patch(change))).toEqual([503, 'serviceUnavailable']);
  });

  test('bad-request: the date of an error is that of the virtual clock, and every response has its own request id', async () => {
    await server.sandbox.clock.set({ nowMs: Date.UTC(2031, 1, 3), running: false });
    const [one, two] = [await server.patch({ x: 1 }), await server.patch({ x: 1 })];
    const { error } = (await one.json()) as { error: { innerError: { date: string } } };
    expect(error.innerError.date).toBe('2031-02-03T00:00:00.000Z');
    expect(one.headers.get('request-id')).not.toBe(two.headers.get('request-id'));
  });
});
