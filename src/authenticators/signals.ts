import type { SignalsJson } from './webauthn-json.ts';

/** What decides whom a passkey belongs to. */
interface OwnedPasskey {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
}

/** Whether a passkey is kept after what a page has signalled (WebAuthn level 3, 5.1.10). */
export function isKept(
  { id, rpId, userHandle }: OwnedPasskey,
  { unknownCredential, allAcceptedCredentials: accepted }: SignalsJson,
): boolean {
  if (unknownCredential?.rpId === rpId && unknownCredential.credentialId === id) return false;
  const isMeant = accepted?.rpId === rpId && accepted.userId === userHandle;
  return !isMeant || accepted.allAcceptedCredentialIds.includes(id);
}
