import type { Request } from 'express';

/** The name that passkeys belong to, and the origin whose pages may use them. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * Who asks for a passkey: the server by the name that it was asked under. Browsers take `localhost`, and no number. A page behind a
 * proxy that speaks TLS has another scheme than the request, which its `Origin` tells; an origin that is not the server's own says
 * nothing of it.
 */
export function relyingPartyOf({ protocol, headers }: Pick<Request, 'protocol' | 'headers'>): RelyingParty {
  const { origin = '', host = 'localhost' } = headers;
  const asked = new URL(`${protocol}://${host}`);
  const told = URL.parse(origin);
  const address = told?.hostname === asked.hostname ? told : asked;
  return { id: address.hostname, origin: address.origin };
}
