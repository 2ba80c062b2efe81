import type { z } from 'zod';
import type { SandboxUser, sandboxUserSchema } from './sandbox.schema.ts';

const passwordDefault = 'correct horse';
const codeDefault = '123456';

/**
 * Completes the profile of a parsed user: `<id>@example.test`, the id as display name, and the test password and code.
 */
export function completeUser(user: z.output<typeof sandboxUserSchema>): SandboxUser {
  return {
    ...user,
    userPrincipalName: user.userPrincipalName ?? `${user.id}@example.test`,
    displayName: user.displayName ?? user.id,
    password: user.password ?? passwordDefault,
    code: user.code ?? codeDefault,
  };
}
