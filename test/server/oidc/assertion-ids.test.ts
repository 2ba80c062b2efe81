import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { startMs } from './oidc-server.ts';
import { postForm, type TenantServer, tenantServer } from './tenant-server.ts';

const secret = 'a secret of more than 32 bytes, for tests';
const clients = [
  { id: 'job', kind: 'service', secret, authMethods: ['client_secret_jwt'], appRoles: ['Policy.Read.All'] },
  { id: 'other', kind: 'service', secret, authMethods: ['client_secret_jwt'], appRoles: ['Policy.Read.All'] },
];
const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const startSeconds = startMs / 1000;

/** Signs an assertion. `iat` tells assertions with the same id apart. */
async function sign({ issuer }: TenantServer, jti: string, iat = startSeconds, id = 'job'): Promise<string> {
  const claims = { iss: id, sub: id, aud: `${issuer}/oauth2/token`, jti, iat, exp: startSeconds + 60 };
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
}

/** Requests a token in a form, and returns the status with the number of an error. */
async function request({ issuer, at }: TenantServer, form: 'plain' | 'tenant', assertion: string) {
  const url = form === 'plain' ? `${issuer}/oauth2/token` : `${at()}/oauth2/v2.0/token`;
  const scope = `${issuer}/.default`;
  const own = { grant_type: 'client_credentials', client_assertion_type: type, client_assertion: assertion, scope };
  const { status, body } = await postForm(url, own);
  return [status, body['error'] ?? null, body['error_codes'] ?? null];
}

const granted = [200, null, null];

describe('CL41: id of a client assertion', () => {
  it('the plain form accepts an assertion once', async () => {
    const server = await tenantServer({ clients });
    const assertion = await sign(server, 'one');
    expect(await request(server, 'plain', assertion)).toEqual(granted);
    expect(await request(server, 'plain', assertion)).toEqual([401, 'invalid_client', null]);
    expect(await request(server, 'plain', await sign(server, 'two'))).toEqual(granted);
  });

  it('A76: the tenant form accepts the same assertion until it expires', async () => {
    const server = await tenantServer({ clients, settings: { identity: { assertionToleranceSeconds: 0 } } });
    const assertion = await sign(server, 'one');
    for (const _ of [1, 2, 3]) expect(await request(server, 'tenant', assertion)).toEqual(granted);
    await server.sandbox.clock.advance({ ms: 60_000 });
    expect((await request(server, 'tenant', assertion))[0]).toBe(401);
  });

  it('A76: the tenant form rejects another assertion with the id of an earlier one, as often as it is sent', async () => {
    const server = await tenantServer({ clients, settings: { dialect: 'entra' } });
    const rejected = [401, 'invalid_client', [700_027]];
    const [first, second] = [await sign(server, 'one'), await sign(server, 'one', startSeconds - 1)];
    expect(await request(server, 'tenant', first)).toEqual(granted);
    expect(await request(server, 'tenant', second)).toEqual(rejected);
    expect(await request(server, 'tenant', second)).toEqual(rejected);
    expect(await request(server, 'tenant', first)).toEqual(granted);
    expect(await request(server, 'tenant', await sign(server, 'one', startSeconds, 'other'))).toEqual(granted);
  });

  it('both forms share the ids', async () => {
    const server = await tenantServer({ clients });
    const assertion = await sign(server, 'one');
    expect(await request(server, 'tenant', assertion)).toEqual(granted);
    expect((await request(server, 'plain', assertion))[0]).toBe(401);
    const later = await sign(server, 'two');
    expect(await request(server, 'plain', later)).toEqual(granted);
    expect((await request(server, 'tenant', later))[0]).toBe(401);
  });
});
