import type { Request } from 'express';
import { bearerToken } from '../../contract/bearer-token.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { dpopAlgorithms } from '../../sandbox/token-binding.ts';
import type { Caller } from '../../sandbox/token-service.ts';
import { DpopProofs } from './dpop-proofs.ts';

const proofsBySandbox = new WeakMap<Sandbox, DpopProofs>();

const dpop = /^DPoP +([^\s]+) *$/i;

/**
 * Returns the caller of a request to an API: from a bearer token, or from a token that is bound to a key, with the proof
 * of that key (CL42). A bearer token that was already verified needs no asynchronous work. Throws `unauthenticated`.
 */
export function authenticate(request: Request, sandbox: Sandbox): Caller | Promise<Caller> {
  const { authorization } = request.headers;
  const bound = authorization === undefined ? undefined : dpop.exec(authorization)?.[1];
  if (bound !== undefined) return authenticateByProof(request, sandbox, bound);
  const token = bearerToken(authorization);
  return sandbox.tokens.remembered(token) ?? sandbox.tokens.verify(token);
}

async function authenticateByProof(request: Request, sandbox: Sandbox, token: string): Promise<Caller> {
  const { method, originalUrl, protocol, headers } = request;
  const { dpop: proof } = headers;
  if (typeof proof !== 'string' || proof === '') {
    throw new NudgeLabError('unauthenticated', {
      message: 'The request has a bound token without a proof: send one in the header DPoP.',
      headers: { 'WWW-Authenticate': `DPoP error="invalid_dpop_proof", algs="${dpopAlgorithms.join(' ')}"` },
    });
  }
  const { identity } = sandbox.directory.settings();
  const url = `${protocol}://${headers.host ?? 'localhost'}${originalUrl}`;
  const thumbprint = await getProofs(sandbox).verify({ method, url, token, proof }, identity?.dpopNonce === true);
  return sandbox.tokens.verify(token, thumbprint);
}

function getProofs(sandbox: Sandbox): DpopProofs {
  const known = proofsBySandbox.get(sandbox);
  if (known !== undefined) return known;
  const proofs = new DpopProofs(() => sandbox.clock.nowMs());
  proofsBySandbox.set(sandbox, proofs);
  return proofs;
}
