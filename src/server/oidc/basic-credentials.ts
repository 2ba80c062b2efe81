import type Provider from 'oidc-provider';
import { sameSecret } from '../../core/secrets.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { fixtureClient } from './clients.ts';

const basicForm = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * Accepts the id and the secret of a client in the header `Authorization` without the form encoding of RFC 6749, section
 * 2.3.1, which some libraries leave out. Encoded ones take precedence. An attempt that cannot be decoded counts like any
 * other wrong secret.
 *
 * @see CL40
 */
export function acceptPlainCredentials(provider: Provider, sandbox: Sandbox): void {
  provider.use(async ({ req: { headers } }, next) => {
    const encoded = encodeCredentials(sandbox, headers.authorization ?? '');
    if (encoded !== null) headers.authorization = encoded;
    await next();
  });
}

/** Returns a header with form-encoded credentials. `null` if those in the given header are encoded, or there are none. */
function encodeCredentials(sandbox: Sandbox, authorization: string): string | null {
  const [, base64] = basicForm.exec(authorization) ?? [];
  if (base64 === undefined) return null;
  const text = Buffer.from(base64, 'base64').toString();
  const colonAt = text.indexOf(':');
  if (colonAt === -1) return null;
  const [sentId, sentSecret] = [text.slice(0, colonAt), text.slice(colonAt + 1)];
  const [decodedId, decodedSecret] = [decodeForm(sentId), decodeForm(sentSecret)];
  const isSecret = (id: string, secret: string): boolean => {
    const known = fixtureClient(sandbox, id)?.secret;
    return known !== undefined && sameSecret(secret, known);
  };
  const isDecoded = decodedId !== null && decodedSecret !== null && isSecret(decodedId, decodedSecret);
  const clientId = isSecret(sentId, sentSecret) ? sentId : (decodedId ?? sentId);
  if (isDecoded || (decodedSecret !== null && !isSecret(clientId, sentSecret))) return null;
  const credentials = [clientId, sentSecret].map(encodeURIComponent).join(':');
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** Decodes a form-encoded text. Returns `null` if it is not encoded. */
function decodeForm(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'));
  } catch {
    return null;
  }
}
