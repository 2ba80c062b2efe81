import { describe, expect, test } from 'vitest';
import { CeremonyError } from '../../src/authenticators/ceremony-error.ts';
import type { AuthenticatorProfile } from '../../src/authenticators/profile.ts';
import { getAuthenticatorProfile } from '../../src/authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../../src/authenticators/software-authenticator.ts';
import { coseAlgorithms, type KeyAlgorithm } from '../../src/core/cose-key.ts';
import { seededCredential } from '../../src/core/seeded-key.ts';
import { nonEmpty } from '../non-empty.ts';
import {
  alice,
  createChallenge,
  creationOptions,
  origin,
  register,
  requestOptions,
  rpId,
  signIn,
} from './relying-party-server.ts';

const algorithms = Object.keys(coseAlgorithms) as KeyAlgorithm[];
const deviceBound: AuthenticatorProfile = {
  ...getAuthenticatorProfile('windows-bound', 'windows'),
  attestation: 'none',
};
const synced = getAuthenticatorProfile('keychain', 'macos');
const key: AuthenticatorProfile = { ...getAuthenticatorProfile('security-key', 'windows'), attestation: 'none' };

function made(profile: AuthenticatorProfile = deviceBound): SoftwareAuthenticator {
  return new SoftwareAuthenticator({ profile, seed: 'test' });
}

/** Returns the name and the failure code of the error that a promise rejects with. */
async function getFailure(promise: Promise<unknown>): Promise<readonly [string, string]> {
  const error = await promise.then(
    () => new Error('was answered'),
    (reason: unknown) => reason,
  );
  return error instanceof CeremonyError ? [error.name, error.failure] : ['other', String(error)];
}

describe('registration and authentication ceremonies', () => {
  test.each(nonEmpty(algorithms))(
    'software-authenticator: a verified passkey of %s registers and signs in',
    async (algorithm) => {
      const authenticator = made({ ...deviceBound, algorithm });
      const creation = creationOptions();
      const registration = await authenticator.create(creation, { origin });
      const info = await register(registration, creation);
      expect(info.aaguid).toBe(deviceBound.aaguid);
      expect(info.fmt).toBe('none');
      expect(registration.response.publicKeyAlgorithm).toBe(coseAlgorithms[algorithm]);
      const request = requestOptions({ allowCredentials: [{ id: registration.id, type: 'public-key' }] });
      const assertion = await authenticator.get(request, { origin });
      const use = await signIn(assertion, request, info.credential);
      expect(use.newCounter).toBe(info.credential.counter + 1);
      expect(assertion.response.userHandle).toBe(alice.id);
    },
  );

  test.each([
    [deviceBound, 'singleDevice', false],
    [{ ...synced, backupState: false }, 'multiDevice', false],
    [synced, 'multiDevice', true],
  ] as const)(
    'software-authenticator: the relying party reads the flags of %j as %s with backup state %s',
    async (profile, device, backedUp) => {
      const creation = creationOptions();
      const info = await register(await made(profile).create(creation, { origin }), creation);
      expect(info.credentialDeviceType).toBe(device);
      expect(info.credentialBackedUp).toBe(backedUp);
      expect(info.userVerified).toBe(true);
    },
  );

  test('software-authenticator: the signature counter of a synced passkey stays 0, that of a device-bound one increases', async () => {
    for (const [profile, counters] of [
      [synced, [0, 0, 0]],
      [deviceBound, [1, 2, 3]],
    ] as const) {
      const authenticator = made(profile);
      const creation = creationOptions();
      const info = await register(await authenticator.create(creation, { origin }), creation);
      const credential = { ...info.credential };
      const seen = [credential.counter];
      for (const challenge of ['first', 'second']) {
        const request = requestOptions({ challenge: createChallenge(challenge) });
        credential.counter = (
          await signIn(await authenticator.get(request, { origin }), request, credential)
        ).newCounter;
        seen.push(credential.counter);
      }
      expect(seen).toEqual(counters);
    }
  });

  test('software-authenticator: the server rejects a signature counter that decreased', async () => {
    const authenticator = made();
    const creation = creationOptions();
    const info = await register(await authenticator.create(creation, { origin }), creation);
    const request = requestOptions();
    const assertion = await authenticator.get(request, { origin });
    await expect(signIn(assertion, request, { ...info.credential, counter: 9 })).rejects.toThrow(/counter/);
  });

  test('software-authenticator: keys and ids are equal for the same random seed, AAGUID and user, and differ otherwise', async () => {
    const createId = async (authenticator: SoftwareAuthenticator, user = alice) =>
      (await authenticator.create(creationOptions({ user }), { origin })).id;
    const bob = { id: 'Ym9i', name: 'bob@example.test' };
    const ids = [
      await createId(made()),
      await createId(made(), bob),
      await createId(made(synced)),
      await createId(new SoftwareAuthenticator({ profile: deviceBound, seed: 'another device' })),
    ];
    expect(await createId(made())).toBe(ids[0]);
    expect(new Set(ids).size).toBe(4);
  });
});

describe('ceremony options', () => {
  test('InvalidStateError: a passkey that the server excludes is not registered again', async () => {
    const authenticator = made();
    const { id } = await authenticator.create(creationOptions(), { origin });
    const excluding = creationOptions({ excludeCredentials: [{ id, type: 'public-key' }] });
    expect(await getFailure(authenticator.create(excluding, { origin }))).toEqual(['InvalidStateError', 'excluded']);
    const others = creationOptions({ excludeCredentials: [{ id: 'AAAA', type: 'public-key' }] });
    expect((await authenticator.create(others, { origin })).id).not.toBe(id);
  });

  test('NotSupportedError: an algorithm that the server does not accept is not used', async () => {
    const only = (alg: number) => creationOptions({ pubKeyCredParams: [{ alg, type: 'public-key' }] });
    expect(await getFailure(made().create(only(-257), { origin }))).toEqual(['NotSupportedError', 'no-algorithm']);
    expect((await made().create(only(-7), { origin })).response.publicKeyAlgorithm).toBe(-7);
    const unnamed = creationOptions({ pubKeyCredParams: [] });
    expect((await made().create(unnamed, { origin })).response.publicKeyAlgorithm).toBe(-7);
    const eddsa = made({ ...deviceBound, algorithm: 'EdDSA' });
    expect(await getFailure(eddsa.create(unnamed, { origin }))).toEqual(['NotSupportedError', 'no-algorithm']);
  });

  test('NotAllowedError: a ceremony fails if the profile lacks a feature that the server requires', async () => {
    const lacking = { ...deviceBound, userVerification: false, residentKey: false };
    const selections = [{ userVerification: 'required' }, { residentKey: 'required' }, { requireResidentKey: true }];
    for (const authenticatorSelection of selections) {
      const options = creationOptions({ authenticatorSelection });
      expect(await getFailure(made(lacking).create(options, { origin }))).toEqual(['NotAllowedError', 'cannot-serve']);
      expect((await made().create(options, { origin })).type).toBe('public-key');
    }
    const elsewhere = creationOptions({ authenticatorSelection: { authenticatorAttachment: 'cross-platform' } });
    expect(await getFailure(made().create(elsewhere, { origin }))).toEqual(['NotAllowedError', 'cannot-serve']);
    expect((await made(key).create(elsewhere, { origin })).authenticatorAttachment).toBe('cross-platform');
    const request = requestOptions({ userVerification: 'required' });
    expect(await getFailure(made(lacking).get(request, { origin }))).toEqual(['NotAllowedError', 'cannot-serve']);
  });

  test('software-authenticator: the flags show that the user was not verified if the profile or the options exclude it', async () => {
    const verified = async (profile: AuthenticatorProfile, userVerification: string) => {
      const options = creationOptions({ authenticatorSelection: { userVerification } });
      return (await register(await made(profile).create(options, { origin }), options)).userVerified;
    };
    expect(await verified({ ...key, userVerification: false }, 'preferred')).toBe(false);
    expect(await verified(key, 'discouraged')).toBe(false);
    expect(await verified(key, 'preferred')).toBe(true);
    expect(await verified(deviceBound, 'discouraged')).toBe(true);
  });

  test('software-authenticator: a non-discoverable passkey is used only by id and returns no user handle', async () => {
    const authenticator = made(key);
    const creation = creationOptions({ extensions: { credProps: true } });
    const registration = await authenticator.create(creation, { origin });
    expect(registration.clientExtensionResults).toEqual({ credProps: { rk: false } });
    expect(await getFailure(authenticator.get(requestOptions(), { origin }))).toEqual([
      'NotAllowedError',
      'no-credential',
    ]);
    const request = requestOptions({ allowCredentials: [{ id: registration.id, type: 'public-key' }] });
    const assertion = await authenticator.get(request, { origin });
    expect(assertion.response).not.toHaveProperty('userHandle');
    await signIn(assertion, request, (await register(registration, creation)).credential);
  });

  test('software-authenticator: the newest matching passkey is used unless another one is selected', async () => {
    const authenticator = made();
    const first = await authenticator.create(creationOptions(), { origin });
    const second = await authenticator.create(creationOptions({ user: { id: 'Ym9i', name: 'bob' } }), { origin });
    expect((await authenticator.get(requestOptions(), { origin })).id).toBe(second.id);
    expect((await authenticator.get(requestOptions(), { origin, credentialId: first.id })).id).toBe(first.id);
    const named = requestOptions({ allowCredentials: [{ id: first.id }] });
    expect((await authenticator.get(named, { origin })).id).toBe(first.id);
  });

  test('software-authenticator: a second discoverable passkey of a user replaces the first', async () => {
    const authenticator = made();
    const first = await authenticator.create(creationOptions(), { origin });
    const second = await authenticator.create(creationOptions(), { origin });
    expect(second.id).not.toBe(first.id);
    expect(authenticator.listCredentials().map(({ id }) => id)).toEqual([second.id]);
  });

  test.each([
    ['http://localhost:3000', 'localhost', true],
    ['https://login.example.test', 'example.test', true],
    ['https://example.test', undefined, true],
    ['https://example.test', 'other.test', false],
    ['https://badexample.test', 'example.test', false],
    ['https://example.test', 'login.example.test', false],
    ['https://example.test', 'test', false],
    ['http://example.test', 'example.test', false],
    ['https://127.0.0.1', '127.0.0.1', false],
    ['https://[::1]', undefined, false],
    ['null', 'localhost', false],
    ['http://localhost:3000/path', 'localhost', false],
  ] as const)('SecurityError: the origin %s may use the relying party id %s: %s', async (at, id, taken) => {
    const rp = id === undefined ? {} : { id };
    const creating = made().create(creationOptions({ rp }), { origin: at });
    if (taken) expect((await creating).type).toBe('public-key');
    else expect(await getFailure(creating)).toEqual(['SecurityError', 'foreign-relying-party']);
  });

  test('software-authenticator: a passkey of another relying party is neither offered nor excluded', async () => {
    const authenticator = made();
    const { id } = await authenticator.create(creationOptions({ rp: { id: 'example.test' } }), {
      origin: 'https://example.test',
    });
    expect(await getFailure(authenticator.get(requestOptions(), { origin }))).toEqual([
      'NotAllowedError',
      'no-credential',
    ]);
    const excluding = creationOptions({ excludeCredentials: [{ id }] });
    expect((await authenticator.create(excluding, { origin })).type).toBe('public-key');
  });
});

describe('passkeys as JSON', () => {
  test('software-authenticator: an exported passkey signs in elsewhere and continues its signature counter', async () => {
    const authenticator = made();
    const creation = creationOptions();
    const info = await register(await authenticator.create(creation, { origin }), creation);
    const credentials = JSON.parse(JSON.stringify(authenticator.listCredentials()));
    const other = new SoftwareAuthenticator({ profile: deviceBound, credentials });
    const request = requestOptions();
    const use = await signIn(await other.get(request, { origin }), request, info.credential);
    expect(use.newCounter).toBe(2);
  });

  test('software-authenticator: a known test passkey signs in with only its id, user and private key', async () => {
    const known = seededCredential('fixture\nalice\n0');
    const authenticator = made();
    authenticator.hold({ id: known.id, rpId, userHandle: alice.id, privateKey: known.privateKey });
    const request = requestOptions();
    const publicKey = new Uint8Array(Buffer.from(known.publicKey, 'base64url'));
    const assertion = await authenticator.get(request, { origin });
    const use = await signIn(assertion, request, { id: known.id, publicKey, counter: 0 });
    expect(use.newCounter).toBe(1);
    expect(assertion.response.userHandle).toBe(alice.id);
    authenticator.forget(known.id);
    expect(authenticator.listCredentials()).toEqual([]);
  });
});
