import type { CryptoKey, JWK, JWTPayload } from 'jose';
import type { Recorder } from './recorder.ts';

/** Algorithms that the tokens of a sandbox can be signed by, the usual one first. */
export const signingAlgorithms = ['ES256', 'RS256'] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** A key of a sandbox, ready to sign and to verify with. */
export interface SigningKey {
  readonly algorithm: SigningAlgorithm;
  /** Its thumbprint (RFC 7638), which tokens name. */
  readonly id: string;
  readonly privateJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** Signs claims (RFC 7519). Takes the type that the header tells, and all claims; returns the token. */
  readonly sign: (type: string, claims: JWTPayload) => Promise<string>;
}

/** Under which names keys stand beside the journal. */
const signingKeyNames: Readonly<Record<SigningAlgorithm, string>> = {
  ES256: 'token-signing-key',
  RS256: 'token-signing-key-rs256',
};

/**
 * The signing keys of one sandbox: made at first use, which is also when the library is loaded, because most runs see no token;
 * kept in the store beside the journal, the same after a restart.
 */
export class SigningKeys {
  readonly #recorder: Recorder;
  readonly #keys = new Map<SigningAlgorithm, Promise<SigningKey>>();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** The key of an algorithm; one that is not there yet is made, and kept before it is used. Throws `store-failed`. */
  key(algorithm: SigningAlgorithm): Promise<SigningKey> {
    let key = this.#keys.get(algorithm);
    if (key === undefined) {
      key = this.#load(algorithm);
      this.#keys.set(algorithm, key);
      // A failure is told to anyone who asked; the next one asks again.
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
    sign: (typ, claims) =>
      // The claims are written as they are: what makes a JWT of them copies them first, for each token.
      new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: algorithm, typ, kid: id })
        .sign(privateKey),
  };
}
