/** How a client proves itself at the token endpoint and its like, as OpenID Connect names it. */
export const clientAuthMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
] as const;
export type ClientAuthMethod = (typeof clientAuthMethods)[number];

/** Algorithms of a client's own assertions (RFC 7523): of its secret the first one, of its keys the others. */
export const assertionAlgorithms = ['HS256', 'RS256', 'PS256', 'ES256'] as const;

/** Bytes that a secret needs to sign by HS256 (RFC 7518, 3.2). */
export const signingSecretBytesMin = 32;

const publicMethods: readonly ClientAuthMethod[] = ['none'];
const secretMethods: readonly ClientAuthMethod[] = ['client_secret_basic', 'client_secret_post'];

/** Methods of a client that registers itself. */
export const registrationAuthMethods: readonly ClientAuthMethod[] = ['none', ...secretMethods, 'private_key_jwt'];

/** The part of a client that says how it proves itself. */
export interface ProvingClient {
  readonly kind: 'web' | 'public' | 'service';
  readonly authMethods?: readonly ClientAuthMethod[] | undefined;
}

/** The methods by which a client may prove itself: those that its fixture names, or those of its kind. */
export function listAuthMethods({ kind, authMethods }: ProvingClient): readonly ClientAuthMethod[] {
  return authMethods ?? (kind === 'public' ? publicMethods : secretMethods);
}
