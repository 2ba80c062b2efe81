/** Separator between sandbox id and user id in a handle. Sandbox ids never contain it. */
const separator = '\n';

/** Creates the user handle of a discoverable passkey from sandbox and user. Returns base64url. */
export function createUserHandle(sandboxId: string, userId: string): string {
  return Buffer.from(`${sandboxId}${separator}${userId}`).toString('base64url');
}

/**
 * Returns the user id in a handle. `null` if the passkey belongs to another sandbox or was not created by this server.
 */
export function userOfHandle(sandboxId: string, handle: string | undefined): string | null {
  const text = Buffer.from(handle ?? '', 'base64url').toString();
  const at = text.indexOf(separator);
  return at !== -1 && text.slice(0, at) === sandboxId ? text.slice(at + 1) : null;
}
