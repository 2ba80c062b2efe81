import { describe, expect, it } from 'vitest';
import { SqliteStore } from '../../../src/journal/stores/sqlite.store.ts';
import { temporaryFolder } from '../../journal/temporary-folder.ts';
import { type OidcServer, oidcServer } from './oidc-server.ts';
import { appBrowser, RelyingParty } from './relying-party.ts';
import { signOutAt, tenantId, tenantServer } from './tenant-server.ts';

type Browser = ReturnType<typeof appBrowser>;

async function signedIn(server: OidcServer, browser = appBrowser()): Promise<Browser> {
  const party = await RelyingParty.discover(server.issuer);
  await party.signIn(browser);
  return browser;
}

/** Returns the name of the page that a browser receives for the security information. */
async function securityInfo({ issuer }: OidcServer, browser: Browser): Promise<string | undefined> {
  return (await browser.load(`${issuer}/security-info`)).page?.name;
}

async function signOut({ issuer }: OidcServer, browser: Browser, button = 'Sign out', query = ''): Promise<void> {
  const displayed = await browser.load(`${issuer}/oauth2/end_session${query}`);
  if (displayed.page?.name === 'sign-out') await browser.press(displayed, button);
  else await browser.press(displayed, 'Continue');
}

/** Returns the cookies that a browser sends to the page, as an attacker would copy them. */
function copiedCookie({ issuer }: OidcServer, browser: Browser): string {
  return browser.jar.getCookieStringSync(`${issuer}/security-info`);
}

async function statusWith({ issuer }: OidcServer, cookie: string): Promise<number> {
  return (await fetch(`${issuer}/security-info`, { headers: { cookie }, redirect: 'manual' })).status;
}

describe.each(['default', 'other'])('security info of the sandbox %s', (id) => {
  it('068: a sign-out ends it with the session, for the browser and for a copy of its cookie', async () => {
    const server = await oidcServer({ id });
    const browser = await signedIn(server);
    const copy = copiedCookie(server, browser);
    expect([await securityInfo(server, browser), await statusWith(server, copy)]).toEqual(['security-info-list', 200]);
    await signOut(server, browser);
    expect([await securityInfo(server, browser), await statusWith(server, copy)]).toEqual(['name', 303]);
    expect(copiedCookie(server, browser)).toBe('');
    await signedIn(server, browser);
    expect(await securityInfo(server, browser)).toBe('security-info-list');
  });
});

it('068: every sign-in of a session ends with it, even if the browser no longer has its cookie', async () => {
  const server = await oidcServer();
  const browser = await signedIn(server);
  const earlier = copiedCookie(server, browser);
  const party = await RelyingParty.discover(server.issuer);
  await party.signIn(browser, { prompt: 'login' });
  expect(copiedCookie(server, browser)).not.toBe(earlier);
  expect(await statusWith(server, earlier)).toBe(200);
  await signOut(server, browser);
  expect(await statusWith(server, earlier)).toBe(303);
});

it('068: a sign-out also ends a sign-in without an application', async () => {
  const server = await oidcServer();
  const browser = appBrowser();
  await browser.signIn(`${server.issuer}/sign-in`);
  const copy = copiedCookie(server, browser);
  expect(await securityInfo(server, browser)).toBe('security-info-list');
  await signOut(server, browser);
  expect([await securityInfo(server, browser), await statusWith(server, copy)]).toEqual(['name', 303]);
});

describe.each(['default', 'other'])('sandbox %s with a port of its own', (id) => {
  it('068: a sign-out at the port ends a sign-in at the port, with and without an application', async () => {
    const server = await tenantServer({ id, hasOwnPort: true });
    for (const isAtApplication of [true, false]) {
      const atPort = { ...server, issuer: server.portUrl };
      const browser = appBrowser();
      if (isAtApplication) await signedIn(atPort, browser);
      else await browser.signIn(`${server.portUrl}/sign-in`);
      expect(await securityInfo(atPort, browser)).toBe('security-info-list');
      const copy = browser.jar.getCookieStringSync(
        `${server.portUrl}${id === 'default' ? '' : `/s/${id}`}/security-info`,
      );
      expect(await statusWith(atPort, copy)).toBe(200);
      await signOut(atPort, browser);
      expect([await securityInfo(atPort, browser), await statusWith(atPort, copy)]).toEqual(['name', 303]);
    }
  });

  it('068: a sign-out by the tenant form ends a sign-in without an application, at every port', async () => {
    const server = await tenantServer({ id, hasOwnPort: true });
    for (const baseUrl of [server.issuer, server.portUrl]) {
      const here = { ...server, issuer: baseUrl };
      const browser = appBrowser();
      await browser.signIn(`${baseUrl}/sign-in`);
      expect(await securityInfo(here, browser)).toBe('security-info-list');
      const { origin } = new URL(baseUrl);
      expect((await signOutAt(`${origin}/${tenantId}/oauth2/v2.0/logout`, browser)).page?.name).toBe('signed-out');
      expect(await securityInfo(here, browser)).toBe('name');
    }
  });
});

it('068: signing out of only one application, or in another browser, does not end it', async () => {
  const server = await oidcServer();
  const [one, other] = [await signedIn(server), await signedIn(server)];
  await signOut(server, one, 'Sign out of Test application only', '?client_id=test-public');
  expect(await securityInfo(server, one)).toBe('security-info-list');
  await signOut(server, one);
  expect(await securityInfo(server, other)).toBe('security-info-list');
});

it('068: a sign-out persists across a restart', async () => {
  const path = `${temporaryFolder()}/kept.db`;
  const before = await oidcServer({ store: SqliteStore.open(path) });
  const browser = await signedIn(before);
  const copy = copiedCookie(before, browser);
  await signOut(before, browser);
  await before.close();
  const after = await oidcServer({ store: SqliteStore.open(path), port: Number(new URL(before.serverUrl).port) });
  expect(await statusWith(after, copy)).toBe(303);
});
