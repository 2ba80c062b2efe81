import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { oidcServer } from './oidc-server.ts';
import { answerAt, appBrowser, RelyingParty } from './relying-party.ts';
import { postForm, readJson, signInAt, signOutAt, tenantId, tenantServer } from './tenant-server.ts';

const permissions = 'Policy.Read.All';

describe.each(['default', 'lab'])('DIR3: an application at the own port of the sandbox %s', (id) => {
  it('signs a user in, reads the policy, refreshes and signs out there', async () => {
    const { portUrl, serverUrl } = await oidcServer({ id, hasOwnPort: true });
    const party = await RelyingParty.discover(portUrl);
    expect(party.config.serverMetadata().issuer).toBe(portUrl);
    for (const url of nonEmpty(
      Object.entries(party.config.serverMetadata()).filter(([name]) => name.endsWith('_endpoint')),
    )) {
      expect(String(url[1]).startsWith(`${portUrl}/oauth2/`)).toBe(true);
    }
    const browser = appBrowser();
    const tokens = await party.signIn(browser, { scope: `openid offline_access ${permissions}` });
    expect(tokens.claims()).toMatchObject({ iss: portUrl, sub: 'ada' });
    const prefix = id === 'default' ? '' : `/s/${id}`;
    for (const base of [portUrl, `${serverUrl}${prefix}`, `${portUrl}${prefix}`]) {
      const { status } = await readJson(`${base}/v1.0/policies/authenticationMethodsPolicy`, {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      });
      expect([base, status]).toEqual([base, 200]);
    }
    const refreshed = await postForm(`${portUrl}/oauth2/token`, {
      client_id: 'test-public',
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
    });
    expect(refreshed.status).toBe(200);
    const silent = await browser.load((await party.ask({ prompt: 'none' })).url.href);
    expect(answerAt(silent)).toMatchObject({ iss: portUrl, code: expect.any(String) });
    const out = await signOutAt(`${portUrl}/oauth2/end_session?id_token_hint=${tokens.id_token}`, browser);
    expect(out.page?.name).toBe('signed-out');
    const ended = await browser.load((await party.ask({ prompt: 'none' })).url.href);
    expect(answerAt(ended)).toMatchObject({ iss: portUrl, error: 'login_required' });
  });

  it('signs a user in by the tenant form, whose issuer is that of the port', async () => {
    const { portUrl, serverUrl } = await tenantServer({ id, hasOwnPort: true });
    for (const [origin, tenant] of [
      [portUrl, tenantId],
      [portUrl, 'organizations'],
      [serverUrl, tenantId],
    ] as const) {
      const { body } = await readJson(`${origin}/${tenant}/v2.0/.well-known/openid-configuration`);
      expect(body['issuer']).toBe(`${origin}/${tenant === tenantId ? tenantId : '{tenantid}'}/v2.0`);
      expect(String(body['token_endpoint']).startsWith(`${origin}/${tenant}/`)).toBe(true);
    }
    const { status, body, answer } = await signInAt(`${portUrl}/${tenantId}`, { scope: `openid ${permissions}` });
    expect([status, answer['iss']]).toEqual([200, `${portUrl}/${tenantId}/v2.0`]);
    const { status: read } = await readJson(`${portUrl}/v1.0/policies/authenticationMethodsPolicy`, {
      headers: { authorization: `Bearer ${String(body['access_token'])}` },
    });
    expect(read).toBe(200);
    const granted = await postForm(`${portUrl}/${tenantId}/oauth2/v2.0/token`, {
      client_id: 'test-service',
      client_secret: 'test-secret',
      grant_type: 'client_credentials',
      scope: `${portUrl}/.default`,
    });
    expect([granted.status, granted.body['scope']]).toEqual([200, expect.stringContaining(permissions)]);
  });

  it('accepts a token of one port at the other, and rejects that of another server', async () => {
    const { portUrl, issuer, sandbox } = await oidcServer({ id, hasOwnPort: true });
    const other = await oidcServer({ id, hasOwnPort: true });
    const { access_token: token } = await sandbox.tokens.issue({ app: 'tool', permissions: [permissions] });
    const read = async (base: string) =>
      (
        await readJson(`${base}/v1.0/policies/authenticationMethodsPolicy`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    expect([await read(issuer), await read(portUrl), await read(other.portUrl)]).toEqual([200, 200, 401]);
  });
});
