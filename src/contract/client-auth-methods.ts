/** Client authentication methods at the token endpoint and related endpoints, named as in OpenID Connect. */
export const clientAuthMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
] as const;
export type ClientAuthMethod = (typeof clientAuthMethods)[number];

/** Signature algorithms of client assertions (RFC 7523): the first uses the client secret, the others use its keys. */
export const assertionAlgorithms = ['HS256', 'RS256', 'PS256', 'ES256'] as const;

/** Minimum length in bytes of a secret that signs with HS256 (RFC 7518, section 3.2). */
export const signingSecretBytesMin = 32;

const publicMethods: readonly ClientAuthMethod[] = ['none'];
const secretMethods: readonly ClientAuthMethod[] = ['client_secret_basic', 'client_secret_post'];

/** Authentication methods that are available to clients that register dynamically. */
export const registrationAuthMethods: readonly ClientAuthMethod[] = ['none', ...secretMethods, 'private_key_jwt'];

/** Client properties that determine the authentication methods. */
export interface ProvingClient {
  readonly kind: 'web' | 'public' | 'service';
  readonly authMethods?: readonly ClientAuthMethod[] | undefined;
}

/** Lists the authentication methods of a client: those that its fixture names, or the defaults for its kind. */
export function listAuthMethods({ kind, authMethods }: ProvingClient): readonly ClientAuthMethod[] {
  return authMethods ?? (kind === 'public' ? publicMethods : secretMethods);
}
