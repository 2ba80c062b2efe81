import { html } from 'ghtml';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { RelyingParty } from './relying-party.ts';
import { createUserHandle } from './user-handle.ts';

/**
 * Returns the signals for authenticators about a signed-in user: all accepted passkeys and the current names (WebAuthn
 * level 3, section 5.1.10). Authenticators then stop offering removed passkeys and old names.
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

/** Returns the HTML attribute with the signals for the script, or an empty text if there are none. */
export function signalsMark(signals: SignalsJson | null): string {
  return signals === null ? '' : html` data-signals="${JSON.stringify(signals)}"`;
}
