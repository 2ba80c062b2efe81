import { z } from 'zod';

/** How a passkey reaches the browser, as WebAuthn names it. */
export const passkeyTransports = ['internal', 'hybrid', 'usb', 'nfc', 'ble', 'smart-card'] as const;
export type PasskeyTransport = (typeof passkeyTransports)[number];

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/, 'base64url without padding');

/** As long as the standard lets a credential id be: 1,023 bytes in base64url. */
const credentialIdCharactersMax = 1364;

/** The longest public key that is kept, in characters of base64url: an RSA key of 4,096 bits with room. */
const publicKeyCharactersMax = 2048;

/** How long the name that a user gives a passkey may be. */
export const passkeyNameCharactersMax = 64;

/** What is kept of a passkey to verify its assertions; all of it is public. */
export const credentialSchema = z.strictObject({
  id: base64url.max(credentialIdCharactersMax),
  /** COSE key. */
  publicKey: base64url.max(publicKeyCharactersMax),
  /** The signature counter last seen; 0 where the authenticator keeps none. */
  counter: z.int().min(0),
  aaguid: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'an AAGUID in lower case'),
  transports: z.array(z.enum(passkeyTransports)),
  backupEligible: z.boolean(),
  backedUp: z.boolean(),
  name: z.string().min(1).max(passkeyNameCharactersMax),
  /** Virtual time in ms. */
  createdAtMs: z.int().min(0),
  /** Whether the kind is that of a known AAGUID, or was derived from transports and flags (A51). */
  kindConfidence: z.enum(['known', 'derived']),
  /** The text that a test key is made from: the test authenticator's passkeys can be used without it. */
  seededBy: z.string().max(1024).optional(),
});
export type PasskeyCredential = z.infer<typeof credentialSchema>;

/** The use of a passkey: which one, and the counter it told. */
export interface CredentialUse {
  readonly credentialId: string;
  readonly counter: number;
}
