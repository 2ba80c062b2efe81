import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { ListedPasskey } from '../../src/scenario/drivers/http/authenticators.ts';
import { passkeyView } from '../../src/server/control-api/factor-view.ts';

/** Returns the passkeys of a user with their test keys, as listed by the control API. */
export function listPasskeys(sandbox: Sandbox, userId: string): readonly ListedPasskey[] {
  return sandbox.directory.passkeys(userId).map((passkey) => passkeyView(sandbox.id, userId, passkey) as ListedPasskey);
}
