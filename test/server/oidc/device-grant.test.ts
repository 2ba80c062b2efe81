import { describe, expect, it } from 'vitest';
import type { SandboxInput } from '../../../src/sandbox/sandbox.ts';
import type { DisplayedPage } from './application-browser.ts';
import { oidcServer } from './oidc-server.ts';
import { appBrowser } from './relying-party.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

interface DeviceAnswer {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
  readonly message: string;
}

/** Server with a television that signs in its users in another browser. */
async function deviceServer(setup: SandboxInput & { readonly id?: string } = {}) {
  const clients = [
    { id: 'television', name: 'Television', kind: 'public', grants: ['device_code'] },
    { id: 'radio', name: 'Radio', kind: 'public', grants: ['device_code'], consent: 'required' },
  ] as const;
  const server = await oidcServer({ clients, ...setup } as SandboxInput);
  const send = async (path: string, form: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${server.issuer}${path}`, { method: 'POST', body: new URLSearchParams(form) });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const begin = async (client_id = 'television', scope = 'openid profile offline_access') =>
    (await send('/oauth2/device', { client_id, scope })).body as unknown as DeviceAnswer;
  const poll = ({ device_code }: DeviceAnswer, client_id = 'television', grant_type = grantType) =>
    send('/oauth2/token', { grant_type, device_code, client_id });
  return { ...server, send, begin, poll };
}

/** Enters the code and confirms the device. */
async function confirmDevice(browser: ReturnType<typeof appBrowser>, device: DeviceAnswer): Promise<DisplayedPage> {
  const page = await browser.load(device.verification_uri);
  const compared = await browser.press(page, 'Next', { Code: device.user_code.toLowerCase().replace('-', ' ') });
  expect(compared.page?.name).toBe('device-confirmation');
  return browser.press(compared, 'Continue');
}

/** Completes the sign-in pages that follow. */
async function signIn(browser: ReturnType<typeof appBrowser>, page: DisplayedPage): Promise<DisplayedPage> {
  const named = await browser.press(page, 'Next', { Username: 'ada@example.test' });
  const proved = await browser.press(named, 'Sign in', { Password: 'correct horse' });
  return browser.press(proved, 'Verify', { Code: '123456' });
}

describe('CL35: device authorization grant', () => {
  it('signs in a device in another browser, and the sign-in is evaluated and recorded', async () => {
    const { begin, poll, sandbox } = await deviceServer();
    const device = await begin();
    expect(device.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(device).toMatchObject({ expires_in: 900, interval: 5 });
    expect(device.message).toContain(device.user_code);
    expect(await poll(device)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });
    const browser = appBrowser();
    const shown = await signIn(browser, await confirmDevice(browser, device));
    expect([shown.status, shown.page?.name]).toEqual([200, 'device-done']);
    expect(shown.text).toContain('Television');
    const { status, body } = await poll(device, 'television', 'device_code');
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'openid profile offline_access' });
    expect(body).toHaveProperty('refresh_token');
    expect(await poll(device)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const [latest] = sandbox.signIns.list({ limit: 5 });
    expect((await sandbox.signIns.detail(latest?.id ?? '')).verdict).not.toBeNull();
  });

  it('asks for consent, and a refusal ends the sign-in of the device', async () => {
    const { begin, poll } = await deviceServer();
    const device = await begin('radio');
    const browser = appBrowser();
    const consent = await signIn(browser, await confirmDevice(browser, device));
    expect(consent.page?.name).toBe('consent');
    const refused = await browser.press(consent, 'Cancel');
    expect(refused.page?.name).toBe('device-code');
    expect(await poll(device, 'radio')).toMatchObject({ status: 400, body: { error: 'access_denied' } });
  });

  it('the complete URL fills in the code, and canceling denies the device', async () => {
    const { begin, poll } = await deviceServer();
    const device = await begin();
    const browser = appBrowser();
    const filled = await browser.load(device.verification_uri_complete);
    const compared = filled.page?.name === 'hand-over' ? await browser.press(filled, 'Continue') : filled;
    expect(compared.page?.name).toBe('device-confirmation');
    expect((await browser.press(compared, 'Cancel')).text).toContain('The sign-in was canceled.');
    expect(await poll(device)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
  });

  it('a code expires on the virtual clock', async () => {
    const { begin, poll, sandbox } = await deviceServer();
    const device = await begin();
    await sandbox.clock.advance({ minutes: 16 });
    expect(await poll(device)).toMatchObject({ status: 400, body: { error: 'expired_token' } });
    const browser = appBrowser();
    const shown = await browser.press(await browser.load(device.verification_uri), 'Next', { Code: device.user_code });
    expect(shown.text).toContain('The code has expired.');
  });

  it('incorrect codes are reported, and after too many of them no code is looked up', async () => {
    const { begin, issuer } = await deviceServer();
    const device = await begin();
    const browser = appBrowser();
    let shown = await browser.load(`${issuer}/device`);
    for (let count = 0; count < 10; count += 1) shown = await browser.press(shown, 'Next', { Code: 'BBBB-BBBB' });
    expect(shown.text).toContain('No device has this code.');
    shown = await browser.press(shown, 'Next', { Code: device.user_code });
    expect(shown.text).toContain('Too many incorrect codes.');
  });

  it('a correct code between incorrect ones does not reset their count', async () => {
    const { begin, issuer } = await deviceServer();
    const [own, other] = [await begin(), await begin()];
    const browser = appBrowser();
    let shown = await browser.load(`${issuer}/device`);
    for (let count = 0; count < 9; count += 1) shown = await browser.press(shown, 'Next', { Code: 'BBBB-BBBB' });
    expect((await browser.press(shown, 'Next', { Code: own.user_code })).page?.name).toBe('device-confirmation');
    shown = await browser.press(await browser.load(`${issuer}/device`), 'Next', { Code: 'BBBB-BBBB' });
    expect(shown.text).toContain('No device has this code.');
    shown = await browser.press(shown, 'Next', { Code: other.user_code });
    expect(shown.text).toContain('Too many incorrect codes.');
  });

  it.each([
    ['another client', { client_id: 'radio' }, 'invalid_grant'],
    ['an unknown code', { device_code: 'none' }, 'invalid_grant'],
    ['no code', { device_code: '' }, 'invalid_request'],
  ])('a token request with %s is rejected', async (_title, changed, error) => {
    const { begin, send } = await deviceServer();
    const { device_code } = await begin();
    const form = { grant_type: grantType, device_code, client_id: 'television', ...changed };
    expect(await send('/oauth2/token', form)).toMatchObject({ status: 400, body: { error } });
  });

  it('a client without the grant is rejected', async () => {
    const { send } = await deviceServer({
      clients: [
        { id: 'site', kind: 'public', redirectUris: ['http://localhost/callback'] },
        { id: 'television', kind: 'public', grants: ['device_code'] },
      ],
    } as SandboxInput);
    expect(await send('/oauth2/device', { client_id: 'site', scope: 'openid' })).toMatchObject({
      status: 400,
      body: { error: 'unauthorized_client' },
    });
  });

  it.each(['device', 'device-lab', 'oauth2', 'auth', 'verify-device'])(
    'a sandbox with the id %s has correct URLs (CL87)',
    async (id) => {
      const { begin, poll, issuer } = await deviceServer({ id });
      const discovery = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as object;
      const addresses = Object.entries(discovery).filter(([name]) => name.endsWith('_endpoint') || name === 'jwks_uri');
      expect(addresses.length).toBeGreaterThan(8);
      expect(addresses.filter(([, address]) => !String(address).startsWith(`${issuer}/oauth2/`))).toEqual([]);
      const device = await begin();
      expect(device.verification_uri).toBe(`${issuer}/device`);
      const browser = appBrowser();
      expect((await signIn(browser, await confirmDevice(browser, device))).page?.name).toBe('device-done');
      expect((await poll(device)).status).toBe(200);
    },
  );
});
