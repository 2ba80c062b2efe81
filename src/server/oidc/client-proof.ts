import Provider from 'oidc-provider';
import { type ClientAuthMethod, listAuthMethods, type ProvingClient } from '../../contract/client-auth-methods.ts';

/** Authentication methods that the provider treats as equal, such as a secret in the header or in the body. */
const alike: Readonly<Record<ClientAuthMethod, readonly ClientAuthMethod[]>> = {
  none: ['none'],
  client_secret_basic: ['client_secret_basic', 'client_secret_post'],
  client_secret_post: ['client_secret_basic', 'client_secret_post'],
  client_secret_jwt: ['client_secret_jwt', 'private_key_jwt'],
  private_key_jwt: ['client_secret_jwt', 'private_key_jwt'],
};

/**
 * Returns the authentication method of a fixture client for the provider, which supports one per client. If the client
 * has several, this is the method of the current request if it is allowed, otherwise one that does not match the
 * request, so the provider rejects it.
 */
export function authMethodFor(client: ProvingClient): ClientAuthMethod {
  const methods = listAuthMethods(client);
  const [usual = 'none'] = methods;
  const sent = sentMethod();
  if (sent === null) return methods.includes('none') ? 'none' : usual;
  if (methods.includes(sent)) return sent;
  return methods.find((method) => !alike[sent].includes(method)) ?? 'none';
}

/** Returns the client authentication method of the current request. `null` if there is none. */
function sentMethod(): ClientAuthMethod | null {
  const { headers, oidc } = Provider.ctx ?? {};
  const { client_secret: secret, client_assertion: assertion } = oidc?.body ?? {};
  if (typeof assertion === 'string') return isByKey(assertion) ? 'private_key_jwt' : 'client_secret_jwt';
  if (typeof secret === 'string' && secret !== '') return 'client_secret_post';
  return headers?.authorization?.toLowerCase().startsWith('basic ') === true ? 'client_secret_basic' : null;
}

/** Returns `true` if an assertion names an asymmetric algorithm. */
function isByKey(assertion: string): boolean {
  try {
    const [head = ''] = assertion.split('.');
    const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString('utf8')) as { readonly alg?: unknown };
    return typeof alg === 'string' && !alg.startsWith('HS');
  } catch {
    return true;
  }
}
