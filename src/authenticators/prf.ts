import { createHmac } from 'node:crypto';
import { type PrivateJwk, seededBytes } from '../core/seeded-key.ts';
import { sha256 } from './relying-party.ts';
import type { PrfInputJson, PrfValuesJson } from './webauthn-json.ts';

/** Browsers hash this in front of what a page gives, so that no page reaches secrets of other uses (WebAuthn level 3, 10.1.4). */
const context = 'WebAuthn PRF\0';

/** What the pseudo-random function of a passkey gives; nothing where no input is given. Takes the key of the passkey. */
export function prfResults(privateKey: PrivateJwk, input: PrfInputJson): { readonly results?: PrfValuesJson } {
  if (input.eval === undefined) return {};
  const { first, second } = input.eval;
  const secret = seededBytes(JSON.stringify(privateKey), 'prf', 32);
  const outputOf = (given: string): string => {
    const salt = sha256(Buffer.concat([Buffer.from(context), Buffer.from(given, 'base64url')]));
    return createHmac('sha256', secret).update(salt).digest('base64url');
  };
  return { results: { first: outputOf(first), ...(second === undefined ? {} : { second: outputOf(second) }) } };
}
