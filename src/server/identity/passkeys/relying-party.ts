import type { Request } from 'express';
import type { PasskeySettings } from '../../../contract/passkey-settings.schema.ts';

/** Relying party: its id, and the origin whose pages can use its passkeys. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
  /** Other origins whose pages can use the passkeys (WebAuthn level 3, section 5.11). */
  readonly relatedOrigins: readonly string[];
}

/**
 * Returns the relying party of a request, whose id is the requested host name. Browsers accept `localhost` but no IP
 * address. Behind a TLS proxy, the scheme comes from the `Origin` header. Origins with another host name are ignored.
 */
export function getRelyingParty(
  { protocol, headers }: Pick<Request, 'protocol' | 'headers'>,
  settings: PasskeySettings | undefined,
): RelyingParty {
  const { origin = '', host = 'localhost' } = headers;
  const serverUrl = new URL(`${protocol}://${host}`);
  const originUrl = URL.parse(origin);
  const address = originUrl?.hostname === serverUrl.hostname ? originUrl : serverUrl;
  return { id: address.hostname, origin: address.origin, relatedOrigins: settings?.relatedOrigins ?? [] };
}
