import { generateKeySync, hash, type KeyObject } from 'node:crypto';
import type { JWTPayload, JWTVerifyResult } from 'jose';
import { machineNowMs } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { computeHmac } from '../../core/hmac.ts';
import { LruMap } from '../../core/lru-map.ts';
import { sameSecret } from '../../core/secrets.ts';
import { dpopAlgorithms } from '../../sandbox/token-binding.ts';

/** Largest difference between the time of a proof and the clock, in milliseconds. */
const toleranceMs = 300_000;

/** Maximum number of proofs that a sandbox remembers so none is accepted twice. */
const proofsMax = 10_000;

/** Maximum length of a proof in characters. RSA keys with 4,096 bits need about a third of it. */
const proofCharactersMax = 8_192;

/** Duration for which the server sends the same nonce, in milliseconds. It accepts this one and the two before it. */
const nonceStepMs = 60_000;
const nonceStepsAccepted = 3;

/** Request with an access token that is bound to a key. */
export interface BoundRequest {
  readonly method: string;
  /** Requested URL. The query and the fragment play no part. */
  readonly url: string;
  readonly token: string;
  readonly proof: string;
}

/** Returns `true` for the time of a proof near the virtual or the real time. Clients sign by their own clock. */
export function isProofTime(iat: unknown, nowMs: number): boolean {
  if (typeof iat !== 'number' || iat === 0) return false;
  return [nowMs, machineNowMs()].some((clockMs) => Math.abs(clockMs - iat * 1000) <= toleranceMs);
}

/**
 * Verifies the DPoP proofs of requests to the APIs of one sandbox (RFC 9449, section 4.3). Each proof is accepted once.
 */
export class DpopProofs {
  readonly #nowMs: () => number;
  readonly #accepted = new LruMap<string, true>({ max: proofsMax });
  readonly #nonceKey: KeyObject = generateKeySync('hmac', { length: 256 });

  /** Creates the verifier. `nowMs` returns the virtual time in milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Verifies the proof of a request and returns the thumbprint of its key. Throws `unauthenticated`.
   *
   * @param requiresNonce - whether the proof must contain a nonce of the server
   */
  async verify(request: BoundRequest, requiresNonce: boolean): Promise<string> {
    const { calculateJwkThumbprint } = await import('jose');
    const { payload, protectedHeader } = await readProof(request.proof);
    const problem = this.#findProblem(payload, request);
    if (problem !== null) throw proofRefused('invalid_dpop_proof', problem);
    if (requiresNonce) this.#checkNonce(payload['nonce']);
    const { jwk } = protectedHeader;
    if (jwk === undefined) throw proofRefused('invalid_dpop_proof', 'has no key (jwk)');
    const thumbprint = await calculateJwkThumbprint(jwk);
    const once = hash('sha256', JSON.stringify([thumbprint, payload.jti]));
    if (this.#accepted.get(once) === true) throw proofRefused('invalid_dpop_proof', 'was already used (jti)');
    this.#accepted.set(once, true);
    return thumbprint;
  }

  #findProblem(payload: JWTPayload, { method, url, token }: BoundRequest): string | null {
    const { htm, htu, ath, iat, jti } = payload;
    if (typeof jti !== 'string' || jti === '') return 'has no jti';
    if (!isProofTime(iat, this.#nowMs())) return 'is not from the last five minutes of the real or virtual time (iat)';
    if (htm !== method) return `is for the method ${JSON.stringify(htm)}, not ${method} (htm)`;
    if (!isSameTarget(htu, url)) return `is for another URL than ${withoutQuery(url)} (htu)`;
    return ath === hash('sha256', token, 'base64url') ? null : 'is for another access token (ath)';
  }

  #checkNonce(nonce: unknown): void {
    const step = Math.floor(this.#nowMs() / nonceStepMs);
    const accepted = Array.from({ length: nonceStepsAccepted }, (_, back) => this.#createNonce(step - back));
    if (typeof nonce === 'string' && accepted.some((one) => sameSecret(one, nonce))) return;
    throw proofRefused('use_dpop_nonce', 'needs the nonce of the header DPoP-Nonce', this.#createNonce(step));
  }

  #createNonce(step: number): string {
    return computeHmac(this.#nonceKey, 'dpop-nonce', step);
  }
}

async function readProof(proof: string): Promise<JWTVerifyResult> {
  if (proof.length > proofCharactersMax) throw proofRefused('invalid_dpop_proof', 'is too long');
  const { EmbeddedJWK, jwtVerify } = await import('jose');
  try {
    return await jwtVerify(proof, EmbeddedJWK, { algorithms: [...dpopAlgorithms], typ: 'dpop+jwt' });
  } catch (cause) {
    throw proofRefused('invalid_dpop_proof', 'has no valid signature, type or algorithm', null, cause);
  }
}

function isSameTarget(htu: unknown, url: string): boolean {
  return typeof htu === 'string' && URL.canParse(htu) && withoutQuery(htu) === withoutQuery(url);
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

function proofRefused(
  error: 'invalid_dpop_proof' | 'use_dpop_nonce',
  problem: string,
  nonce: string | null = null,
  cause?: unknown,
): NudgeLabError {
  return new NudgeLabError('unauthenticated', {
    message: `The DPoP proof ${problem}.`,
    headers: {
      'WWW-Authenticate': `DPoP error="${error}", algs="${dpopAlgorithms.join(' ')}"`,
      ...(nonce === null ? {} : { 'DPoP-Nonce': nonce }),
    },
    cause,
  });
}
