import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import { apiBodyBytesMax } from '../../src/core/limits.ts';
import { campaignBody } from '../sandbox/policy-sandbox.ts';
import { PolicyServer, policyPath } from './policy-api-server.ts';

let server: PolicyServer;

beforeEach(async () => {
  server = await PolicyServer.start();
});

afterEach(() => server.stop());

const change = campaignBody({ snoozeDurationInDays: 7 });
const allow = 'GET, HEAD, PATCH, OPTIONS';

/** Status and error code of an answer; checks the error shape. */
async function failureOf(response: Response): Promise<[status: number, code: unknown]> {
  const body = (await response.json()) as { error: { code: string; innerError: object } };
  expect(body).toEqual({
    error: expect.objectContaining({
      code: expect.stringMatching(/^[a-z][A-Za-z]+$/),
      message: expect.stringMatching(/\S/),
      innerError: { 'request-id': response.headers.get('request-id'), date: expect.stringMatching(/^\d{4}-.*Z$/) },
    }),
  });
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return [response.status, body.error.code];
}

describe('GET', () => {
  test('GET: 200 with the whole policy, a strong ETag and a request id', async () => {
    const response = await server.ask('GET');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
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
  ])('GET: the policy is at %s as well', async ([path = '']) => {
    expect((await server.ask('GET', { path })).status).toBe(200);
  });

  test('GET: appends nothing to the journal', async () => {
    await server.ask('GET');
    expect(server.sandbox.entryCount).toBe(1);
  });

  test('GET: 304 without a body for who holds the content, until it changes', async () => {
    const etag = (await server.ask('GET')).headers.get('etag') ?? '';
    const held = await server.ask('GET', { headers: { 'if-none-match': etag } });
    expect([held.status, await held.text(), held.headers.get('etag')]).toEqual([304, '', etag]);
    await server.patch(change);
    expect((await server.ask('GET', { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  test('HEAD: answers as GET does, without the body', async () => {
    const [get, head] = [await server.ask('GET'), await server.ask('HEAD')];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['etag', 'content-length', 'content-type']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  test('GET: shows a change of the control API at once', async () => {
    await server.ask('GET');
    await server.sandbox.directory.patchTenant({ campaign: { state: 'disabled' } }, 'control-api');
    expect(await (await server.ask('GET')).json()).toMatchObject(campaignBody({ state: 'disabled' }) as object);
  });

  test('GET: waits until the store has what the answer shows', async () => {
    const [asked, safe] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    vi.spyOn(server.sandbox, 'settled').mockImplementationOnce(() => {
      asked.resolve();
      return safe.promise;
    });
    let answered = false;
    const answer = server.ask('GET').then(({ status }) => {
      answered = true;
      return status;
    });
    await asked.promise;
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

  test('PATCH: what GET answered goes back byte by byte with 200', async () => {
    const get = await server.ask('GET');
    const response = await server.ask('PATCH', { body: await get.text() });
    expect([response.status, response.headers.get('etag')]).toEqual([200, get.headers.get('etag')]);
    expect(server.sandbox.entryCount).toBe(1);
  });

  test('PATCH: return=minimal is 204 without a body and says so', async () => {
    const response = await server.patch(change, { prefer: 'return=minimal' });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('preference-applied')).toBe('return=minimal');
    expect(response.headers.get('etag')).toBe((await server.ask('GET')).headers.get('etag'));
  });

  test('PATCH: changes the sandbox that is addressed and no other', async () => {
    await server.patch(change);
    expect(server.sandbox.directory.tenant().campaign.snoozeDurationInDays).toBe(7);
    expect(server.other.directory.tenant().campaign.snoozeDurationInDays).toBe(3);
  });

  test('precondition-failed: 412 on a lost update, 200 with the current tag', async () => {
    const etag = (await server.ask('GET')).headers.get('etag') ?? '';
    expect((await server.patch(change, { 'if-match': `"other", ${etag}` })).status).toBe(200);
    expect(await failureOf(await server.patch({}, { 'if-match': etag }))).toEqual([412, 'preconditionFailed']);
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
    expect(await failureOf(response)).toEqual([400, 'badRequest']);
    expect(server.sandbox.entryCount).toBe(1);
  });

  test('bad-request: details name every offending field', async () => {
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
    if (status === 415) expect(await failureOf(response)).toEqual([415, 'unsupportedMediaType']);
  });

  test('unsupported-media-type: 415 for a compressed body and for one without a type', async () => {
    const compressed = await server.patch({}, { 'content-encoding': 'gzip' });
    expect(await failureOf(compressed)).toEqual([415, 'unsupportedMediaType']);
    expect(compressed.headers.get('accept-patch')).toBe('application/json');
    const untyped = await server.ask('PATCH', {
      body: new Uint8Array([0x7b, 0x7d]),
      headers: { 'content-type': null },
    });
    expect(await failureOf(untyped)).toEqual([415, 'unsupportedMediaType']);
  });

  test('payload-too-large: 413 by the announced length, and the connection lives on', async () => {
    const atLimit = `{}${' '.repeat(apiBodyBytesMax - 2)}`;
    expect((await server.ask('PATCH', { body: atLimit })).status).toBe(200);
    expect(await failureOf(await server.ask('PATCH', { body: `${atLimit} ` }))).toEqual([413, 'payloadTooLarge']);
    expect((await server.patch({})).status).toBe(200);
  });

  test('payload-too-large: 413 while it is read, whatever was announced', async () => {
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

describe('who may ask', () => {
  test.for<[string, string | null]>([
    ['no header', null],
    ['another scheme', 'Basic YWRhOnB3'],
    ['no token', 'Bearer'],
    ['no valid token', 'Bearer abc.def.ghi'],
  ])('unauthenticated: 401 with a challenge for %s', async ([, authorization]) => {
    for (const method of ['GET', 'PATCH']) {
      const response = await server.ask(method, { headers: { authorization } });
      expect(await failureOf(response)).toEqual([401, 'unauthenticated']);
      const challenge = authorization?.includes('abc') ? 'Bearer error="invalid_token"' : 'Bearer';
      expect(response.headers.get('www-authenticate')).toBe(challenge);
    }
  });

  test('unauthenticated: the scheme is matched in any case', async () => {
    const authorization = `bearer ${await server.token()}`;
    expect((await server.ask('GET', { headers: { authorization } })).status).toBe(200);
  });

  test('unauthenticated: a token ends with the virtual clock and by revocation, though it is remembered', async () => {
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

  test('unauthenticated: a token of one sandbox is none of another', async () => {
    const response = await server.ask('GET', { path: `/s/other${policyPath}` });
    expect(await failureOf(response)).toEqual([401, 'unauthenticated']);
  });

  test('access-denied: 403 for reading and writing, before the body is looked at', async () => {
    const { access_token: reader } = await server.sandbox.tokens.issue({ permissions: ['Policy.Read.All'] });
    const { access_token: nobody } = await server.sandbox.tokens.issue({ app: 'pipeline' });
    const read = await server.ask('GET', { headers: { authorization: `Bearer ${nobody}` } });
    expect(await failureOf(read)).toEqual([403, 'accessDenied']);
    const headers = { authorization: `Bearer ${reader}`, 'content-type': 'text/plain' };
    expect(await failureOf(await server.ask('PATCH', { body: 'x', headers }))).toEqual([403, 'accessDenied']);
  });
});

describe('what there is not', () => {
  test.for([
    ['/v1.0'],
    ['/v1.0/policies'],
    [`${policyPath}/authenticationMethodConfigurations/fido2`],
    ['/v1.0/users'],
    ['/s/default/v1.0/policies/other'],
  ])('not-found: 404 for %s', async ([path = '']) => {
    for (const method of ['GET', 'PATCH', 'POST']) {
      expect(await failureOf(await server.ask(method, { path }))).toEqual([404, 'notFound']);
    }
  });

  test('sandbox-not-found: 404 in this API’s shape, whatever is asked', async () => {
    for (const method of ['GET', 'PATCH', 'POST', 'OPTIONS']) {
      const response = await server.ask(method, { path: `/s/nowhere${policyPath}` });
      expect(await failureOf(response)).toEqual([404, 'notFound']);
    }
    expect((await server.ask('HEAD', { path: `/s/nowhere${policyPath}` })).status).toBe(404);
  });

  test.for([
    ['/V1.0/Policies/AuthenticationMethodsPolicy/Extra', '/V1.0/Policies/AuthenticationMethodsPolicy/Extra', ''],
    ['/s/other/v1.0/Users/A%2Fb?x=1', '/s/other/v1.0/Users/A%2Fb', '/s/other'],
  ])('not-found: 404 names %s as it was sent, and where the policy is', async ([path = '', sent, sandbox]) => {
    const response = await server.ask('GET', { path });
    const { error } = (await response.json()) as { readonly error: { readonly message: string } };
    expect(response.status).toBe(404);
    expect(error.message).toBe(
      `There is nothing at ${sent}; the policy is at ${sandbox}/v1.0/policies/authenticationMethodsPolicy.`,
    );
  });

  test('GET: $select shows a part, and an option that is unknown is 400 after the token was looked at', async () => {
    const part = await server.ask('GET', { path: `${policyPath}?$select=id` });
    expect([part.status, Object.keys((await part.json()) as object)]).toEqual([200, ['@odata.context', 'id']]);
    const unknown = await server.ask('GET', { path: `${policyPath}?$top=1` });
    expect(await failureOf(unknown)).toEqual([400, 'badRequest']);
    const bare = await server.ask('GET', { path: `${policyPath}?$top=1`, headers: { authorization: null } });
    expect(await failureOf(bare)).toEqual([401, 'unauthenticated']);
    const patched = await server.ask('PATCH', { path: `${policyPath}?$top=1`, body: JSON.stringify(change) });
    expect(await failureOf(patched)).toEqual([400, 'badRequest']);
    expect(server.sandbox.entryCount).toBe(1);
  });

  test('PATCH: a stored GET goes back with 200 after another write', async () => {
    const stored = await (await server.ask('GET')).text();
    await server.patch(change);
    expect((await server.ask('PATCH', { body: stored })).status).toBe(200);
    expect(server.sandbox.directory.tenant().campaign.snoozeDurationInDays).toBe(3);
  });

  test('not-found: what is not below the version is left to others', async () => {
    const response = await server.ask('GET', { path: '/v1.00/policies' });
    expect([response.status, response.headers.get('request-id')]).toEqual([404, null]);
  });

  test.for([['POST'], ['PUT'], ['DELETE'], ['PURGE']])(
    'method-not-allowed: 405 with Allow for %s',
    async ([method = '']) => {
      const response = await server.ask(method, { headers: { authorization: null } });
      expect(await failureOf(response)).toEqual([405, 'methodNotAllowed']);
      expect(response.headers.get('allow')).toBe(allow);
    },
  );

  test('method-not-allowed: OPTIONS tells the methods', async () => {
    const response = await server.ask('OPTIONS', { headers: { authorization: null } });
    expect([response.status, response.headers.get('allow')]).toEqual([204, allow]);
  });
});

describe('what goes wrong inside', () => {
  test('too-many-requests: 429 with Retry-After, once something raises it', async () => {
    vi.spyOn(server.sandbox.policy, 'read').mockImplementation(() => {
      throw new NudgeLabError('too-many-requests', { headers: { 'Retry-After': '30' } });
    });
    const response = await server.ask('GET');
    expect(response.headers.get('retry-after')).toBe('30');
    expect(await failureOf(response)).toEqual([429, 'tooManyRequests']);
  });

  test('internal-error: 500 without the details, which the listener hears', async () => {
    const cause = new Error('secret detail');
    vi.spyOn(server.sandbox.policy, 'read').mockImplementation(() => {
      throw cause;
    });
    const response = await server.ask('GET');
    const copy = response.clone();
    expect(await failureOf(response)).toEqual([500, 'internalError']);
    expect(await copy.text()).not.toContain('secret');
    expect(server.faults).toEqual([cause]);
  });

  test('store-failed: 503 when the store cannot keep a change', async () => {
    vi.spyOn(server.sandbox.recorder, 'record').mockRejectedValue(new NudgeLabError('store-failed'));
    expect(await failureOf(await server.patch(change))).toEqual([503, 'serviceUnavailable']);
  });

  test('bad-request: the date of an error is the virtual clock’s, and every answer has an id of its own', async () => {
    await server.sandbox.clock.set({ nowMs: Date.UTC(2031, 1, 3), running: false });
    const [one, two] = [await server.patch({ x: 1 }), await server.patch({ x: 1 })];
    const { error } = (await one.json()) as { error: { innerError: { date: string } } };
    expect(error.innerError.date).toBe('2031-02-03T00:00:00.000Z');
    expect(one.headers.get('request-id')).not.toBe(two.headers.get('request-id'));
  });
});
