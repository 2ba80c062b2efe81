import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader, exportJWK, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { policyWriterRoles } from '../../../src/contract/policy-caller.ts';
import { planSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { setTestServer } from '../../test-server.ts';

const server = setTestServer({
  default: { users: [{ id: 'ada' }], clock: { nowMs: 1_772_600_767_000, running: false } },
});
let sandbox: Sandbox;
let good: string;
let claims: JWTPayload;
let header: Record<string, unknown>;

const permissions = ['Policy.Read.All', 'write:document', 'read:document'];

beforeAll(async () => {
  sandbox = server.sandboxes.get('default');
  good = (await sandbox.tokens.issue({ user: 'ada', permissions })).access_token;
  claims = decodeJwt(good);
  header = decodeProtectedHeader(good) as Record<string, unknown>;
});

/**
 * Returns the statuses of a token at every endpoint that accepts access tokens: policy API, document API and
 * provider.
 */
async function statuses(token: string): Promise<readonly number[]> {
  const headers = { authorization: `Bearer ${token}` };
  const responses = ['/v1.0/policies/authenticationMethodsPolicy', '/oauth2/userinfo'].map((path) =>
    fetch(`${server.baseUrl}${path}`, { headers }),
  );
  const record = fetch(`${server.baseUrl}/api/v1/document/1/`, { method: 'PATCH', headers, body: '{}' });
  return Promise.all([...responses, record].map(async (answer) => (await answer).status));
}

const refused = [401, 401, 401];

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

async function publicJwk(): Promise<Record<string, unknown>> {
  const { keys } = (await (await fetch(`${server.baseUrl}/oauth2/jwks`)).json()) as { keys: Record<string, unknown>[] };
  return keys.find(({ alg, kty }) => alg === 'ES256' || kty === 'EC') ?? {};
}

/** Creates a signed token with a header that no library would produce. */
function sealedBy(key: KeyObject, head: Record<string, unknown>): string {
  const unsigned = `${encoded({ ...header, ...head })}.${encoded(claims)}`;
  return `${unsigned}.${sign('sha256', Buffer.from(unsigned), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

async function signedBy(key: Parameters<SignJWT['sign']>[0], head: Record<string, unknown>): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ ...header, ...head } as { alg: string }).sign(key);
}

describe('forged tokens', () => {
  it('canary: the token that the forged tokens imitate is accepted', async () => {
    expect(await statuses(good)).toEqual([200, expect.any(Number), 404]);
    expect((await statuses(good))[1]).not.toBe(500);
  });

  it.each(['none', 'None', 'NONE', ''])('unauthenticated: a token with the algorithm %j is rejected', async (alg) => {
    const unsigned = `${encoded({ ...header, alg })}.${encoded(claims)}`;
    expect(await statuses(`${unsigned}.`)).toEqual(refused);
    expect(await statuses(`${unsigned}.${good.split('.')[2]}`)).toEqual(refused);
  });

  it.each(['HS256', 'HS384', 'HS512'] as const)(
    'unauthenticated: a token signed by %s with the public key as its secret is rejected',
    async (alg) => {
      const jwk = await publicJwk();
      const { createPublicKey } = await import('node:crypto');
      const key = createPublicKey({ key: jwk as never, format: 'jwk' });
      const secrets = [
        key.export({ type: 'spki', format: 'pem' }),
        key.export({ type: 'spki', format: 'der' }),
        JSON.stringify(jwk),
        Buffer.from(String(jwk['x']), 'base64url'),
      ];
      for (const secret of secrets) {
        const unsigned = `${encoded({ ...header, alg })}.${encoded(claims)}`;
        const seal = createHmac(alg.replace('HS', 'sha'), secret).update(unsigned).digest('base64url');
        expect(await statuses(`${unsigned}.${seal}`)).toEqual(refused);
      }
    },
  );

  it('unauthenticated: keys of the attacker are ignored in every header that can carry them', async () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const edwards = generateKeyPairSync('ed25519');
    const jwk = await exportJWK(ec.publicKey);
    const place = `${server.baseUrl}/_control/v1/openapi.json`;
    const heads: readonly Record<string, unknown>[] = [
      {},
      { jwk },
      { jku: place },
      { x5u: place },
      { x5c: [Buffer.from('certificate').toString('base64')] },
      { kid: '../../../../dev/null' },
      { kid: "' OR 1=1 --" },
      { kid: 'file:///etc/passwd' },
      { kid: '' },
      { kid: ['a'] },
      { crit: ['exp'] },
      { crit: ['b64'], b64: false },
    ];
    for (const head of heads) {
      expect([head, await statuses(sealedBy(ec.privateKey, head))]).toEqual([head, refused]);
    }
    await expect(compactVerify(sealedBy(ec.privateKey, {}), ec.publicKey)).resolves.toHaveProperty('protectedHeader');
    expect(await statuses(await signedBy(rsa.privateKey, { alg: 'RS256' }))).toEqual(refused);
    expect(await statuses(await signedBy(rsa.privateKey, { alg: 'PS256' }))).toEqual(refused);
    expect(await statuses(await signedBy(edwards.privateKey, { alg: 'EdDSA' }))).toEqual(refused);
  });

  it('unauthenticated: a token for an application is rejected, in the form of ID tokens and of access tokens', async () => {
    const { privateKey, id } = await sandbox.tokens.keys.key('RS256');
    const signed = (aud: unknown, typ: string) =>
      new SignJWT({ ...claims, aud } as JWTPayload).setProtectedHeader({ alg: 'RS256', kid: id, typ }).sign(privateKey);
    expect(await statuses(await signed(claims['aud'], 'JWT'))).toEqual(await statuses(good));
    for (const typ of ['JWT', 'at+jwt', 'id+jwt']) {
      expect(await statuses(await signed('test-web', typ))).toEqual(refused);
    }
  });
});

describe('tokens of this sandbox for another purpose', () => {
  async function resigned(change: JWTPayload, head: Record<string, unknown> = {}): Promise<string> {
    const { privateKey } = await sandbox.tokens.keys.key('ES256');
    return new SignJWT({ ...claims, ...change })
      .setProtectedHeader({ ...header, ...head } as { alg: string })
      .sign(privateKey);
  }

  it.each([
    ['an audience of someone else', { aud: 'https://elsewhere.example' }],
    ['no audience', { aud: undefined }],
    ['an issuer of someone else', { iss: 'https://elsewhere.example' }],
    ['the issuer of another sandbox', { iss: 'http://localhost/s/other' }],
    ['no issuer', { iss: undefined }],
    ['an expiry in the past', { exp: 1_772_600_766 }],
    ['an expiry now', { exp: 1_772_600_767 }],
    ['no expiry', { exp: undefined }],
    ['a beginning in the future', { nbf: 1_772_600_768 }],
  ] as const)('unauthenticated: a token with %s is rejected', async (_what, change) => {
    expect(await statuses(await resigned(change as JWTPayload))).toEqual(refused);
  });

  it.each(['id+jwt', 'logout+jwt', '', undefined])(
    'unauthenticated: a token with the type %j, which no access token has, is rejected',
    async (typ) => {
      expect(await statuses(await resigned({}, { typ }))).toEqual(refused);
    },
  );

  it('unauthenticated: a token with a changed character in its signature, or with two signatures, is rejected', async () => {
    const [head = '', body = '', signature = ''] = good.split('.');
    for (const at of [0, 10, 40]) {
      const other = signature[at] === 'A' ? 'B' : 'A';
      expect(await statuses(`${head}.${body}.${signature.slice(0, at)}${other}${signature.slice(at + 1)}`)).toEqual(
        refused,
      );
    }
    for (const odd of [
      `${good}.${signature}`,
      `${head}.${body}`,
      `${head}..${signature}`,
      '..',
      '.',
      'a'.repeat(8_000),
    ]) {
      expect(await statuses(odd)).toEqual(refused);
    }
  });

  it('unauthenticated: a valid token expires by the virtual clock, cached or not', async () => {
    const own = await server.sandboxes.create(
      'timed',
      planSandbox({ clock: { nowMs: 1_772_600_767_000, running: false } }),
    );
    const { access_token: token } = await own.tokens.issue({ permissions, expiresInSeconds: 60 });
    const getStatus = async () =>
      (
        await fetch(`${server.baseUrl}/s/timed/v1.0/policies/authenticationMethodsPolicy`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    expect(await getStatus()).toBe(200);
    await own.clock.advance({ minutes: 1 });
    expect(await getStatus()).toBe(401);
  });

  it('access-denied: a token with read access cannot write, and a role counts only for users', async () => {
    const patch = async (token: string) =>
      (
        await fetch(`${server.baseUrl}/v1.0/policies/authenticationMethodsPolicy`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{}',
        })
      ).status;
    const [read, write] = ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'];
    const role = policyWriterRoles[0].name;
    const issue = async (request: object) => (await sandbox.tokens.issue(request)).access_token;
    expect(await patch(await issue({ user: 'ada', permissions: [read], roles: [role] }))).toBe(403);
    expect(await patch(await issue({ user: 'ada', permissions: [read, write], roles: [] }))).toBe(403);
    expect(await patch(await issue({ user: 'ada', permissions: [read, write], roles: ['Global Reader'] }))).toBe(403);
    expect(await patch(await issue({ user: 'ada', permissions: [read, write], roles: [role] }))).toBe(200);
    expect(await patch(await issue({ user: 'ada', permissions: [write], roles: [role] }))).toBe(403);
    expect(await patch(await issue({ app: 'nightly', permissions: [write] }))).toBe(200);
  });
});
