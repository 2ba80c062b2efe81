import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getAuthenticatorProfile } from '../../../src/authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../../../src/authenticators/software-authenticator.ts';
import type { CreationOptionsJson } from '../../../src/authenticators/webauthn-json.ts';
import { DirectoryServer } from './directory-server.ts';

let server: DirectoryServer;

const at = '/users/ada/authentication/fido2Methods';

beforeEach(() => start());

afterEach(() => server.stop());

async function start(tenant: object = {}) {
  server = await DirectoryServer.start({
    clock: { nowMs: Date.UTC(2026, 0, 5, 9), running: false },
    tenant,
    users: [
      { id: 'ada', displayName: 'Ada', methods: ['sms'], passkeys: [{ type: 'keychain', deviceId: 'm' }] },
      { id: 'bob' },
    ],
  });
}

interface Options {
  readonly challengeTimeoutDateTime: string;
  readonly publicKey: Readonly<Record<string, unknown>> & { readonly challenge: string };
}

async function getOptions(path = `/v1.0${at}/creationOptions`): Promise<Options> {
  const { status, body, text } = await server.ask(path);
  expect(status, text).toBe(200);
  return body as unknown as Options;
}

interface Registration {
  readonly id: string;
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string };
  readonly clientExtensionResults: object;
}

/** Creates a passkey as a script with an authenticator does. */
async function createPasskey({ publicKey }: Options, origin = server.url, change: object = {}): Promise<Registration> {
  const profile = getAuthenticatorProfile('security-key', 'windows');
  const authenticator = new SoftwareAuthenticator({ profile, seed: 'script' });
  const options = { ...publicKey, ...change } as unknown as CreationOptionsJson;
  const created = (await authenticator.create(options, { origin })) as unknown as Registration;
  const { clientDataJSON, attestationObject } = created.response;
  return { id: created.id, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} };
}

/** Creates a passkey for another relying party on its own page. */
function createElsewhere(options: Options): Promise<Registration> {
  return createPasskey(options, 'https://elsewhere.test', { rp: { id: 'elsewhere.test', name: 'x' } });
}

function register(publicKeyCredential: object, more: object = {}, user = 'ada') {
  const body = { displayName: 'Red key', publicKeyCredential, ...more };
  return server.ask(`/v1.0${at.replace('ada', user)}`, { method: 'POST', body });
}

describe('creation options', () => {
  test('DIR64: they name the relying party of the pages, the user and the passkeys to exclude', async () => {
    const { body } = await server.ask(`/v1.0${at}/creationOptions`);
    const text = expect.stringMatching(/^[\w-]+$/);
    expect(body).toEqual({
      '@odata.context': `${server.url}/v1.0/$metadata#graph.webauthnCredentialCreationOptions`,
      challengeTimeoutDateTime: '2026-01-05T09:05:00.000Z',
      publicKey: {
        rp: { id: 'localhost', name: 'NudgeLab' },
        user: { id: text, displayName: 'Ada', name: 'ada@example.test' },
        challenge: text,
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
        timeout: 300_000,
        excludeCredentials: [{ id: text, type: 'public-key', transports: ['internal', 'hybrid'] }],
        authenticatorSelection: {
          authenticatorAttachment: 'cross-platform',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'direct',
        extensions: { credProps: true },
      },
    });
    expect(server.sandbox.entryCount).toBe(1);
  });

  test.for<[string, number, string?]>([
    ['/beta/AT/creationOptions(challengeTimeoutInMinutes=10)', 200, '2026-01-05T09:10:00.000Z'],
    ['/beta/AT/microsoft.graph.creationOptions(challengeTimeoutInMinutes=43200)', 200, '2026-02-04T09:00:00.000Z'],
    ['/beta/AT/creationOptions()', 200, '2026-01-05T09:05:00.000Z'],
    ['/beta/AT/creationOptions(challengeTimeoutInMinutes=4)', 400],
    ['/beta/AT/creationOptions(challengeTimeoutInMinutes=43201)', 400],
    ['/beta/AT/creationOptions(challengeTimeoutInMinutes=x)', 400],
    ['/beta/AT/creationOptions(minutes=10)', 404],
    ['/v1.0/AT/creationOptions(challengeTimeoutInMinutes=10)', 400],
  ])('DIR64: GET %s is %i', async ([path, wanted, until]) => {
    const { status, body } = await server.ask(path.replace('/AT', at));
    expect([status, body['challengeTimeoutDateTime']]).toEqual([wanted, until]);
  });

  test.for<[string, object]>([
    ['the method is off', { state: 'disabled' }],
    ['the user is excluded', { excludeTargets: [{ targetType: 'user', id: 'ada' }] }],
    ['self-service is off', { selfService: false }],
  ])('400: %s', async ([, fido2]) => {
    await server.stop();
    await start({ methodsPolicy: { fido2 } });
    expect((await server.ask(`/v1.0${at}/creationOptions`)).status).toBe(400);
    const body = { publicKeyCredential: { id: 'x', response: { clientDataJSON: 'x', attestationObject: 'x' } } };
    expect((await server.ask(`/v1.0${at}`, { method: 'POST', body })).status).toBe(400);
  });
});

describe('creation of a passkey', () => {
  test('DIR64, A27: a verified passkey is registered, once', async () => {
    const passkey = await createPasskey(await getOptions());
    const reply = await register(passkey, { '@odata.type': '#microsoft.graph.fido2AuthenticationMethod' });
    expect([reply.status, reply.headers.get('location')]).toEqual([201, `${server.url}/v1.0${at}/${passkey.id}`]);
    expect(reply.body).toEqual({
      '@odata.context': expect.stringContaining("users('ada')/authentication/fido2Methods/$entity"),
      id: passkey.id,
      createdDateTime: '2026-01-05T09:00:00.000Z',
      displayName: 'Red key',
      aaGuid: '2fc0579f-8113-47ea-b116-bb5a8db9202a',
      attestationCertificates: [],
      attestationLevel: 'attested',
      model: 'YubiKey 5 with NFC',
      passkeyType: 'deviceBound',
    });
    const [entry] = await server.sandbox.journal({ after: 1, limit: 9 });
    expect(entry?.event).toMatchObject({
      type: 'passkey.added',
      userId: 'ada',
      passkey: { type: 'security-key', credentialId: passkey.id },
      caller: { kind: 'app', id: 'test' },
    });
    const again = await register(passkey);
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('challenge')]);
    expect(server.sandbox.entryCount).toBe(2);
  });

  test('DIR64: the origin can be the host of the pages over HTTPS without a port', async () => {
    const passkey = await createPasskey(await getOptions(), 'https://localhost');
    expect((await register(passkey)).status).toBe(201);
  });

  test('DIR64: a challenge is valid for its time', async () => {
    const long = await createPasskey(await getOptions(`/beta${at}/creationOptions(challengeTimeoutInMinutes=30)`));
    const short = await createPasskey(await getOptions());
    await server.sandbox.clock.advance({ minutes: 29 });
    expect((await register(short)).text).toContain('challenge');
    expect((await register(long)).status).toBe(201);
  });

  test.for<[string, string, (options: Options) => Promise<object>]>([
    ['another origin', 'origin', createElsewhere],
    [
      'another relying party',
      'relying party',
      async (options) => {
        const [own, other] = [await createPasskey(options), await createElsewhere(options)];
        return { ...other, response: { ...other.response, clientDataJSON: own.response.clientDataJSON } };
      },
    ],
    ['an unknown challenge', 'challenge', (options) => createPasskey(options, server.url, { challenge: 'AAAA' })],
    [
      'broken client data',
      'clientDataJSON',
      async (options) => {
        const passkey = await createPasskey(options);
        return { ...passkey, response: { ...passkey.response, clientDataJSON: 'e30x' } };
      },
    ],
    [
      'a broken attestation object',
      'attestationObject',
      async (options) => {
        const passkey = await createPasskey(options);
        return { ...passkey, response: { ...passkey.response, attestationObject: 'AAAA' } };
      },
    ],
    [
      'the id of another passkey',
      'the id is not',
      async (options) => ({ ...(await createPasskey(options)), id: 'AAAAAAAAAAAAAAAAAAAAAA' }),
    ],
  ])('400: a passkey with %s is rejected, and the message names it', async ([, word, create]) => {
    const reply = await register(await create(await getOptions()));
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(word)]);
    expect(server.sandbox.entryCount).toBe(1);
  });

  test('400: the challenge of another user', async () => {
    const reply = await register(await createPasskey(await getOptions()), {}, 'bob');
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('challenge')]);
  });
});
