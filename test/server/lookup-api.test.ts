import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeEach, describe, expect, test } from 'vitest';
import { defaultLookup } from '../../src/contract/lookup-defaults.ts';
import { lookupDocument } from '../../src/contract/lookup-openapi.ts';
import { nonEmpty } from '../non-empty.ts';
import { shareInFile } from '../share-in-file.ts';
import { basic, bearer, good, quota, startLookupSite, usedByTestToken } from './lookup-site.ts';

const site = shareInFile(() =>
  startLookupSite({
    lookup: {
      accounts: [
        ...defaultLookup.accounts,
        { id: 'odd', email: 'odd@example.test', password: 'a:b:ü€', tier: 'unlimited' },
      ],
      tokens: [...defaultLookup.tokens, { id: 'free', account: 'free', token: 'test-token-free' }],
    },
  }),
);

beforeEach(async () => {
  await site.sandboxes.reset('default');
});

describe('OpenAPI document', () => {
  test('L1: the document is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(lookupDocument) as never);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });
});

describe('lookups', () => {
  test('L4: the response of one tool has the identifier of the tool as its key and repeats the query as sent', async () => {
    const { status, body } = await site.ask('type=email&query=%20Known@Quorvex.example&tool=quorvex');
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, query: ' Known@Quorvex.example', type: 'email' });
    expect(Object.keys(body.results)).toEqual(['quorvex']);
    expect(body.results.quorvex).toMatchObject({ found: true, name: expect.any(String) });
  });

  test('L4: a result without a match has no other field', async () => {
    const { body } = await site.ask('type=username&query=unknown-dwindex&tool=dwindex');
    expect(body.results).toEqual({ dwindex: { found: false } });
  });

  test('L5: all runs 23 tools for an email address and 11 for a username', async () => {
    const email = await site.ask('type=email&query=ada@example.test&tool=all');
    const username = await site.ask('type=username&query=ada&tool=all');
    expect(Object.keys(email.body.results)).toHaveLength(23);
    expect(Object.keys(username.body.results)).toHaveLength(11);
  });

  test('L5: every tool finds its known query and never the unknown one', async () => {
    for (const type of ['email', 'username'] as const) {
      for (const { id, knownQuery, unknownQuery } of nonEmpty(defaultLookup.tools[type])) {
        await site.sandboxes.reset('default');
        const ask = async (query: string) =>
          (await site.ask(`type=${type}&query=${query}&tool=${id}`)).body.results[id];
        expect(await ask(knownQuery)).toMatchObject({ found: true });
        expect(await ask(unknownQuery)).toEqual({ found: false });
      }
    }
  });

  test('L4: every URL in a result returns the promised content', async () => {
    const { body } = await site.ask('type=username&query=ada&tool=all');
    const found = Object.values(body.results).filter((result) => (result as { found: boolean }).found);
    expect(found.length).toBeGreaterThan(0);
    for (const { profile_url: profile, avatar } of found as { profile_url: string; avatar: string }[]) {
      const page = await fetch(profile);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const picture = await fetch(avatar);
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
      expect(profile + (await page.text())).not.toContain('ada');
      const forged = avatar.replace(/.(?=\.svg)/, (digit) => (digit === '0' ? '1' : '0'));
      expect((await fetch(forged)).status).toBe(404);
    }
  });
});

describe('order of checks', () => {
  test.for(['HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    'L1: %s is 405 with Allow, before any other check',
    async (method) => {
      const { status, headers } = await site.ask('', { method, headers: {} });
      expect([status, headers['allow']]).toEqual([405, 'GET']);
    },
  );

  test.for([
    ['nothing at all', {}, good],
    ['a token that no one has', bearer('wrong-token'), good],
    ['a scheme of its own', { authorization: 'Digest abc' }, good],
    ['a bad header beside a good parameter', bearer('wrong'), `${good}&api_key=test-token`],
    ['an empty header beside a good parameter', { authorization: '' }, `${good}&api_key=test-token`],
    ['an empty parameter', {}, `${good}&api_key=`],
    ['two tokens', {}, `${good}&api_key=test-token&api_key=other`],
    ['bad base64', { authorization: 'Basic !!!!' }, good],
    ['base64 without a colon', { authorization: `Basic ${btoa('free@example.test')}` }, good],
    ['a wrong password', basic('free@example.test', 'wrong'), good],
    ['an account that does not exist', basic('nobody@example.test'), good],
    ['a wrong credential and a wrong parameter', bearer('wrong'), 'type=neither'],
  ] as const)('L6: %s is 401', async ([, headers, query]) => {
    const reply = await site.ask(query, { headers });
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toContain('Bearer');
    expect(quota(reply)).toEqual({ limit: undefined, remaining: undefined, reset: undefined });
  });

  test.for([
    ['bearer in capitals', { authorization: 'BEARER test-token' }, good],
    ['a parameter', {}, `${good}&api_key=test-token`],
    ['a good header beside a bad parameter', bearer('test-token'), `${good}&api_key=wrong`],
    ['Basic', basic('premium@example.test'), good],
    [
      'Basic in another case',
      { authorization: basic('PREMIUM@example.test').authorization.replace('Basic', 'bASIC') },
      good,
    ],
    ['a password with colons and other letters', basic('odd@example.test', 'a:b:ü€'), good],
  ] as const)('L6: %s is accepted', async ([, headers, query]) => {
    expect((await site.ask(query, { headers })).status).toBe(200);
  });

  test('L6: a suspended account is 403 before its parameters are validated', async () => {
    const byToken = await site.ask('type=neither', { headers: bearer('test-token-suspended') });
    const byPassword = await site.ask('type=neither', { headers: basic('suspended@example.test') });
    expect([byToken.status, byPassword.status]).toEqual([403, 403]);
  });

  test.for([
    ['no parameter', '', 'type'],
    ['no type', 'query=a@b&tool=all', 'type'],
    ['another type', 'type=phone&query=a@b&tool=all', 'email, username'],
    ['no query', 'type=email&tool=all', 'query'],
    ['an empty query', 'type=email&query=&tool=all', 'query'],
    ['a query of 321 characters', `type=username&query=${'a'.repeat(321)}&tool=all`, '320'],
    ['an email address without an at sign', 'type=email&query=ada&tool=all', 'query'],
    ['an at sign alone', 'type=email&query=@&tool=all', 'query'],
    ['no tool', 'type=email&query=a@b', 'tool'],
    ['a tool of the other type', 'type=username&query=a&tool=quorvex', 'yondrel'],
    ['a tool in capitals', 'type=email&query=a@b&tool=QUORVEX', 'quorvex'],
    ['a repeated parameter', `${good}&tool=quorvex`, 'tool'],
    ['a repeated token', `${good}&api_key=test-token&api_key=test-token`, 'api_key'],
    ['an unknown parameter', `${good}&limit=3`, 'unknown'],
    ['action and type', 'action=tools&type=email', 'type'],
    ['another action', 'action=delete', 'tools, usage'],
    ['an empty action', 'action=', 'tools, usage'],
    ['bytes that are no UTF-8', 'type=email&query=%ff@b&tool=all', 'query'],
    ['a NUL', 'type=username&query=a%00b&tool=all', 'query must not contain control characters'],
    ['a line break', 'type=username&query=a%0d%0aX-Injected:%201&tool=all', 'control characters'],
    ['a tab before an email address', 'type=email&query=%09a@b&tool=all', 'control characters'],
    ['a DEL', 'type=email&query=a%7f@b&tool=all', 'control characters'],
    ['a control character of the second kind', 'type=email&query=a%c2%85@b&tool=all', 'control characters'],
    ['half an escape', 'type=email&query=a%4@b&tool=all', 'query'],
  ] as const)('L2: %s is 400, names the invalid parameter and costs nothing', async ([, query, named]) => {
    const reply = await site.ask(query);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toContain(named);
    expect(reply.headers['x-ratelimit-remaining']).toBe('30');
    expect(await usedByTestToken(site)).toBe(0);
  });

  test('L2: an error message does not repeat the input', async () => {
    const { body } = await site.ask('type=secret-word&query=secret-word&secret-word=1');
    expect(body.error).not.toContain('secret-word');
  });

  test('L2: 320 characters and non-ASCII letters are a valid query, and a rejected line break reaches no header', async () => {
    const long = await site.ask(`type=username&query=${encodeURIComponent('😀'.repeat(320))}&tool=dwindex`);
    const broken = await site.ask('type=username&query=a%0d%0aX-Injected:%201&tool=dwindex');
    expect([long.status, broken.status]).toEqual([200, 400]);
    expect(broken.headers['x-injected']).toBeUndefined();
  });

  test('L6: a disabled tool is 403 after its parameters are validated, and is not part of all', async () => {
    await site.sandbox.lookup.administration.enableTool('email', 'quorvex', false);
    expect((await site.ask(good)).status).toBe(403);
    expect((await site.ask(`${good}&limit=3`)).status).toBe(400);
    const all = await site.ask('type=email&query=ada@example.test&tool=all');
    expect(Object.keys(all.body.results)).toHaveLength(22);
    const { body } = await site.ask('action=tools');
    expect(body.tools.email.find(({ id }: { id: string }) => id === 'quorvex').enabled).toBe(false);
    expect(body.count).toEqual({ email: 23, username: 11 });
    expect(await usedByTestToken(site)).toBe(1);
  });

  test('L6: a disabled tool is 403 even if the quota is exhausted', async () => {
    await site.sandbox.lookup.administration.enableTool('email', 'quorvex', false);
    for (let index = 0; index < 31; index += 1) await site.ask('type=email&query=a@b&tool=tazzik');
    expect((await site.ask(good)).status).toBe(403);
  });
});

describe('paths and hosts', () => {
  test('L7: an unknown sandbox and an unknown path are 404 in the same format', async () => {
    expect((await site.ask(good, { prefix: '/s/nowhere' })).status).toBe(404);
    const answer = await fetch(`${site.baseUrl}/api/v2/elsewhere`);
    expect(await answer.json()).toMatchObject({ success: false, code: 404 });
  });

  test('L7: a foreign host and an invalid URL are reported in the same format', async () => {
    const foreign = await site.ask(good, { headers: { ...bearer('test-token'), host: 'elsewhere.example' } });
    expect(foreign.status).toBe(403);
    const malformed = await fetch(`${site.baseUrl}/api/v2/%ff`);
    expect(await malformed.json()).toMatchObject({ success: false, code: malformed.status });
  });

  test('L10: a connection fault is reported in the same format', async () => {
    await site.sandbox.faults.set([{ kind: 'server-error', endpoint: 'lookup', status: 503, times: 1 }]);
    expect((await site.ask(good)).status).toBe(503);
    expect((await site.ask(good)).status).toBe(200);
  });

  test('L4: a separate sandbox has its own random seed, tokens and quotas', async () => {
    await site.sandboxes.create('other', (await import('../../src/sandbox/sandbox.ts')).planSandbox({ seed: 2 }));
    await site.ask(good);
    const reply = await site.ask('type=email&query=ada@example.test&tool=all', { prefix: '/s/other' });
    expect(quota(reply).remaining).toBe('29');
    const here = await site.ask('type=email&query=ada@example.test&tool=all');
    expect(reply.body.results).not.toEqual(here.body.results);
    const found = Object.values(reply.body.results as Record<string, { profile_url?: string }>).find(
      (result) => result.profile_url,
    );
    expect(found?.profile_url).toContain(`${site.baseUrl}/s/other/lookup/profiles/`);
    expect((await fetch(found?.profile_url ?? '')).status).toBe(200);
    await site.sandboxes.remove('other');
  });
});

describe('secrets', () => {
  test('L6: queries, tokens and passwords appear neither in the journal nor in the request log', async () => {
    await site.ask('type=email&query=very-private@example.test&tool=all&api_key=test-token', { headers: {} });
    await site.ask(good, { headers: basic('free@example.test') });
    const journal = JSON.stringify(await site.sandbox.journal({ after: 0, limit: 1_000 }));
    const control = `${site.baseUrl}/_control/v1/sandboxes/default`;
    const requests = await (await fetch(`${control}/requests?path=/api/v2`)).text();
    for (const text of [journal, requests, await (await fetch(`${control}/journal`)).text()]) {
      expect(text).toContain('all');
      for (const secret of ['very-private', 'test-token"', 'correct horse', 'a:b:']) expect(text).not.toContain(secret);
    }
    expect(JSON.parse(requests).requests.at(-1).lookup).toEqual({
      type: 'email',
      tool: 'quorvex',
      caller: 'account:free',
    });
  });
});
