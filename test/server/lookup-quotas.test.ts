import { beforeEach, describe, expect, test } from 'vitest';
import { shareInFile } from '../share-in-file.ts';
import { basic, bearer, good, quota, startedAtMs, startLookupSite, usedByTestToken } from './lookup-site.ts';

const site = shareInFile(() => startLookupSite());

beforeEach(async () => {
  await site.sandboxes.reset('default');
});

describe('quotas', () => {
  const seconds = startedAtMs / 1000;

  test('L8: the 30th request of a minute is accepted, and the 31st is 429 with Retry-After', async () => {
    for (let index = 1; index <= 30; index += 1) {
      const reply = await site.ask(good);
      expect(quota(reply)).toEqual({ limit: '30', remaining: String(30 - index), reset: String(seconds + 60) });
    }
    const refused = await site.ask(good);
    expect(refused.status).toBe(429);
    expect(quota(refused)).toEqual({ limit: '30', remaining: '0', reset: String(seconds + 60) });
    expect(refused.headers['retry-after']).toBe('60');
    await site.sandbox.clock.advance({ ms: 59_999 });
    expect((await site.ask(good)).headers['retry-after']).toBe('1');
    await site.sandbox.clock.advance({ ms: 1 });
    expect((await site.ask(good)).status).toBe(200);
  });

  test('L8: of 64 concurrent requests with one token, exactly 30 are accepted', async () => {
    const replies = await Promise.all(Array.from({ length: 64 }, () => site.ask(good)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(34);
  });

  test('L8: of 64 concurrent requests with one password, exactly five are accepted', async () => {
    const headers = basic('free@example.test');
    const replies = await Promise.all(Array.from({ length: 64 }, () => site.ask(good, { headers })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
  });

  test('L8: the 1,000th request of a month is accepted, and the 1,001st has to wait until February 1', async () => {
    await site.sandbox.clock.set({ nowMs: Date.parse('2026-01-20T00:00:00.000Z') });
    for (let index = 1; index <= 1_000; index += 1) {
      if (index % 30 === 0) await site.sandbox.clock.advance({ minutes: 1 });
      expect((await site.ask(good)).status).toBe(200);
    }
    await site.sandbox.clock.advance({ minutes: 1 });
    const refused = await site.ask(good);
    expect(refused.status).toBe(429);
    expect(quota(refused)).toEqual({ limit: '1000', remaining: '0', reset: String(Date.parse('2026-02-01') / 1000) });
    await site.sandbox.clock.set({ nowMs: Date.parse('2026-01-31T23:59:59.999Z') });
    expect((await site.ask(good)).headers['retry-after']).toBe('1');
    await site.sandbox.clock.set({ nowMs: Date.parse('2026-02-01T00:00:00.000Z') });
    expect((await site.ask(good)).status).toBe(200);
    await site.sandbox.clock.set({ nowMs: Date.parse('2026-01-31T12:00:00.000Z') });
    expect((await site.ask(good)).status).toBe(429);
  });

  test.for([
    ['free', 5],
    ['premium', 50],
  ] as const)('L8: an account of the tier %s has %i calls per day', async ([tier, limit]) => {
    const headers = basic(`${tier}@example.test`);
    for (let index = 1; index <= limit; index += 1) {
      expect(quota(await site.ask(good, { headers })).remaining).toBe(String(limit - index));
    }
    const refused = await site.ask(good, { headers });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '120']);
    await site.sandbox.clock.advance({ ms: 119_999 });
    expect((await site.ask(good, { headers })).status).toBe(429);
    await site.sandbox.clock.advance({ ms: 1 });
    expect((await site.ask(good, { headers })).status).toBe(200);
  });

  test('L8: an unlimited account has no rate limit headers', async () => {
    for (let index = 0; index < 60; index += 1) {
      const reply = await site.ask(good, { headers: basic('unlimited@example.test') });
      expect([reply.status, quota(reply)]).toEqual([200, { limit: undefined, remaining: undefined, reset: undefined }]);
    }
    const { body } = await site.ask('action=usage', { headers: basic('unlimited@example.test') });
    expect(body).toMatchObject({ auth: 'basic', tier: 'unlimited', windows: [], by_tool: { quorvex: 60 } });
  });

  test('L8: each token of an account has its own quota, and so does its password', async () => {
    const { token } = await site.sandbox.lookup.administration.issueToken('premium', 'second');
    await site.ask(good);
    expect(quota(await site.ask(good, { headers: bearer(token) })).remaining).toBe('29');
    expect(quota(await site.ask(good, { headers: basic('premium@example.test') })).remaining).toBe('49');
  });

  test('L3: tools and usage are free, have the headers, and respond even if a quota is exhausted', async () => {
    await site.ask('type=email&query=a@b&tool=all');
    for (let index = 0; index < 30; index += 1) await site.ask(good);
    const usage = await site.ask('action=usage');
    expect(usage.body).toEqual({
      success: true,
      auth: 'token',
      tier: 'premium',
      windows: [
        { name: 'minute', limit: 30, used: 30, remaining: 0, reset: seconds + 60 },
        { name: 'month', limit: 1_000, used: 30, remaining: 970, reset: Date.parse('2026-02-01') / 1000 },
      ],
      by_tool: { all: 1, quorvex: 29 },
    });
    const tools = await site.ask('action=tools');
    expect([tools.status, quota(tools).remaining]).toEqual([200, '0']);
  });

  test('L8: usage is kept across a restart', async () => {
    for (let index = 0; index < 4; index += 1) await site.ask(good);
    const { name } = await site.sandboxes.snapshot('default');
    await site.ask(good);
    await site.sandboxes.restore('default', name);
    expect(await usedByTestToken(site)).toBe(4);
    expect(quota(await site.ask(good)).remaining).toBe('25');
  });

  test('L8: after 30 calls in each of four minutes, moving the clock back to the first minute allows no call', async () => {
    for (let index = 0; index < 4; index += 1) {
      for (let call = 0; call < 30; call += 1) expect((await site.ask(good)).status).toBe(200);
      await site.sandbox.clock.advance({ minutes: 1 });
    }
    for (let index = 0; index < 4; index += 1) {
      await site.sandbox.clock.set({ nowMs: startedAtMs + index * 60_000 });
      expect((await site.ask(good)).status).toBe(429);
    }
  });

  test('L8: calls rejected with 400 never fill a window above its limit', async () => {
    await site.sandbox.lookup.administration.change({ settings: { costOfRefused: 1 } });
    for (let index = 0; index < 35; index += 1) expect((await site.ask('type=neither')).status).toBe(400);
    for (let index = 0; index < 5; index += 1) expect((await site.ask(good)).status).toBe(429);
    expect(await usedByTestToken(site)).toBe(30);
  });

  test('L9: a call that costs more than a limit is rejected with this reason and without Retry-After', async () => {
    await site.sandbox.lookup.administration.change({ settings: { costOfAll: 6, costOfRefused: 1 } });
    const headers = basic('free@example.test');
    const refused = await site.ask('type=email&query=a@b&tool=all', { headers });
    expect([refused.status, refused.headers['retry-after'], refused.body.code]).toEqual([429, undefined, 429]);
    expect(quota(refused)).toMatchObject({ limit: '5', remaining: '5' });
    expect(refused.body.error).toMatch(/costs 6.* 5 requests per day/);
    expect((await site.ask('type=email&query=a@b&tool=all')).status).toBe(200);
  });

  test('L9: settings change the unit of the reset, the cost of rejected calls, and the cost of all', async () => {
    const settings = (given: object) => site.sandbox.lookup.administration.change({ settings: given });
    await settings({ resetUnit: 'epoch_ms' });
    expect(quota(await site.ask(good)).reset).toBe(String(startedAtMs + 60_000));
    await settings({ resetUnit: 'delta_s', costOfAll: 23, costOfRefused: 1 });
    expect(quota(await site.ask('type=neither'))).toEqual({ limit: '30', remaining: '28', reset: '60' });
    const all = await site.ask('type=email&query=a@b&tool=all');
    expect(quota(all).remaining).toBe('5');
    const refused = await site.ask('type=email&query=a@b&tool=all');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    // A 429 costs nothing, regardless of the cost of rejected calls.
    expect(await usedByTestToken(site)).toBe(25);
  });
});
