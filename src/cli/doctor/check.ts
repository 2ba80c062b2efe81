import { errorTable, NudgeLabError } from '../../core/errors.ts';

/** Result of one check: a confirmation, or the problem and how to fix it. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  /** Suggested action; empty if the check passed. */
  readonly action: string;
}

/** Creates a passed check. */
export function passed(name: string, message: string): Check {
  return { name, ok: true, message, action: '' };
}

/** Creates a failed check from the thrown error. */
export function failed(name: string, error: unknown): Check {
  if (!(error instanceof NudgeLabError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { name, ok: false, message, action: errorTable['internal-error'].action };
  }
  return { name, ok: false, message: `${error.code}: ${error.message}`, action: error.action };
}
