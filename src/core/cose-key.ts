/** Signature algorithms of passkeys: COSE numbers by JOSE name. */
export const coseAlgorithms = { ES256: -7, EdDSA: -8, RS256: -257 } as const;
export type KeyAlgorithm = keyof typeof coseAlgorithms;

/** Public key as a JSON Web Key. */
export type PublicJwk =
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string };

/**
 * Encodes a public key as a COSE key (RFC 9053), the format of WebAuthn. The numbers of the JSON Web Key must have
 * their full length, and private members are ignored. Each of the three key types is a short map with fixed keys in
 * canonical order, so its CBOR is written directly.
 */
export function toCoseKey(jwk: PublicJwk): Uint8Array<ArrayBuffer> {
  switch (jwk.kty) {
    case 'EC':
      return joined(from('a5010203262001'), from('21'), bytes(jwk.x), from('22'), bytes(jwk.y));
    case 'OKP':
      return joined(from('a4010103272006'), from('21'), bytes(jwk.x));
    case 'RSA':
      return joined(from('a401030339010020'), bytes(jwk.n), from('21'), bytes(jwk.e));
  }
}

/** Returns the algorithm of a key, which follows from its type and curve. */
export function getAlgorithm(jwk: PublicJwk): KeyAlgorithm {
  return jwk.kty === 'EC' ? 'ES256' : jwk.kty === 'OKP' ? 'EdDSA' : 'RS256';
}

/** Encodes base64url text as a CBOR byte string. */
function bytes(text: string): Uint8Array {
  const content = Buffer.from(text, 'base64url');
  const length = content.byteLength;
  const head = length < 24 ? [0x40 + length] : length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

function from(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}
