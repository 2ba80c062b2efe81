import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { answerAt, appBrowser } from './relying-party.ts';
import { getAuthorizeUrl, postForm, redeemCode, type TenantServer, tenantServer } from './tenant-server.ts';

const secret = 'a secret of a test';
const web = { kind: 'web', secret, anyLoopbackRedirect: true };
const clients = [
  { id: 'web', ...web },
  { id: 'strict', ...web, requirePkce: true },
  { id: 'spa', kind: 'public', anyLoopbackRedirect: true },
];

const noProof = { code_challenge: '', code_challenge_method: '' };

/** Authorization request at each form of a server. */
async function answersAt(server: TenantServer, parameters: Readonly<Record<string, string>>) {
  const tenant = getAuthorizeUrl(server.at(), parameters);
  const plain = tenant.replace(`${server.at()}/oauth2/v2.0/authorize`, `${server.issuer}/oauth2/authorize`);
  const shown = await Promise.all([tenant, plain].map((url) => appBrowser().signIn(url)));
  return shown.map(answerAt);
}

describe('CL27: PKCE', () => {
  const rows: readonly (readonly [string, string, Readonly<Record<string, string>>, 'code' | 'invalid_request'])[] = [
    ['a public client', 'spa', {}, 'code'],
    ['a public client without a challenge', 'spa', noProof, 'invalid_request'],
    ['a public client with the method plain', 'spa', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a public client without a method, which means plain', 'spa', { code_challenge_method: '' }, 'invalid_request'],
    ['a public client with a short challenge', 'spa', { code_challenge: 'short' }, 'invalid_request'],
    ['a client with a secret and no challenge', 'web', noProof, 'code'],
    ['a client with a secret and the method plain', 'web', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a client with requirePkce', 'strict', {}, 'code'],
    ['a client with requirePkce and no challenge', 'strict', noProof, 'invalid_request'],
  ];

  it.each(nonEmpty(rows))('%s, in both forms', async (_title, client_id, parameters, expected) => {
    const server = await tenantServer({ clients });
    const scope = 'openid';
    for (const answer of nonEmpty(await answersAt(server, { client_id, scope, ...parameters }))) {
      expect(answer).toMatchObject(
        expected === 'code' ? { code: expect.any(String) } : { error: expected, state: 'mine' },
      );
    }
  });

  it('a pushed request needs the challenge too', async () => {
    const { at, issuer } = await tenantServer({ clients });
    const request = Object.fromEntries(new URL(getAuthorizeUrl('http://any.example', noProof)).searchParams);
    for (const url of [`${at()}/oauth2/v2.0/par`, `${issuer}/oauth2/par`]) {
      const pushed = await postForm(url, { ...request, client_id: 'strict', client_secret: secret, scope: 'openid' });
      expect(pushed).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    }
  });

  it.each([
    ['a missing', 'spa', {}, { code_verifier: '' }, [501481]],
    ['a wrong', 'spa', {}, { code_verifier: 'x'.repeat(43) }, [501481]],
    ['an unexpected', 'web', noProof, { client_secret: secret, code_verifier: 'x'.repeat(43) }, []],
  ] as const)('%s verifier is an invalid grant', async (_what, client_id, parameters, form, error_codes) => {
    const { at } = await tenantServer({ clients, settings: { dialect: 'entra' } });
    const url = getAuthorizeUrl(at(), { client_id, scope: 'openid', ...parameters });
    const { code = '' } = answerAt(await appBrowser().signIn(url));
    const answer = await redeemCode(at(), code, { client_id, ...form });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant', error_codes } });
  });
});
