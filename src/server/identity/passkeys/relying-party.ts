import type { Request } from 'express';

/** The name that passkeys belong to, and the origin whose pages may use them. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** Who asks for a passkey: the server by the name that it was asked under. Browsers take `localhost`, and no number. */
export function relyingPartyOf({ protocol, headers }: Pick<Request, 'protocol' | 'headers'>): RelyingParty {
  const { origin, host = 'localhost' } = headers;
  const address = new URL(origin ?? `${protocol}://${host}`);
  return { id: address.hostname, origin: address.origin };
}
