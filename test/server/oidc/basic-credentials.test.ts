import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { postForm, type TenantServer, tenantServer } from './tenant-server.ts';

const service = { kind: 'service', appRoles: ['Policy.Read.All'] };
const clients = [
  { id: 'plus', secret: 'a+b', ...service },
  { id: 'percent', secret: '100%:sure', ...service },
  { id: 'looks-encoded', secret: 'a%2Bb', ...service },
];

const encodeForm = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length);

/** Requests a token in each form with credentials as they are written in the header. */
async function ask({ at, issuer }: TenantServer, id: string, secret: string): Promise<readonly (number | string)[]> {
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const urls = [
    [`${at()}/oauth2/v2.0/token`, `${issuer}/.default`],
    [`${issuer}/oauth2/token`, 'Policy.Read.All'],
  ] as const;
  const answers = await Promise.all(
    urls.map(([url, scope]) => postForm(url, { grant_type: 'client_credentials', scope }, { authorization })),
  );
  return answers.flatMap(({ status, body }) => [status, String(body['error'] ?? '')]);
}

const accepted = [200, '', 200, ''];
const refused = [401, 'invalid_client', 401, 'invalid_client'];

describe('CL40: id and secret in the header', () => {
  it('are form-encoded, or as they are', async () => {
    const server = await tenantServer({ clients });
    for (const { id, secret } of nonEmpty(clients)) {
      expect([id, await ask(server, encodeForm(id), encodeForm(secret))]).toEqual([id, accepted]);
      expect([id, await ask(server, id, encodeURIComponent(secret))]).toEqual([id, accepted]);
      expect([id, await ask(server, id, secret)]).toEqual([id, accepted]);
    }
  });

  it.each([
    ['plus', 'a b'],
    ['plus', 'a%20b'],
    ['percent', '100%'],
    ['percent', '100%25'],
    ['looks-encoded', 'a+b'],
    ['nobody', '100%:sure'],
  ])('the wrong credentials %s:%s are rejected', async (id, secret) => {
    const server = await tenantServer({ clients });
    const [status, error] = id === 'nobody' ? [400, 'unauthorized_client'] : [401, 'invalid_client'];
    expect(await ask(server, id, secret)).toEqual([status, error, ...refused.slice(2)]);
  });

  it('061: guesses without encoding are counted too', async () => {
    const server = await tenantServer({ clients });
    for (let guess = 0; guess < 5; guess += 1) expect(await ask(server, 'percent', `${guess}%`)).toEqual(refused);
    expect((await ask(server, 'percent', '100%:sure')).filter((part) => typeof part === 'number')).toEqual([429, 429]);
  });
});
