import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import Strategy from 'passport-openidconnect';
import { CookieJar } from 'tough-cookie';
import { expect, it, onTestFinished } from 'vitest';
import { ApplicationBrowser } from './application-browser.ts';
import { oidcServer } from './oidc-server.ts';

/** Starts a web site that signs in users as the documentation of the strategy shows. Returns its URL. */
async function webSite(issuer: string): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const address = `http://localhost:${(server.address() as AddressInfo).port}`;
  const discovered = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  const { authorization_endpoint, token_endpoint, userinfo_endpoint } = discovered as Record<string, string>;
  const authenticator = new passport.Passport();
  authenticator.use(
    new Strategy(
      {
        issuer,
        authorizationURL: authorization_endpoint ?? '',
        tokenURL: token_endpoint ?? '',
        userInfoURL: userinfo_endpoint ?? '',
        clientID: 'test-web',
        clientSecret: 'test-secret',
        callbackURL: `${address}/callback`,
        scope: ['profile', 'email'],
        nonce: true,
      },
      (_issuer, profile, done) => done(null, profile),
    ),
  );
  const app = express();
  app.use(session({ secret: 'of the test', resave: false, saveUninitialized: false }));
  app.get('/login', authenticator.authenticate('openidconnect', { session: false }));
  app.get('/callback', authenticator.authenticate('openidconnect', { session: false }), (request, response) => {
    response.json((request as unknown as { user: object }).user);
  });
  server.on('request', app);
  return address;
}

it.each(['default', 'demo'])(
  'passport-openidconnect signs in a user of sandbox %s, from its URL to the user profile',
  async (id) => {
    const { issuer } = await oidcServer({ id, clock: { nowMs: Date.now(), running: true } });
    const address = await webSite(issuer);
    const browser = new ApplicationBrowser({ application: 'nowhere:', jar: new CookieJar() });
    const page = await browser.signIn(`${address}/login`);
    expect(page.address).toContain(`${address}/callback?code=`);
    expect(JSON.parse(page.text)).toMatchObject({ id: 'ada', displayName: 'Ada', username: 'ada@example.test' });
  },
);
