import type { Request } from 'express';
import type { PasskeySettings } from '../../../contract/passkey-settings.schema.ts';

/** The name that passkeys belong to, and the origin whose pages may use them. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
  /** Other origins whose pages may use the passkeys (WebAuthn level 3, 5.11). */
  readonly relatedOrigins: readonly string[];
}

/**
 * Who asks for a passkey: the server by the name that it was asked under. Browsers take `localhost`, and no number. A page behind a
 * proxy that speaks TLS has another scheme than the request, which its `Origin` tells; an origin that is not the server's own says
 * nothing of it. Takes the passkey settings of the tenant.
 */
export function getRelyingParty(
  { protocol, headers }: Pick<Request, 'protocol' | 'headers'>,
  settings: PasskeySettings | undefined,
): RelyingParty {
  const { origin = '', host = 'localhost' } = headers;
  const asked = new URL(`${protocol}://${host}`);
  const told = URL.parse(origin);
  const address = told?.hostname === asked.hostname ? told : asked;
  return { id: address.hostname, origin: address.origin, relatedOrigins: settings?.relatedOrigins ?? [] };
}
