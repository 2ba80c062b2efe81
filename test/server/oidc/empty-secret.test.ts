import { describe, expect, it } from 'vitest';
import { postForm, tenantId, tenantServer } from './tenant-server.ts';

const clients = [
  { id: 'television', kind: 'public', grants: ['device_code'] },
  { id: 'old+television', kind: 'public', grants: ['device_code'] },
  { id: 'job', kind: 'service', secret: 'test data', appRoles: ['Policy.Read.All'] },
] as const;

const encode = (text: string) => new URLSearchParams({ x: text }).toString().slice(2);
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const plainUrl = (path: string) => `oauth2/${path}`;
const tenantUrl = (path: string) => `${tenantId}/oauth2/v2.0/${path === 'device' ? 'devicecode' : path}`;

describe.each([
  ['plain', plainUrl],
  ['tenant', tenantUrl],
])('CL40: Authorization: Basic with an empty secret, %s form', (_title, toPath) => {
  const send = async (path: string, header: string, form: Readonly<Record<string, string>>) => {
    const { serverUrl } = await tenantServer({ clients });
    return postForm(`${serverUrl}/${toPath(path)}`, form, basic(header));
  };

  it.each(['television', 'old+television'])('names a client without a secret: %s', async (id) => {
    const { status, body } = await send('device', `${encode(id)}:`, { scope: 'openid' });
    expect([status, body]).toEqual([200, expect.objectContaining({ user_code: expect.any(String) })]);
  });

  it('is accepted beside the same client in the body, and at the token endpoint', async () => {
    const { serverUrl } = await tenantServer({ clients });
    const form = { scope: 'openid', client_id: 'television' };
    const { body } = await postForm(`${serverUrl}/${toPath('device')}`, form, basic('television:'));
    const grant = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: String(body['device_code']),
    };
    const { status, body: pending } = await postForm(`${serverUrl}/${toPath('token')}`, grant, basic('television:'));
    expect([status, pending['error']]).toEqual([400, 'authorization_pending']);
  });

  it.each([
    ['another client in the body', 'television:', { client_id: 'job' }],
    ['a client that has a secret', 'job:', {}],
    ['an unknown client', 'nowhere:', {}],
    ['no client', ':', {}],
    ['a secret', 'television:x', {}],
  ])('does not replace the proof of a client: %s', async (_case, header, named) => {
    const { status, body } = await send('token', header, { grant_type: 'client_credentials', ...named });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).not.toHaveProperty('access_token');
  });
});
