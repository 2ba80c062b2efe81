import { z } from 'zod';
import { boundedText } from './bounded-text.ts';

/** Transports between passkey and browser, named as in WebAuthn. */
export const passkeyTransports = ['internal', 'hybrid', 'usb', 'nfc', 'ble', 'smart-card'] as const;
export type PasskeyTransport = (typeof passkeyTransports)[number];

const base64url = (max: number) =>
  boundedText({ max, pattern: /^[A-Za-z0-9_-]+$/, allowed: 'must be base64url without padding' });

/** Maximum length of a credential id in characters: the 1,023 bytes that WebAuthn allows, in base64url. */
const credentialIdCharactersMax = 1364;

/** Maximum length of a stored public key in base64url characters, enough for a 4,096-bit RSA key. */
const publicKeyCharactersMax = 2048;

/** Maximum length of a passkey name in characters. */
export const passkeyNameCharactersMax = 64;

/** Stored public data of a passkey, needed to verify its assertions. */
export const credentialSchema = z.strictObject({
  id: base64url(credentialIdCharactersMax),
  /** COSE public key. */
  publicKey: base64url(publicKeyCharactersMax),
  /** Last received signature counter. 0 if the authenticator has no counter. */
  counter: z.int().min(0),
  aaguid: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be an AAGUID in lower case'),
  transports: z.array(z.enum(passkeyTransports)),
  backupEligible: z.boolean(),
  backedUp: z.boolean(),
  name: z.string().min(1).max(passkeyNameCharactersMax),
  /** Creation time on the virtual clock in milliseconds. */
  createdAtMs: z.int().min(0),
  /** `true` if the authenticator can find the passkey without its id, as the browser reported in `credProps`. */
  discoverable: z.boolean().optional(),
  /** `true` if the passkey supports the pseudo-random function (`prf`), as the browser reported. */
  prf: z.boolean().optional(),
  /** Basis of the passkey type: `known` from a listed AAGUID, or `derived` from transports and flags (A51). */
  kindConfidence: z.enum(['known', 'derived']),
  /** Text from which a test key is derived, so the passkey works without the software authenticator that created it. */
  seededBy: z.string().max(1024).optional(),
});
export type PasskeyCredential = z.infer<typeof credentialSchema>;

/** Use of a passkey: credential id, reported signature counter, and current backup state. */
export interface CredentialUse {
  readonly credentialId: string;
  readonly counter: number;
  readonly backedUp?: boolean;
}
