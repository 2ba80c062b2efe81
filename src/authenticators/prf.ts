import { createHmac } from 'node:crypto';
import { type PrivateJwk, seededBytes } from '../core/seeded-key.ts';
import { sha256 } from './relying-party.ts';
import type { PrfInputJson, PrfValuesJson } from './webauthn-json.ts';

/**
 * Context string that browsers prepend before hashing PRF inputs. It separates page secrets from other uses
 * (WebAuthn Level 3, 10.1.4).
 */
const context = 'WebAuthn PRF\0';

/** Computes the PRF results for a passkey's private key. The result is empty if there is no input. */
export function prfResults(privateKey: PrivateJwk, input: PrfInputJson): { readonly results?: PrfValuesJson } {
  if (input.eval === undefined) return {};
  const { first, second } = input.eval;
  const secret = seededBytes(JSON.stringify(privateKey), 'prf', 32);
  const computeOutput = (given: string): string => {
    const salt = sha256(Buffer.concat([Buffer.from(context), Buffer.from(given, 'base64url')]));
    return createHmac('sha256', secret).update(salt).digest('base64url');
  };
  return {
    results: { first: computeOutput(first), ...(second === undefined ? {} : { second: computeOutput(second) }) },
  };
}
