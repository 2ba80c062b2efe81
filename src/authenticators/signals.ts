import type { SignalsJson } from './webauthn-json.ts';

/** Properties that identify the owner of a passkey. */
interface OwnedPasskey {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
}

/** Checks whether a passkey remains after the signals of a page (WebAuthn Level 3, 5.1.10). */
export function isKept(
  { id, rpId, userHandle }: OwnedPasskey,
  { unknownCredential, allAcceptedCredentials: accepted }: SignalsJson,
): boolean {
  if (unknownCredential?.rpId === rpId && unknownCredential.credentialId === id) return false;
  const isMeant = accepted?.rpId === rpId && accepted.userId === userHandle;
  return !isMeant || accepted.allAcceptedCredentialIds.includes(id);
}
