import * as oauth from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import { runGuide } from './guide-code.ts';
import { oidcServer } from './oidc-server.ts';
import { appBrowser, application } from './relying-party.ts';
import { signOutAt } from './tenant-server.ts';

const guide = 'docs/how-to/oauth4webapi.md';
const exampleCallback = 'http://localhost:3000/callback';

const clients = [
  {
    id: 'edge-app',
    kind: 'public',
    redirectUris: [application],
    postLogoutRedirectUris: [`${new URL(application).origin}/`],
  },
];

interface Requested {
  readonly server: oauth.AuthorizationServer;
  readonly app: oauth.Client;
  readonly http: Readonly<Record<symbol, boolean>>;
  readonly address: URL;
}

interface SignedIn {
  readonly tokens: oauth.TokenEndpointResponse;
  readonly user: oauth.UserInfoResponse;
  readonly me: Response;
}

interface Refreshed {
  readonly refreshed: oauth.TokenEndpointResponse;
  readonly signOut: URL;
}

async function setUp(id: string) {
  const { issuer } = await oidcServer({ id, clients, clock: { nowMs: Date.now(), running: true } });
  const values = {
    [`${exampleCallback}?code=…`]: 'the callback',
    [exampleCallback]: application,
    'http://localhost:3000/': `${new URL(application).origin}/`,
    'http://localhost:4700': issuer,
  };
  const browser = appBrowser();
  const request = await runGuide<Requested>(guide, 'discoveryRequest', { oauth4webapi: oauth }, values);
  const receive = (callback: string) =>
    runGuide<SignedIn>(
      guide,
      'validateAuthResponse',
      { oauth4webapi: oauth, './request.js': request },
      { ...values, 'the callback': callback },
    );
  const renew = ({ tokens }: SignedIn) =>
    runGuide<Refreshed>(
      guide,
      'refreshTokenGrantRequest',
      { oauth4webapi: oauth, './request.js': request, './tokens.js': { tokens } },
      values,
    );
  return { browser, request, receive, renew };
}

describe.each(['default', 'demo'])('the guide of oauth4webapi, sandbox %s', (id) => {
  it('signs a user in, reads userinfo and the directory API, refreshes, and signs out', async () => {
    const { browser, request, receive, renew } = await setUp(id);
    const { address } = await browser.signIn(request.address);
    const signedIn = await receive(address);
    expect(signedIn.user).toMatchObject({ sub: 'ada', name: 'Ada' });
    expect(signedIn.tokens.scope).toBe('openid profile offline_access User.Read');
    expect([signedIn.me.status, await signedIn.me.json()]).toEqual([200, expect.objectContaining({ id: 'ada' })]);
    const { refreshed, signOut } = await renew(signedIn);
    expect(refreshed.access_token).not.toBe(signedIn.tokens.access_token);
    await expect(renew(signedIn)).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
    expect((await signOutAt(signOut.href, browser)).address).toBe(`${new URL(application).origin}/`);
  });

  it('rejects a response with another state, and one of a user who refused', async () => {
    const { browser, request, receive } = await setUp(id);
    const { address } = await browser.signIn(request.address);
    const foreign = new URL(address);
    foreign.searchParams.set('state', 'another');
    await expect(receive(foreign.href)).rejects.toThrow(oauth.OperationProcessingError);
    const silent = new URL(request.address);
    silent.searchParams.set('prompt', 'none');
    const { address: refused } = await appBrowser().load(silent);
    await expect(receive(refused)).rejects.toMatchObject({ error: 'login_required' });
  });
});
