import { createSecretKey, generateKeySync, type KeyObject } from 'node:crypto';
import { computeHmac, type HmacPurpose } from '../../core/hmac.ts';
import { sameSecret } from '../../core/secrets.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';

/** What a browser has to show before a page of a sign-in is shown or a form of it is taken. */
export interface SessionProof {
  /** One cookie a sign-in, so that several run side by side in one browser. */
  readonly cookieName: string;
  readonly cookieValue: string;
  /** Hidden in every form; another origin can neither read nor guess it. */
  readonly formToken: string;
}

const keyName = 'sign-in-session-key';
const keyBits = 256;

/** Cookie and form token are the two halves of one seal, so that neither tells the other: 128 bits each. */
const halfBytes = 16;

/** Proofs of one sandbox that are remembered; a sign-in asks for its own at every page, and most end within seconds. */
const proofsMax = 256;

/** The key of a sandbox, and the proofs made with it by what they seal. */
interface Seals {
  readonly key: Promise<KeyObject>;
  readonly proofs: Map<string, SessionProof>;
}

/** Keys and proofs by sandbox. Everything that seals for a sandbox shares its key, also while the key is being made. */
const sealsBySandbox = new WeakMap<Sandbox, Seals>();

/** Seals the sign-ins of all sandboxes, each with the key of its own sandbox, which the store keeps over restarts. */
export class Sessions {
  /**
   * The proof of one sign-in; it holds for this sign-in of this sandbox alone, and for the interaction that it was begun for:
   * a sign-in that has finished answers no other application. Takes the uid of the interaction, `null` where no application waits.
   */
  async proofOf(
    sandbox: Sandbox,
    signIn: Pick<SignInView, 'id' | 'userId' | 'startedAtMs'>,
    interactionUid: string | null,
  ): Promise<SessionProof> {
    const { key, proofs } = this.#sealsOf(sandbox);
    // A restore begins ids again, so time and user are sealed with them.
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
   * Computes a seal, base64url, that only this sandbox can make of some parts, and that proves nothing for any other purpose.
   * Takes the sandbox, the purpose and the parts.
   */
  async sealOf(sandbox: Sandbox, purpose: HmacPurpose, ...parts: readonly (string | number)[]): Promise<string> {
    const { key } = this.#sealsOf(sandbox);
    return computeHmac(await key, purpose, sandbox.id, ...parts);
  }

  #sealsOf(sandbox: Sandbox): Seals {
    const known = sealsBySandbox.get(sandbox);
    if (known !== undefined) return known;
    const seals = { key: keptKey(sandbox), proofs: new Map<string, SessionProof>() };
    sealsBySandbox.set(sandbox, seals);
    return seals;
  }
}

/** The oldest one makes room: made again it is the same. */
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

/** Whether the `Cookie` header of a request carries the cookie of a sign-in. */
export function holdsCookie(header: string | undefined, { cookieName, cookieValue }: SessionProof): boolean {
  return cookiesNamed(header, cookieName).some((value) => sameSecret(value, cookieValue));
}

/**
 * Values of the cookies of one name in a `Cookie` header. There may be several: anyone who sets cookies on this host by another path can
 * put one before the right one.
 */
export function cookiesNamed(header: string | undefined, name: string): readonly string[] {
  const begin = `${name}=`;
  const parts = header?.split(';').map((part) => part.trim()) ?? [];
  return parts.filter((part) => part.startsWith(begin)).map((part) => part.slice(begin.length));
}

/** Whether a form carries the token of a sign-in. */
export function holdsToken(form: URLSearchParams, { formToken }: Pick<SessionProof, 'formToken'>): boolean {
  return sameSecret(form.get('formToken') ?? '', formToken);
}

/** The `Set-Cookie` header of a sign-in. Takes the path of its one address; there is no Domain, and no script reads it. */
export function sessionCookie({ cookieName, cookieValue }: SessionProof, path: string): string {
  return `${cookieName}=${cookieValue}; Path=${path}; HttpOnly; SameSite=Lax`;
}
