import { hash } from 'node:crypto';
import { type CompactJWSHeaderParameters, decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose';
import type { TokenFault } from '../../contract/fault.schema.ts';
import type { SigningAlgorithm, SigningKeys } from '../../sandbox/signing-keys.ts';

/** The tokens of one answer of the token endpoint. */
export interface AnsweredTokens {
  readonly access_token?: string;
  readonly id_token?: string;
}

/** How far a time that is wrong lies from the right one, in seconds: more than any client tolerates. */
const wrongBySeconds = 7_200;

/** What is wrong with the claims of a token; the fault of a signature is made after signing. */
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
 * Puts a fault into the tokens of an answer, access token and ID token alike, signed again by the sandbox's own keys, so that
 * the named fault is the only one. A nonce stands in ID tokens alone. Takes the fault and the tokens; returns the tokens.
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
  // Signed by the secret of its client: no one here can sign it again, so that the signature is all that can be wrong.
  if (!isOwn(alg)) return fault === 'bad-signature' ? withBadSignature(token) : token;
  const claims = spoilt[fault](decodeJwt(token));
  const whole = 'at_hash' in claims && beside !== undefined ? { ...claims, at_hash: halfHash(beside) } : claims;
  const { privateKey } = await keys.key(alg);
  const signed = await new SignJWT(whole).setProtectedHeader(header).sign(privateKey);
  return fault === 'bad-signature' ? withBadSignature(signed) : signed;
}

function isOwn(algorithm: string): algorithm is SigningAlgorithm {
  return algorithm === 'ES256' || algorithm === 'RS256';
}

/** The first character of a signature carries six of its bits whatever its length; the last one may carry fewer. */
function withBadSignature(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

/** The left half of a token's hash, as an ID token names the access token that was issued with it. */
function halfHash(token: string): string {
  return hash('sha256', token, 'buffer').subarray(0, 16).toString('base64url');
}
