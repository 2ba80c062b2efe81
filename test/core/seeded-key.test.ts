import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { decode } from 'cborg';
import { describe, expect, test } from 'vitest';
import { coseAlgorithms, getAlgorithm, type KeyAlgorithm, toCoseKey } from '../../src/core/cose-key.ts';
import { seededBytes, seededCredential, seededKey } from '../../src/core/seeded-key.ts';
import { nonEmpty } from '../non-empty.ts';

const algorithms = Object.keys(coseAlgorithms) as KeyAlgorithm[];

/**
 * Members of a COSE key by RFC 9052 and 9053: 1 is the key type, 3 is the algorithm, and the meaning of negative
 * members depends on the key type.
 */
const coseMembers = {
  ES256: { 1: 2, 3: -7, '-1': 1, '-2': 'x', '-3': 'y' },
  EdDSA: { 1: 1, 3: -8, '-1': 6, '-2': 'x' },
  RS256: { 1: 3, 3: -257, '-1': 'n', '-2': 'e' },
} as const;

describe('keys from a random seed', () => {
  test.each(nonEmpty(algorithms))('seeded-key: the public key of %s verifies signatures of its private key', (name) => {
    const jwk = seededKey('a device', name);
    const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
    const digest = name === 'EdDSA' ? null : 'sha256';
    const signature = sign(digest, Buffer.from('content'), key);
    const publicKey = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    expect(verify(digest, Buffer.from('content'), publicKey, signature)).toBe(true);
    expect(verify(digest, Buffer.from('other'), publicKey, signature)).toBe(false);
    expect(getAlgorithm(jwk)).toBe(name);
  });

  test.each(nonEmpty(algorithms))(
    'seeded-key: %s is the same for the same random seed and differs for another',
    (name) => {
      expect(seededCredential('one', name)).toEqual(seededCredential('one', name));
      expect(seededCredential('two', name).id).not.toBe(seededCredential('one', name).id);
      expect(seededCredential('two', name).publicKey).not.toBe(seededCredential('one', name).publicKey);
    },
  );

  test('seeded-key: the credential of a random seed is the same on every machine and in every version', () => {
    const { id, privateKey } = seededCredential('nudgelab');
    expect({ id, d: privateKey.d }).toMatchInlineSnapshot(`
      {
        "d": "_02eUXJnSvj-ly-oyuUkMAMlYjYdFCa_-xstArJ1mpY",
        "id": "uNO6bbsrEjGmFw89Dafs-bI4Y6nPsT1brFqi--FpIhY",
      }
    `);
  });

  test.each(nonEmpty(algorithms))(
    'seeded-key: the COSE key of %s has the members of the standard in canonical form',
    (name) => {
      const jwk = seededKey('a device', name);
      const members = decode(toCoseKey(jwk), { useMaps: true, strict: true }) as Map<number, unknown>;
      const expected = Object.entries(coseMembers[name]).map(([member, value]) => [
        Number(member),
        typeof value === 'string' ? new Uint8Array(Buffer.from(Reflect.get(jwk, value), 'base64url')) : value,
      ]);
      expect([...members].sort()).toEqual(expected.sort());
    },
  );

  test('seeded-key: an RSA key has 2,048 bits and the usual exponent', () => {
    const key = createPublicKey({ key: { ...seededKey('a device', 'RS256') }, format: 'jwk' });
    expect(key.asymmetricKeyDetails).toEqual({ modulusLength: 2048, publicExponent: 65_537n });
  });

  test('seeded-key: bytes depend only on the random seed and the purpose', () => {
    expect(seededBytes('a', 'b', 16)).toEqual(seededBytes('a', 'b', 16));
    expect(seededBytes('a', 'c', 16)).not.toEqual(seededBytes('a', 'b', 16));
    expect(seededBytes('ab', '', 16)).not.toEqual(seededBytes('', 'ab', 16));
    expect(seededBytes('a', 'b', 40).byteLength).toBe(40);
  });
});
