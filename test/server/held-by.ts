import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { ListedPasskey } from '../../src/scenario/drivers/http/authenticators.ts';
import { passkeyView } from '../../src/server/control-api/factor-view.ts';

/** Returns the passkeys of a user with their test keys, as listed by the control API. */
export function heldBy(sandbox: Sandbox, userId: string): readonly ListedPasskey[] {
  return sandbox.directory.passkeys(userId).map((held) => passkeyView(sandbox.id, userId, held) as ListedPasskey);
}
