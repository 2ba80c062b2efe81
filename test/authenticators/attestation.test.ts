import { X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { AttestationAuthority, defaultAuthority } from '../../src/authenticators/attestation-authority.ts';
import type { AttestationFormat } from '../../src/authenticators/profile.ts';
import { getAuthenticatorProfile } from '../../src/authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../../src/authenticators/software-authenticator.ts';
import { coseAlgorithms, type KeyAlgorithm } from '../../src/core/cose-key.ts';
import { nonEmpty } from '../non-empty.ts';
import { creationOptions, origin, register, trust } from './relying-party-server.ts';

const key = getAuthenticatorProfile('security-key', 'windows');
const direct = creationOptions({ attestation: 'direct' });

function made(attestation: AttestationFormat, algorithm: KeyAlgorithm = 'ES256', authority?: AttestationAuthority) {
  const profile = { ...key, attestation, algorithm };
  return new SoftwareAuthenticator({ profile, ...(authority === undefined ? {} : { authority }) });
}

afterEach(() => trust());

describe('attestation', () => {
  test.each(nonEmpty(Object.keys(coseAlgorithms) as KeyAlgorithm[]))(
    'attestation: packed-self by %s is verified',
    async (algorithm) => {
      const info = await register(await made('packed-self', algorithm).create(direct, { origin }), direct);
      expect(info.fmt).toBe('packed');
      expect(info.aaguid).toBe(key.aaguid);
    },
  );

  test.each(nonEmpty(Object.keys(coseAlgorithms) as KeyAlgorithm[]))(
    'attestation: packed-ca by %s is verified up to the root certificate',
    async (algorithm) => {
      trust(new AttestationAuthority().rootCertificate());
      const info = await register(await made('packed-ca', algorithm).create(direct, { origin }), direct);
      expect(info.fmt).toBe('packed');
    },
  );

  test('attestation: packed-ca of another authority is rejected', async () => {
    const other = new AttestationAuthority({ ...defaultAuthority, seed: 'other' });
    trust(other.rootCertificate());
    const foreign = await made('packed-ca').create(direct, { origin });
    await expect(register(foreign, direct)).rejects.toThrow();
    const own = await made('packed-ca', 'ES256', other).create(direct, { origin });
    await expect(register(own, direct)).resolves.toHaveProperty('fmt', 'packed');
  });

  test('attestation: packed-ca of an expired authority is rejected', async () => {
    const expired = new AttestationAuthority({ seed: 'expired', notBeforeMs: 0, notAfterMs: 86_400_000 });
    trust(expired.rootCertificate());
    const response = await made('packed-ca', 'ES256', expired).create(direct, { origin });
    await expect(register(response, direct)).rejects.toThrow();
  });

  test('attestation: a broken statement is rejected, whether it was requested or not', async () => {
    for (const options of [direct, creationOptions()]) {
      await expect(register(await made('broken').create(options, { origin }), options)).rejects.toThrow('not verified');
    }
  });

  test.each([
    ['direct', 'packed'],
    ['indirect', 'packed'],
    ['enterprise', 'packed'],
    ['none', 'none'],
    [undefined, 'none'],
  ] as const)('attestation: a request with conveyance %s returns the format %s', async (conveyance, format) => {
    const options = creationOptions(conveyance === undefined ? {} : { attestation: conveyance });
    const info = await register(await made('packed-self').create(options, { origin }), options);
    expect(info.fmt).toBe(format);
  });

  test('attestation: names, keys, serial numbers and dates of certificates depend only on the options', () => {
    const [one, two] = [new AttestationAuthority(), new AttestationAuthority()];
    const read = (authority: AttestationAuthority) => {
      const root = new X509Certificate(authority.rootCertificate());
      const [der] = authority.getKey(String(key.aaguid)).certificates;
      const leaf = new X509Certificate(Buffer.from(der ?? []));
      expect(leaf.verify(root.publicKey)).toBe(true);
      expect([root.ca, leaf.ca]).toEqual([true, false]);
      const facts = ({ subject, issuer, serialNumber, validFrom, validTo, publicKey }: X509Certificate) => {
        return { subject, issuer, serialNumber, validFrom, validTo, key: publicKey.export({ format: 'jwk' }) };
      };
      return [facts(root), facts(leaf)];
    };
    const [root, leaf] = read(one);
    expect(read(two)).toEqual([root, leaf]);
    expect(root?.validFrom).toBe('Jan  1 00:00:00 2020 GMT');
    expect(root?.validTo).toBe('Dec 31 23:59:59 2049 GMT');
    expect(root?.serialNumber).not.toBe(leaf?.serialNumber);
  });
});
