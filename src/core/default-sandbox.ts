/** Id of the sandbox that a server starts with. */
export const defaultSandboxId = 'default';
