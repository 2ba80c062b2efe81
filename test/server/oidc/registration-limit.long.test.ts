import { expect, it } from 'vitest';
import { clientsMax } from '../../../src/core/limits.ts';
import { oidcServer } from './oidc-server.ts';
import { ownToken, register } from './registering.ts';
import { application, RelyingParty } from './relying-party.ts';

it('067: after 1,000 registrations the next client can still register and sign in its users', async () => {
  const { issuer, sandboxes } = await oidcServer();
  const first = (await register(issuer)).body;
  for (let number = 1; number < clientsMax; number += 1) {
    expect((await register(issuer, { redirect_uris: [application] })).response.status).toBe(201);
  }
  const { response, body } = await register(issuer);
  expect(response.status).toBe(201);
  const party = await RelyingParty.discover(issuer, { id: body.client_id, secret: body.client_secret });
  expect((await party.signIn()).claims()).toMatchObject({ aud: body.client_id });
  expect((await ownToken(issuer, first)).status).toBe(401);
  await sandboxes.reset('default');
  expect((await ownToken(issuer, body)).status).toBe(401);
  expect((await register(issuer)).response.status).toBe(201);
}, 120_000);
