import type { Sandbox } from '../../src/sandbox/sandbox.ts';

/** Signs a user in, skips the prompt, and returns the id of the sign-in. */
export async function signInAndSkip(sandbox: Sandbox, userId: string): Promise<string> {
  const id = await signInToPrompt(sandbox, userId);
  await sandbox.signIns.skip(id);
  return id;
}

/** Signs a user in up to the prompt and returns the id of the sign-in. */
export async function signInToPrompt({ signIns }: Sandbox, userId: string): Promise<string> {
  const { id } = await signIns.start(userId);
  await signIns.acceptPassword(id);
  await signIns.completeMfa(id);
  return id;
}
