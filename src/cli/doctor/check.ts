import { errorTable, NudgeLabError } from '../../core/errors.ts';

/** One check: what is in order, or what is wrong and what to do about it. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  /** What to do; empty where nothing is wrong. */
  readonly action: string;
}

/** A check that found all in order. Takes its name, and what it found. */
export function passed(name: string, message: string): Check {
  return { name, ok: true, message, action: '' };
}

/** A check that ended in an error. Takes its name, and what was thrown. */
export function failed(name: string, error: unknown): Check {
  if (!(error instanceof NudgeLabError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { name, ok: false, message, action: errorTable['internal-error'].action };
  }
  return { name, ok: false, message: `${error.code}: ${error.message}`, action: error.action };
}
