import { NudgeLabError } from '../../src/core/errors.ts';
import { planSandbox, type SandboxInput } from '../../src/sandbox/sandbox.ts';

/** Returns the problems of the input for a sandbox. */
export function findProblems(input: SandboxInput): readonly { readonly location: string; readonly message: string }[] {
  try {
    planSandbox(input);
  } catch (error) {
    if (error instanceof NudgeLabError) return error.problems;
    throw error;
  }
  return [];
}
