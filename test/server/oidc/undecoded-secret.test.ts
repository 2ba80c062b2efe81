import { describe, expect, it } from 'vitest';
import { postForm, tenantServer } from './tenant-server.ts';

const secret = 'a+b%2Fc%zz & u:1';
const clients = [
  { id: 'job', kind: 'service', secret, appRoles: ['Policy.Read.All'] },
  { id: 'web+job', kind: 'service', secret: 's+1', appRoles: ['Policy.Read.All'] },
];

describe('CL40: Authorization: Basic', () => {
  const encode = (text: string) => new URLSearchParams({ x: text }).toString().slice(2);
  const send = async (header: string, path = 'token', form = {}) => {
    const { issuer } = await tenantServer({ clients });
    const encoded = Buffer.from(header).toString('base64');
    const body = { grant_type: 'client_credentials', ...form };
    return postForm(`${issuer}/oauth2/${path}`, body, { authorization: `Basic ${encoded}` });
  };

  it.each([
    ['form-encoded', `${encode('job')}:${encode(secret)}`],
    ['not encoded', `job:${secret}`],
    ['form-encoded, with a special id', `${encode('web+job')}:${encode('s+1')}`],
    ['not encoded, with a special id', 'web+job:s+1'],
  ])('%s: id and secret are accepted', async (_title, header) => {
    const { status, body } = await send(header);
    expect([status, body['scope']]).toEqual([200, 'Policy.Read.All']);
  });

  it('is accepted at introspection too', async () => {
    const { status, body } = await send(`job:${secret}`, 'introspect', { token: 'none' });
    expect([status, body]).toEqual([200, { active: false }]);
  });

  it.each([
    ['another secret', 'job:a+b%2Fc%zz'],
    ['the decoded secret of a secret with plus', 'web+job:s 1'],
    ['the id of another client', `web+job:${secret}`],
    ['no secret', 'job:'],
    ['no colon', 'job'],
  ])('%s is rejected', async (_title, header) => {
    const { status, body } = await send(header);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).not.toHaveProperty('access_token');
  });
});
