import { createSecretKey, generateKeySync, type KeyObject } from 'node:crypto';
import { computeHmac, type HmacPurpose } from '../../core/hmac.ts';
import { sameSecret } from '../../core/secrets.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';

/** Secrets that a browser must present to see a page of a sign-in or to submit its form. */
export interface SessionProof {
  /** Cookie name, unique for each sign-in, so several can run in one browser at the same time. */
  readonly cookieName: string;
  readonly cookieValue: string;
  /** Anti-forgery token in every form. Other origins can neither read nor guess it. */
  readonly formToken: string;
}

const keyName = 'sign-in-session-key';
const keyBits = 256;

/**
 * Length in bytes of cookie and form token, the two halves of one HMAC. Neither reveals the other, with 128 bits each.
 */
const halfBytes = 16;

/**
 * Maximum number of cached proofs per sandbox. Every page of a sign-in needs its proof, and most sign-ins end in
 * seconds.
 */
const proofsMax = 256;

/** HMAC key of a sandbox, and the cached proofs by the text that they sign. */
interface Seals {
  readonly key: Promise<KeyObject>;
  readonly proofs: Map<string, SessionProof>;
}

/** Keys and proofs by sandbox. All users of a sandbox share its key, even while it is being created. */
const sealsBySandbox = new WeakMap<Sandbox, Seals>();

/** Creates session proofs with the HMAC key of each sandbox. The store keeps the keys across restarts. */
export class Sessions {
  /**
   * Returns the proof of one sign-in. It is valid only for this sign-in in this sandbox and for the interaction that
   * started it, so a finished sign-in cannot be used for another application.
   *
   * @param interactionUid - uid of the interaction, or `null` if the sign-in belongs to no application
   */
  async createProof(
    sandbox: Sandbox,
    signIn: Pick<SignInView, 'id' | 'userId' | 'startedAtMs'>,
    interactionUid: string | null,
  ): Promise<SessionProof> {
    const { key, proofs } = this.#getSeals(sandbox);
    // A restore reuses sign-in ids, so the HMAC also covers time and user.
    const sealed = [sandbox.id, signIn.id, signIn.startedAtMs, signIn.userId, interactionUid];
    const name = JSON.stringify(sealed);
    const known = proofs.get(name);
    if (known !== undefined) return known;
    const seal = Buffer.from(computeHmac(await key, 'sign-in', ...sealed), 'base64url');
    const proof = {
      cookieName: `nudgelab-${sandbox.id}-${signIn.id}`,
      cookieValue: seal.toString('base64url', 0, halfBytes),
      formToken: seal.toString('base64url', halfBytes),
    };
    remember(proofs, name, proof);
    return proof;
  }

  /**
   * Computes an HMAC of the parts in base64url. Only this sandbox can compute it, and it is valid only for this
   * purpose.
   */
  async createSeal(sandbox: Sandbox, purpose: HmacPurpose, ...parts: readonly (string | number)[]): Promise<string> {
    const { key } = this.#getSeals(sandbox);
    return computeHmac(await key, purpose, sandbox.id, ...parts);
  }

  #getSeals(sandbox: Sandbox): Seals {
    const known = sealsBySandbox.get(sandbox);
    if (known !== undefined) return known;
    const seals = { key: keptKey(sandbox), proofs: new Map<string, SessionProof>() };
    sealsBySandbox.set(sandbox, seals);
    return seals;
  }
}

/** Caches a proof and removes the oldest one, which can be computed again with the same result. */
function remember(proofs: Map<string, SessionProof>, sealed: string, proof: SessionProof): void {
  if (proofs.size >= proofsMax) {
    for (const oldest of proofs.keys()) {
      proofs.delete(oldest);
      break;
    }
  }
  proofs.set(sealed, proof);
}

async function keptKey({ id, recorder: { store } }: Sandbox): Promise<KeyObject> {
  const kept = await store.kept(id, keyName);
  if (kept !== null) return createSecretKey(kept, 'base64url');
  const key = generateKeySync('hmac', { length: keyBits });
  await store.keep(id, keyName, key.export().toString('base64url'));
  return key;
}

/** Returns `true` if a `Cookie` header contains the cookie of a sign-in. */
export function holdsCookie(header: string | undefined, { cookieName, cookieValue }: SessionProof): boolean {
  return cookiesNamed(header, cookieName).some((value) => sameSecret(value, cookieValue));
}

/**
 * Returns the values of all cookies with a name in a `Cookie` header. There can be several, because a cookie of the
 * same host with another path can precede the correct one.
 */
export function cookiesNamed(header: string | undefined, name: string): readonly string[] {
  const begin = `${name}=`;
  const parts = header?.split(';').map((part) => part.trim()) ?? [];
  return parts.filter((part) => part.startsWith(begin)).map((part) => part.slice(begin.length));
}

/** Returns `true` if a form contains the anti-forgery token of a sign-in. */
export function holdsToken(form: URLSearchParams, { formToken }: Pick<SessionProof, 'formToken'>): boolean {
  return sameSecret(form.get('formToken') ?? '', formToken);
}

/** Creates the `Set-Cookie` header of a sign-in for the path of its URL, without Domain and not readable by scripts. */
export function sessionCookie({ cookieName, cookieValue }: SessionProof, path: string): string {
  return `${cookieName}=${cookieValue}; Path=${path}; HttpOnly; SameSite=Lax`;
}
