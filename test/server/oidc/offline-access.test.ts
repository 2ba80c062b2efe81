import { describe, expect, it } from 'vitest';
import { answerAt, appBrowser, RelyingParty } from './relying-party.ts';
import { getAuthorizeUrl, postForm, redeemCode, tenantServer } from './tenant-server.ts';

const device = { id: 'television', kind: 'public', grants: ['device_code'] };

describe('CL34: the first refresh token', () => {
  it.each([
    ['openid profile offline_access', true],
    ['openid profile', false],
    ['User.Read', false],
  ])('in the tenant form, the scope %j gets one: %s', async (scope, expected) => {
    const { at } = await tenantServer();
    const nonce = scope.includes('openid') ? {} : { nonce: '' };
    const { code = '' } = answerAt(await appBrowser().signIn(getAuthorizeUrl(at(), { scope, ...nonce })));
    const { status, body } = await redeemCode(at(), code);
    expect([status, 'refresh_token' in body]).toEqual([200, expected]);
  });

  it.each([
    ['openid offline_access', true],
    ['openid', false],
  ])('a device of the tenant form with the scope %j gets one: %s', async (scope, expected) => {
    const { at, issuer } = await tenantServer({ clients: [device] });
    const { body } = await postForm(`${at()}/oauth2/v2.0/devicecode`, { client_id: 'television', scope });
    const browser = appBrowser();
    const shown = await browser.load(`${issuer}/device`);
    const confirmed = await browser.press(shown, 'Next', { Code: String(body['user_code']) });
    const name = await browser.press(confirmed, 'Continue');
    const password = await browser.press(name, 'Next', { Username: 'ada@example.test' });
    await browser.press(await browser.press(password, 'Sign in', { Password: 'correct horse' }), 'Verify', {
      Code: '123456',
    });
    const tokens = await postForm(`${at()}/oauth2/v2.0/token`, {
      client_id: 'television',
      grant_type: 'device_code',
      device_code: String(body['device_code']),
    });
    expect([tokens.status, 'refresh_token' in tokens.body]).toEqual([200, expected]);
  });

  it('in the plain form, libraries that refresh without the scope get one', async () => {
    const { issuer } = await tenantServer();
    const party = await RelyingParty.discover(issuer);
    const request = await party.ask({ scope: 'openid' });
    const tokens = await party.redeem(await appBrowser().signIn(request.url), request);
    expect(tokens.refresh_token).toEqual(expect.any(String));
  });
});
