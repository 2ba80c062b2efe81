import { beforeEach, describe, expect, test } from 'vitest';
import { shareInFile } from '../share-in-file.ts';
import { basic, bearer, good, startLookupSite, usedByTestToken } from './lookup-site.ts';

const site = shareInFile(() => startLookupSite());

beforeEach(async () => {
  await site.sandboxes.reset('default');
});

describe('connection faults', () => {
  test('L10: the fault cuts a connection in during-body', async () => {
    await site.sandbox.faults.set([{ kind: 'lookup-connection-reset', times: 1 }]);
    await expect(site.ask(good)).rejects.toThrow();
    expect((await site.ask(good)).status).toBe(200);
  });

  test('L10: a call that times out receives no response and is charged', async () => {
    await site.sandbox.faults.set([{ kind: 'lookup-timeout', times: 1 }]);
    const signal = AbortSignal.timeout(150);
    await expect(fetch(`${site.baseUrl}/api/v2/?${good}&api_key=test-token`, { signal })).rejects.toThrow();
    expect(await usedByTestToken(site)).toBe(1);
  });

  test('L10: a response altered by a fault is sent as altered', async () => {
    await site.sandbox.faults.set([{ kind: 'lookup-malformed-value', field: 'found', times: 1 }]);
    const { body } = await site.ask('type=email&query=known@quorvex.example&tool=quorvex', { bent: true });
    expect(body.results.quorvex.found).toBe('yes');
  });
});

describe('control API', () => {
  const control = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${site.baseUrl}/_control/v1/sandboxes/default/lookup${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };

  test('L6: a token is issued, used, renamed and revoked, and is shown once', async () => {
    const issued = await control('POST', '/tokens', { account: 'free', name: 'mine' });
    expect(issued.status).toBe(201);
    const { id, token } = issued.body;
    expect((await site.ask(good, { headers: bearer(token) })).status).toBe(200);
    await control('PATCH', `/tokens/${id}`, { name: 'yours' });
    const listed = await control('GET', '');
    expect(listed.body.tokens).toContainEqual({ id, account: 'free', name: 'yours' });
    expect(JSON.stringify(listed.body)).not.toMatch(new RegExp(`${token}|scrypt|[0-9a-f]{64}`));
    expect((await control('DELETE', `/tokens/${id}`)).status).toBe(204);
    expect((await site.ask(good, { headers: bearer(token) })).status).toBe(401);
    expect((await control('DELETE', `/tokens/${id}`)).status).toBe(404);
  });

  test('L6: a suspended account is rejected from then on', async () => {
    await control('PUT', '/accounts/premium', { suspended: true });
    expect((await site.ask(good)).status).toBe(403);
    await control('PUT', '/accounts/fresh', { email: 'fresh@example.test', password: 'new word', tier: 'unlimited' });
    expect((await site.ask(good, { headers: basic('fresh@example.test', 'new word') })).status).toBe(200);
    await control('PUT', '/accounts/fresh', { password: 'other word' });
    expect((await site.ask(good, { headers: basic('fresh@example.test', 'new word') })).status).toBe(401);
  });

  test('L3: a test can count the calls of a tool by caller', async () => {
    await site.ask(good);
    await site.ask(good, { headers: basic('free@example.test') });
    await site.ask('type=email&query=a@b&tool=all');
    expect((await control('GET', '/calls')).body).toEqual({
      callers: [
        { caller: 'token:test', byTool: { quorvex: 1, all: 1 } },
        { caller: 'account:free', byTool: { quorvex: 1 } },
      ],
      byTool: { quorvex: 2, all: 1 },
    });
  });

  test('bad-request: an unknown tool is 404, and a contradictory service description is 400', async () => {
    expect((await control('PUT', '/tools/email/yondrel', { enabled: false })).status).toBe(404);
    const unknownType = await control('PUT', '/tools/phone/quorvex', { enabled: false });
    expect([unknownType.status, JSON.stringify(unknownType.body)]).toEqual([
      404,
      expect.stringMatching(/email, username/),
    ]);
    expect((await control('PATCH', '', { settings: { costOfAll: -1 } })).status).toBe(400);
    expect((await control('PATCH', '', { tools: { email: [], username: [] } })).status).toBe(400);
  });
});
