import { hash } from 'node:crypto';
import { type CompactJWSHeaderParameters, decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose';
import type { TokenFault } from '../../contract/fault.schema.ts';
import { type SigningAlgorithm, signingAlgorithms } from '../../contract/signing-algorithms.ts';
import type { SigningKeys } from '../../sandbox/signing-keys.ts';

/** Tokens in a response of the token endpoint. */
export interface AnsweredTokens {
  readonly access_token?: string;
  readonly id_token?: string;
}

/** Offset of a wrong time in seconds, larger than any client tolerates. */
const wrongBySeconds = 7_200;

/** Functions that apply a fault to the claims of a token. The signature fault is applied after signing. */
const spoilt: Readonly<Record<TokenFault, (claims: JWTPayload) => JWTPayload>> = {
  expired: (claims) => ({
    ...claims,
    iat: (claims.iat ?? 0) - 2 * wrongBySeconds,
    exp: (claims.iat ?? 0) - wrongBySeconds,
  }),
  'not-yet-valid': (claims) => ({
    ...claims,
    iat: (claims.iat ?? 0) + wrongBySeconds,
    nbf: (claims.iat ?? 0) + wrongBySeconds,
    exp: (claims.exp ?? 0) + wrongBySeconds,
  }),
  'wrong-issuer': (claims) => ({ ...claims, iss: `${claims.iss}/another` }),
  'wrong-audience': (claims) => ({ ...claims, aud: 'another-audience' }),
  'bad-signature': (claims) => claims,
  'nonce-mismatch': (claims) => ('nonce' in claims ? { ...claims, nonce: `${claims['nonce']}-another` } : claims),
};

/**
 * Applies a fault to the access token and ID token of a response. Both are signed again with the sandbox's keys, so the
 * named fault is the only one. Only ID tokens contain a nonce.
 *
 * @param fault - the fault
 * @param tokens - the original tokens
 * @returns the tokens with the fault
 */
export async function applyTokenFault<T extends AnsweredTokens>(
  fault: TokenFault,
  tokens: T,
  keys: SigningKeys,
): Promise<T> {
  const access = tokens.access_token === undefined ? undefined : await spoil(fault, tokens.access_token, keys);
  const identity = tokens.id_token === undefined ? undefined : await spoil(fault, tokens.id_token, keys, access);
  return {
    ...tokens,
    ...(access === undefined ? {} : { access_token: access }),
    ...(identity === undefined ? {} : { id_token: identity }),
  };
}

async function spoil(fault: TokenFault, token: string, keys: SigningKeys, beside?: string): Promise<string> {
  const header = decodeProtectedHeader(token) as CompactJWSHeaderParameters;
  const { alg } = header;
  // The client's secret signed this token, so it cannot be signed again and only its signature can be made invalid.
  if (!isOwn(alg)) return fault === 'bad-signature' ? withBadSignature(token) : token;
  const claims = spoilt[fault](decodeJwt(token));
  const whole = 'at_hash' in claims && beside !== undefined ? { ...claims, at_hash: halfHash(beside) } : claims;
  const { privateKey } = await keys.key(alg);
  const signed = await new SignJWT(whole).setProtectedHeader(header).sign(privateKey);
  return fault === 'bad-signature' ? withBadSignature(signed) : signed;
}

function isOwn(algorithm: string): algorithm is SigningAlgorithm {
  return signingAlgorithms.some((own) => own === algorithm);
}

/** Changes the first character of the signature, which always encodes six bits. The last one can encode fewer. */
function withBadSignature(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

/** Returns the left half of a token's hash, with which an ID token identifies its access token. */
function halfHash(token: string): string {
  return hash('sha256', token, 'buffer').subarray(0, 16).toString('base64url');
}
