import Provider from 'oidc-provider';
import { type ClientAuthMethod, listAuthMethods, type ProvingClient } from '../../contract/client-auth-methods.ts';

/** Methods that the provider takes for each other: a secret in the header, and one in the body. */
const alike: Readonly<Record<ClientAuthMethod, readonly ClientAuthMethod[]>> = {
  none: ['none'],
  client_secret_basic: ['client_secret_basic', 'client_secret_post'],
  client_secret_post: ['client_secret_basic', 'client_secret_post'],
  client_secret_jwt: ['client_secret_jwt', 'private_key_jwt'],
  private_key_jwt: ['client_secret_jwt', 'private_key_jwt'],
};

/**
 * The method that the provider is told for a client of a fixture. A client may have several, and the provider knows one for each:
 * it is the one by which the request at hand proves itself, where the client has that; else one that does not fit the request,
 * so that it is refused.
 */
export function authMethodFor(client: ProvingClient): ClientAuthMethod {
  const methods = listAuthMethods(client);
  const [usual = 'none'] = methods;
  const sent = sentMethod();
  if (sent === null) return methods.includes('none') ? 'none' : usual;
  if (methods.includes(sent)) return sent;
  return methods.find((method) => !alike[sent].includes(method)) ?? 'none';
}

/** How the request at hand proves its client; `null` where it does not, or where there is none. */
function sentMethod(): ClientAuthMethod | null {
  const { headers, oidc } = Provider.ctx ?? {};
  const { client_secret: secret, client_assertion: assertion } = oidc?.body ?? {};
  if (typeof assertion === 'string') return isByKey(assertion) ? 'private_key_jwt' : 'client_secret_jwt';
  if (typeof secret === 'string' && secret !== '') return 'client_secret_post';
  return headers?.authorization?.toLowerCase().startsWith('basic ') === true ? 'client_secret_basic' : null;
}

/** Whether an assertion names an algorithm with a key pair. */
function isByKey(assertion: string): boolean {
  try {
    const [head = ''] = assertion.split('.');
    const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString('utf8')) as { readonly alg?: unknown };
    return typeof alg === 'string' && !alg.startsWith('HS');
  } catch {
    return true;
  }
}
