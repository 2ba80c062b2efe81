import type { Request, Response } from 'express';
import { bearerToken } from '../../contract/bearer-token.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { dpopAlgorithms } from '../../sandbox/token-binding.ts';
import type { Caller } from '../../sandbox/token-service.ts';
import { noteCaller, type RequestCaller } from '../request-log.ts';
import { getSandbox } from '../resolve-sandbox.ts';
import { DpopProofs } from './dpop-proofs.ts';

const proofsBySandbox = new WeakMap<Sandbox, DpopProofs>();

const dpop = /^DPoP +([^\s]+) *$/i;

/**
 * Returns the caller of a request to an API: from a bearer token, or from a token that is bound to a key, with the proof
 * of that key (CL42). A bearer token that was already verified needs no asynchronous work. Throws `unauthenticated`.
 */
function authenticate(request: Request, sandbox: Sandbox): Caller | Promise<Caller> {
  const { authorization } = request.headers;
  const bound = authorization === undefined ? undefined : dpop.exec(authorization)?.[1];
  if (bound !== undefined) return authenticateByProof(request, sandbox, bound);
  const token = bearerToken(authorization);
  return sandbox.tokens.remembered(token) ?? sandbox.tokens.verify(token);
}

/**
 * Authenticates a request to the policy API or the directory API, and adds its caller to the request log. Throws
 * `unauthenticated`.
 */
export function authenticateAdministrator(request: Request, response: Response): Caller | Promise<Caller> {
  const sandbox = getSandbox(response);
  const caller = authenticate(request, sandbox);
  const note = (known: Caller): Caller => {
    noteCaller(response, toRequestCaller(known, sandbox));
    return known;
  };
  return caller instanceof Promise ? caller.then(note) : note(caller);
}

/** Returns the caller of a token as the request log names it: a user of the sandbox, and the application. */
function toRequestCaller({ kind, subject, claims }: Caller, sandbox: Sandbox): RequestCaller {
  if (kind === 'app') return { userId: null, client: subject };
  const { client_id: client = claims['azp'] } = claims;
  const isKnown = sandbox.recorder.state().users.has(subject);
  return { userId: isKnown ? subject : null, client: typeof client === 'string' ? client : null };
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
