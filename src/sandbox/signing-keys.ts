import type { CryptoKey, JWK, JWTPayload } from 'jose';
import type { Recorder } from './recorder.ts';

/** Algorithms for signing the tokens of a sandbox, the default first. */
export const signingAlgorithms = ['ES256', 'RS256'] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** Key of a sandbox for signing and verification. */
export interface SigningKey {
  readonly algorithm: SigningAlgorithm;
  /** Thumbprint of the key (RFC 7638), which tokens name. */
  readonly id: string;
  readonly privateJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /**
   * Signs claims (RFC 7519) and returns the token. `type` is the type in the token header, and `further` are further
   * members of the header.
   */
  readonly sign: (type: string, claims: JWTPayload, further?: Readonly<Record<string, string>>) => Promise<string>;
}

/** Names of the keys in the journal store. */
const signingKeyNames: Readonly<Record<SigningAlgorithm, string>> = {
  ES256: 'token-signing-key',
  RS256: 'token-signing-key-rs256',
};

/**
 * Signing keys of one sandbox. A key is created at first use, and the library is loaded then, because most runs
 * never use tokens. Keys are stored with the journal and stay the same after a restart.
 */
export class SigningKeys {
  readonly #recorder: Recorder;
  readonly #keys = new Map<SigningAlgorithm, Promise<SigningKey>>();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /**
   * Returns the key of an algorithm. A missing key is created and stored before it is used. Throws `store-failed`.
   */
  key(algorithm: SigningAlgorithm): Promise<SigningKey> {
    let key = this.#keys.get(algorithm);
    if (key === undefined) {
      key = this.#load(algorithm);
      this.#keys.set(algorithm, key);
      // Every waiting caller receives the failure. The next call tries again.
      key.catch(() => this.#keys.delete(algorithm));
    }
    return key;
  }

  async #load(algorithm: SigningAlgorithm): Promise<SigningKey> {
    const { store, sandboxId } = this.#recorder;
    const kept = await store.kept(sandboxId, signingKeyNames[algorithm]);
    if (kept !== null) return signingKey(algorithm, JSON.parse(kept) as KeptKey);
    const { exportJWK, generateKeyPair } = await import('jose');
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    const key = { privateJwk: await exportJWK(privateKey), publicJwk: await exportJWK(publicKey) };
    await store.keep(sandboxId, signingKeyNames[algorithm], JSON.stringify(key));
    return signingKey(algorithm, key);
  }
}

interface KeptKey {
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

async function signingKey(algorithm: SigningAlgorithm, { privateJwk, publicJwk }: KeptKey): Promise<SigningKey> {
  const { CompactSign, calculateJwkThumbprint, importJWK } = await import('jose');
  const id = await calculateJwkThumbprint(publicJwk);
  const privateKey = (await importJWK(privateJwk, algorithm)) as CryptoKey;
  return {
    algorithm,
    id,
    privateJwk: { ...privateJwk, kid: id, alg: algorithm, use: 'sig' },
    privateKey,
    publicKey: (await importJWK(publicJwk, algorithm)) as CryptoKey,
    sign: (typ, claims, further = {}) =>
      // The claims are signed directly, because the JWT class would copy them for each token.
      new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: algorithm, typ, kid: id, ...further })
        .sign(privateKey),
  };
}
