import { createHmac, createSecretKey, generateKeySync, type KeyObject, timingSafeEqual } from 'node:crypto';
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

/** Seals the sign-ins of all sandboxes, each with the key of its own sandbox, which the store keeps over restarts. */
export class Sessions {
  readonly #keys = new WeakMap<Sandbox, Promise<KeyObject>>();

  /** The proof of one sign-in; it holds for this sign-in of this sandbox alone. */
  async proofOf(sandbox: Sandbox, signIn: Pick<SignInView, 'id' | 'userId' | 'startedAtMs'>): Promise<SessionProof> {
    const key = await this.#keyOf(sandbox);
    // A restore begins ids anew, so time and user are sealed with them.
    const sealed = `${sandbox.id}\n${signIn.id}\n${signIn.startedAtMs}\n${signIn.userId}`;
    const seal = createHmac('sha256', key).update(sealed).digest();
    return {
      cookieName: `nudgelab-${sandbox.id}-${signIn.id}`,
      cookieValue: seal.toString('base64url', 0, halfBytes),
      formToken: seal.toString('base64url', halfBytes),
    };
  }

  /** Bytes that only this sandbox can make of a text, base64url: a challenge that holds for one moment of one sign-in. */
  async sealOf(sandbox: Sandbox, text: string): Promise<string> {
    const key = await this.#keyOf(sandbox);
    return createHmac('sha256', key).update(`${sandbox.id}\nseal\n${text}`).digest('base64url');
  }

  #keyOf(sandbox: Sandbox): Promise<KeyObject> {
    const known = this.#keys.get(sandbox);
    if (known !== undefined) return known;
    const key = keptKey(sandbox);
    this.#keys.set(sandbox, key);
    return key;
  }
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
  const pair = header?.split(';').find((part) => part.trimStart().startsWith(`${cookieName}=`));
  return pair !== undefined && sameText(pair.slice(pair.indexOf('=') + 1).trim(), cookieValue);
}

/** Whether a form carries the token of a sign-in. */
export function holdsToken(form: URLSearchParams, { formToken }: Pick<SessionProof, 'formToken'>): boolean {
  return sameText(form.get('formToken') ?? '', formToken);
}

/** The `Set-Cookie` header of a sign-in. Takes the path of its one address; there is no Domain, and no script reads it. */
export function sessionCookie({ cookieName, cookieValue }: SessionProof, path: string): string {
  return `${cookieName}=${cookieValue}; Path=${path}; HttpOnly; SameSite=Lax`;
}

/** Compares in a time that tells nothing of the expected text but its length, which is no secret. */
export function sameText(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
