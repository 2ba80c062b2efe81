import { generateKeySync } from 'node:crypto';
import type { Client, Configuration, KoaContextWithOIDC, default as Provider } from 'oidc-provider';
import { machineNow, withClock } from '../../core/sandbox-date.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { isProofTime } from '../policy-api/dpop-proofs.ts';
import { fixtureClient } from './clients.ts';

/** Name of the request header with the proof. */
const proofHeader = 'dpop';

/** Returns `true` if a client of a sandbox may bind its tokens to a key (CL42). */
export function usesDpop(sandbox: Sandbox): boolean {
  return sandbox.recorder.state().clients.some(({ dpop = 'off' }) => dpop !== 'off');
}

/** Returns `true` if proofs need a nonce of the server. */
export function requiresDpopNonce(sandbox: Sandbox): boolean {
  return sandbox.recorder.state().settings.identity?.dpopNonce === true;
}

/** Creates the configuration of the provider's DPoP support. With a secret, it also sends nonces that it does not need. */
export function createDpopFeature(sandbox: Sandbox): NonNullable<NonNullable<Configuration['features']>['dPoP']> {
  return {
    enabled: usesDpop(sandbox),
    nonceSecret: requiresDpopNonce(sandbox) ? generateKeySync('hmac', { length: 256 }).export() : undefined,
    requireNonce: () => requiresDpopNonce(sandbox),
  };
}

/**
 * Completes the DPoP support of the provider in three ways:
 * - Clients without DPoP get bearer tokens, even if they send a proof.
 * - A proof can have the real time as well as the virtual time, because clients sign by their own clock.
 * - A proof names the requested URL. A tenant has several, and the provider knows one of them.
 */
export function completeDpop(provider: Provider, sandbox: Sandbox): void {
  provider.use(async (ctx, next) => {
    const proof = ctx.get(proofHeader);
    if (proof === '') return next();
    const time = new ProofTime(sandbox, proof);
    const { get } = ctx;
    ctx.get = ((name: string) => {
      if (name.toLowerCase() !== proofHeader) return get.call(ctx, name);
      const { oidc } = ctx as { readonly oidc?: KoaContextWithOIDC['oidc'] };
      if (oidc?.client !== undefined && !mayUseDpop(sandbox, oidc.client)) return '';
      if (oidc !== undefined) time.begin(oidc, (ctx.req as { readonly originalUrl?: string }).originalUrl ?? '');
      return proof;
    }) as typeof get;
    await withClock(() => time.nowMs(), next);
  });
}

/**
 * Clock of a request with a proof. While the provider checks the time of the proof, it shows the real time if the proof
 * has that. The check starts when the header is read, and the next step compares the URL of the endpoint.
 */
class ProofTime {
  readonly #sandbox: Sandbox;
  readonly #isReal: boolean;
  #state: 'before' | 'checking' | 'after' = 'before';

  constructor(sandbox: Sandbox, proof: string) {
    this.#sandbox = sandbox;
    const nowMs = sandbox.clock.nowMs();
    const iat = readTime(proof);
    this.#isReal =
      isProofTime(iat, nowMs) && Math.abs(Number(iat) * 1000 - nowMs) > Math.abs(Number(iat) * 1000 - machineNow());
  }

  begin(oidc: KoaContextWithOIDC['oidc'], requested: string): void {
    if (this.#state !== 'before') return;
    this.#state = 'checking';
    const { urlFor } = oidc;
    oidc.urlFor = (name, options) => {
      // The nonce of the proof is compared in the same step, by the clock of the nonce that the response would have.
      queueMicrotask(() => {
        this.#state = 'after';
      });
      oidc.urlFor = urlFor;
      const url = new URL(urlFor.call(oidc, name, options));
      [url.pathname = ''] = requested.split('?');
      return url.href;
    };
  }

  nowMs(): number {
    return this.#state === 'checking' && this.#isReal ? machineNow() : this.#sandbox.clock.nowMs();
  }
}

/** Reads the time of a proof before its signature is verified. */
function readTime(proof: string): unknown {
  try {
    const [, payload = ''] = proof.split('.');
    return (JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { readonly iat?: unknown }).iat;
  } catch {
    return undefined;
  }
}

function mayUseDpop(sandbox: Sandbox, client: Client): boolean {
  const known = fixtureClient(sandbox, client.clientId);
  return known === null ? client.dpopBoundAccessTokens === true : (known.dpop ?? 'off') !== 'off';
}

/** Error and description for a required proof that is missing. The provider reports an invalid grant. */
export function describeMissingProof(ctx: KoaContextWithOIDC): void {
  const { client } = ctx.oidc;
  if (ctx.status !== 400 || client?.dpopBoundAccessTokens !== true || ctx.get(proofHeader) !== '') return;
  if ((ctx.body as { readonly error?: unknown }).error !== 'invalid_grant') return;
  ctx.body = {
    error: 'invalid_dpop_proof',
    error_description: `The client ${client.clientId} requires DPoP: send a proof in the header DPoP.`,
  };
}
