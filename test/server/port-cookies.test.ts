import { CookieJar } from 'tough-cookie';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readPortCookies, withPort } from '../../src/server/port-cookies.ts';
import { keyedServer } from './access/keyed-server.ts';
import { ApplicationBrowser } from './oidc/application-browser.ts';
import { oidcServer } from './oidc/oidc-server.ts';
import { appBrowser, application, RelyingParty } from './oidc/relying-party.ts';

function request(host: string, cookie?: string, encrypted = false) {
  return { headers: { host, ...(cookie === undefined ? {} : { cookie }) }, socket: { encrypted } } as never;
}

function read(host: string, cookie: string): string {
  const incoming = request(host, cookie) as { headers: { cookie: string } };
  readPortCookies(incoming as never, {} as never, () => undefined);
  return incoming.headers.cookie;
}

describe('068: cookie names contain the port that the browser requested', () => {
  it.each([
    ['localhost:4700', false, 'nudgelab-4700-default-s2=v; Path=/'],
    ['[::1]:4700', false, 'nudgelab-4700-default-s2=v; Path=/'],
    ['lab.example', false, 'nudgelab-80-default-s2=v; Path=/'],
    ['lab.example', true, 'nudgelab-443-default-s2=v; Path=/'],
    ['lab.example:8443', true, 'nudgelab-8443-default-s2=v; Path=/'],
  ])('host %s, encrypted %s', (host, encrypted, named) => {
    expect(withPort(request(host, undefined, encrypted), 'nudgelab-default-s2=v; Path=/')).toBe(named);
  });

  it.each([
    // The own cookie comes first, although the one of the other port was sent first.
    [
      'nudgelab-1-default-s2=theirs; nudgelab-4700-default-s2=own',
      'nudgelab-default-s2=own; nudgelab-default-s2=theirs',
    ],
    ['nudgelab-1-default-s2=theirs', 'nudgelab-default-s2=theirs'],
    ['a=b; nudgelab-4700-4700-s2=v;; =', 'nudgelab-4700-s2=v; a=b; ; ='],
    ['other=nudgelab-4700-x', 'other=nudgelab-4700-x'],
  ])('%s is read as %s', (sent, received) => {
    expect(read('localhost:4700', sent)).toBe(received);
  });
});

describe('two servers on localhost', () => {
  it('068: sign-ins, sessions and pages of one server stay valid while the same browser uses the other', async () => {
    const [one, other] = [await oidcServer(), await oidcServer()];
    const jar = new CookieJar();
    const browser = () => new ApplicationBrowser({ application: new URL(application).origin, jar });
    const running = await browser().load(`${one.issuer}/sign-in`);
    const atPassword = await browser().press(running, 'Next', { Username: 'ada@example.test' });
    expect(atPassword.page?.name).toBe('password');
    // Both servers have the same sandbox and the same sign-in id, at the same path of the same host.
    const parties = [await RelyingParty.discover(one.issuer), await RelyingParty.discover(other.issuer)];
    for (const party of parties) await party.signIn(browser());
    for (const { issuer } of [one, other]) {
      expect((await browser().load(`${issuer}/security-info`)).page?.name).toBe('security-info-list');
    }
    for (const party of parties) {
      const silent = await browser().load((await party?.ask({ prompt: 'none' }))?.url ?? '');
      expect(new URL(silent.address).searchParams.get('code')).toBeTypeOf('string');
    }
    const atMfa = await browser().press(atPassword, 'Sign in', { Password: 'correct horse' });
    expect([atMfa.status, atMfa.page?.name]).toEqual([200, 'mfa']);
  });

  it('068: a lookup account and a console stay signed in while the same browser signs in on the other server', async () => {
    const keys = ['the-key-of-one-server', 'the-key-of-the-other-server'];
    const [one, other] = [await keyedServer(keys[0]), await keyedServer(keys[1])];
    onTestFinished(async () => {
      for (const { server, sandboxes } of [one, other]) {
        await server.close();
        await sandboxes.close();
      }
    });
    const jar = new CookieJar();
    const ask = async (url: string, fields?: Readonly<Record<string, string>>) => {
      const cookie = jar.getCookieStringSync(url);
      const answer = await fetch(url, {
        redirect: 'manual',
        headers: { cookie },
        ...(fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) }),
      });
      for (const given of answer.headers.getSetCookie()) jar.setCookieSync(given, url);
      return { status: answer.status, text: await answer.text() };
    };
    const tokenIn = (text: string) => /name="formToken" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const bases = [one, other].map(({ server }) => server.baseUrl);
    for (const [index, base] of bases.entries()) {
      const account = { action: 'sign-in', email: 'free@example.test', password: 'correct horse' };
      expect((await ask(`${base}/lookup/tokens`, account)).status).toBe(200);
      const { text } = await ask(`${base}/_console/sign-in`);
      const key = keys[index] ?? '';
      expect(await ask(`${base}/_console/sign-in`, { formToken: tokenIn(text), key })).toMatchObject({ status: 303 });
    }
    for (const base of bases) {
      expect((await ask(`${base}/lookup/tokens`)).text).toContain('data-page="lookup-tokens"');
      expect((await ask(`${base}/_control/v1/sandboxes`)).status).toBe(200);
    }
  });

  it('068: a session cookie of another server does not sign in a browser here', async () => {
    const [one, other] = [await oidcServer(), await oidcServer()];
    const browser = appBrowser();
    await (await RelyingParty.discover(one.issuer)).signIn(browser);
    const party = await RelyingParty.discover(other.issuer);
    const silent = await browser.load((await party.ask({ prompt: 'none' })).url);
    expect(new URL(silent.address).searchParams.get('error')).toBe('login_required');
    expect((await browser.load(`${other.issuer}/security-info`)).page?.name).toBe('name');
  });
});
