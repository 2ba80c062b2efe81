/** Between sandbox and user in a handle; no sandbox has it in its id. */
const separator = '\n';

/** What a discoverable passkey carries: the user, and the sandbox that knows the user. Returns base64url. */
export function createUserHandle(sandboxId: string, userId: string): string {
  return Buffer.from(`${sandboxId}${separator}${userId}`).toString('base64url');
}

/** The user of a handle; `null` for a passkey that belongs to another sandbox, or that is none of ours. */
export function userOfHandle(sandboxId: string, handle: string | undefined): string | null {
  const text = Buffer.from(handle ?? '', 'base64url').toString();
  const at = text.indexOf(separator);
  return at !== -1 && text.slice(0, at) === sandboxId ? text.slice(at + 1) : null;
}
