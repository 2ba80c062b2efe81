import { z } from 'zod';
import { boundedText } from './bounded-text.ts';

/** How a passkey reaches the browser, as WebAuthn names it. */
export const passkeyTransports = ['internal', 'hybrid', 'usb', 'nfc', 'ble', 'smart-card'] as const;
export type PasskeyTransport = (typeof passkeyTransports)[number];

const base64url = (max: number) =>
  boundedText({ max, pattern: /^[A-Za-z0-9_-]+$/, allowed: 'base64url without padding' });

/** As long as the standard lets a credential id be: 1,023 bytes in base64url. */
const credentialIdCharactersMax = 1364;

/** The longest public key that is kept, in characters of base64url: an RSA key of 4,096 bits with room. */
const publicKeyCharactersMax = 2048;

/** How long the name that a user gives a passkey may be. */
export const passkeyNameCharactersMax = 64;

/** What is kept of a passkey to verify its assertions; all of it is public. */
export const credentialSchema = z.strictObject({
  id: base64url(credentialIdCharactersMax),
  /** COSE key. */
  publicKey: base64url(publicKeyCharactersMax),
  /** The signature counter last seen; 0 where the authenticator keeps none. */
  counter: z.int().min(0),
  aaguid: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'an AAGUID in lower case'),
  transports: z.array(z.enum(passkeyTransports)),
  backupEligible: z.boolean(),
  backedUp: z.boolean(),
  name: z.string().min(1).max(passkeyNameCharactersMax),
  /** Virtual time in ms. */
  createdAtMs: z.int().min(0),
  /** Whether the authenticator finds it without its id, as the browser said it (`credProps`). */
  discoverable: z.boolean().optional(),
  /** Whether the authenticator evaluates a pseudo-random function with it, as the browser said it (`prf`). */
  prf: z.boolean().optional(),
  /** Whether the kind is that of a known AAGUID, or was derived from transports and flags (A51). */
  kindConfidence: z.enum(['known', 'derived']),
  /** The text that a test key is made from: the test authenticator's passkeys can be used without it. */
  seededBy: z.string().max(1024).optional(),
});
export type PasskeyCredential = z.infer<typeof credentialSchema>;

/** The use of a passkey: which one, the counter it told, and whether it is backed up now. */
export interface CredentialUse {
  readonly credentialId: string;
  readonly counter: number;
  readonly backedUp?: boolean;
}
