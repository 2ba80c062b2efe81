import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { RelyingParty } from './relying-party.ts';
import { signInAt, tenantServer } from './tenant-server.ts';

const writer = 'Authentication Policy Administrator';
const writerTemplateId = '0526716b-113d-4c15-b2c8-68e3c22b9f80';
const permission = 'Policy.ReadWrite.AuthenticationMethod';
const users = [{ id: 'ada', displayName: 'Ada', roles: [writer, 'Own Role'] }];

it('CL33: tokens of the tenant form name directory roles by the template ids of the directory API, which admit a change', async () => {
  const { at, issuer } = await tenantServer({ users });
  const { body } = await signInAt(at(), { scope: `openid Directory.Read.All Policy.Read.All ${permission}` });
  const headers = { authorization: `Bearer ${body['access_token']}`, 'content-type': 'application/json' };
  const listed = await fetch(`${issuer}/v1.0/directoryRoles?$select=roleTemplateId`, { headers });
  const { value } = (await listed.json()) as { readonly value: readonly { readonly roleTemplateId: string }[] };
  const { wids } = decodeJwt(String(body['access_token'])) as { readonly wids?: readonly string[] };
  expect(wids).toEqual([writerTemplateId, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(value.map(({ roleTemplateId }) => roleTemplateId).toSorted()).toEqual(wids?.toSorted());
  const change = { method: 'PATCH', body: '{"registrationEnforcement":{}}', headers };
  expect((await fetch(`${issuer}/v1.0/policies/authenticationMethodsPolicy`, change)).status).toBe(200);
});

it('tokens of the plain form name directory roles as the user has them', async () => {
  const { issuer } = await tenantServer({ users });
  const tokens = await (await RelyingParty.discover(issuer)).signIn(undefined, { scope: `openid ${permission}` });
  expect(decodeJwt(tokens.access_token)['wids']).toEqual([writer, 'Own Role']);
});
