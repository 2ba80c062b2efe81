import { html } from 'ghtml';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { RelyingParty } from './relying-party.ts';
import { createUserHandle } from './user-handle.ts';

/**
 * What a page tells authenticators about a user who has signed in: all passkeys that are still accepted, and what the user is
 * called now (WebAuthn level 3, 5.1.10). So passkeys that were removed, and former names, are no longer offered.
 */
export function signalsOfUser(sandbox: Sandbox, userId: string, { id: rpId }: RelyingParty): SignalsJson {
  const { userPrincipalName: name, displayName } = sandbox.directory.user(userId);
  const handle = createUserHandle(sandbox.id, userId);
  const allAcceptedCredentialIds = sandbox.directory.passkeys(userId).map(({ credential: { id } }) => id);
  return {
    allAcceptedCredentials: { rpId, userId: handle, allAcceptedCredentialIds },
    currentUserDetails: { rpId, userId: handle, name, displayName },
  };
}

/** The mark by which a page carries what its script signals; nothing without signals. */
export function signalsMark(signals: SignalsJson | null): string {
  return signals === null ? '' : html` data-signals="${JSON.stringify(signals)}"`;
}
