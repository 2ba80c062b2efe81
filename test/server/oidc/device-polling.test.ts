import { describe, expect, it, test } from 'vitest';
import { PollingPaces } from '../../../src/server/oidc/device-polling.ts';
import { appBrowser } from './relying-party.ts';
import { postForm, type TenantServer, tenantServer } from './tenant-server.ts';

const clients = [
  { id: 'television', kind: 'public', grants: ['device_code'] },
  { id: 'radio', kind: 'public', grants: ['device_code'] },
];

const begin = async ({ issuer }: TenantServer) =>
  (await postForm(`${issuer}/oauth2/device`, { client_id: 'television', scope: 'openid' })).body;

async function poll(url: string, device: Record<string, unknown>, client_id = 'television') {
  const device_code = String(device['device_code']);
  return (await postForm(url, { grant_type: 'device_code', device_code, client_id })).body['error'];
}

describe('CL35: intervals of a device', () => {
  test('a request within the interval is too early, and each such request adds five seconds', () => {
    const paces = new PollingPaces();
    const requests = (nowMs: number) => paces.isTooEarly('a', nowMs);
    expect(requests(0)).toBe(false);
    expect(requests(4_999)).toBe(true);
    expect(requests(14_998)).toBe(true);
    expect(requests(29_998)).toBe(false);
    expect(requests(44_997)).toBe(true);
    expect(paces.isTooEarly('b', 44_997)).toBe(false);
  });

  test('a request at the end of the interval is not too early', () => {
    const paces = new PollingPaces();
    expect([0, 5_000, 10_000].map((nowMs) => paces.isTooEarly('a', nowMs))).toEqual([false, false, false]);
  });
});

describe('CL35: setting deviceSlowDown', () => {
  it.each(['plain', 'tenant'])(
    '%s form: an early request gets slow_down, also if the virtual clock moves',
    async (form) => {
      const server = await tenantServer({ clients, settings: { identity: { deviceSlowDown: true } } });
      const url = form === 'plain' ? `${server.issuer}/oauth2/token` : `${server.at()}/oauth2/v2.0/token`;
      const device = await begin(server);
      expect(await poll(url, device)).toBe('authorization_pending');
      await server.sandbox.clock.advance({ ms: 60_000 });
      expect(await poll(url, device)).toBe('slow_down');
      expect(await poll(url, await begin(server))).toBe('authorization_pending');
    },
  );

  it('without the setting, no request is too early', async () => {
    const server = await tenantServer({ clients });
    const device = await begin(server);
    const url = `${server.issuer}/oauth2/token`;
    for (const _ of [1, 2, 3]) expect(await poll(url, device)).toBe('authorization_pending');
  });

  it('delays no other answer: of another client, of an expired and of a declined code', async () => {
    const server = await tenantServer({ clients, settings: { identity: { deviceSlowDown: true } } });
    const url = `${server.issuer}/oauth2/token`;
    const device = await begin(server);
    for (const _ of [1, 2]) expect(await poll(url, device, 'radio')).toBe('invalid_grant');
    expect(await poll(url, device)).toBe('authorization_pending');
    const browser = appBrowser();
    const page = await browser.load(String(device['verification_uri']));
    await browser.press(await browser.press(page, 'Next', { Code: String(device['user_code']) }), 'Cancel');
    expect(await poll(url, device)).toBe('access_denied');
    const second = await begin(server);
    expect(await poll(url, second)).toBe('authorization_pending');
    await server.sandbox.clock.advance({ ms: 900_000 });
    expect(await poll(url, second)).toBe('expired_token');
  });
});
