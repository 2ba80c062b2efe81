/** Algorithms of passkeys, by the names of JOSE; their numbers are those of COSE. */
export const coseAlgorithms = { ES256: -7, EdDSA: -8, RS256: -257 } as const;
export type KeyAlgorithm = keyof typeof coseAlgorithms;

/** The public half of a key as a JSON web key. */
export type PublicJwk =
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string };

/**
 * Writes a public key as the bytes of a COSE key (RFC 9053), the form that WebAuthn carries. Takes a JSON web key whose numbers
 * have their full length; a private one may be given, its private members are left out. Each of the three shapes is a short
 * map with fixed keys in canonical order, so its CBOR is written directly.
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

/** The algorithm of a key, which its type and curve decide. */
export function getAlgorithm(jwk: PublicJwk): KeyAlgorithm {
  return jwk.kty === 'EC' ? 'ES256' : jwk.kty === 'OKP' ? 'EdDSA' : 'RS256';
}

/** A CBOR byte string of base64url text. */
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
