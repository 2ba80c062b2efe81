import type { SandboxPlan } from '../../sandbox/sandbox.ts';

/**
 * Plan of the default sandbox that the build computed, because the first validation of a plan takes a twentieth of the server's startup
 * time. `null` in the sources themselves.
 */
export const builtPlan = null as SandboxPlan | null;
