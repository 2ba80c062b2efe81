import { type ErrorCode, NudgeLabError } from '../../core/errors.ts';

/** Error codes for relevant SQLite result codes, by the low byte of the extended code. */
const codesByResult: Readonly<Record<number, ErrorCode>> = {
  5: 'store-locked', // SQLITE_BUSY
  6: 'store-locked', // SQLITE_LOCKED
  8: 'file-unreadable', // SQLITE_READONLY
  11: 'store-corrupt', // SQLITE_CORRUPT
  14: 'file-unreadable', // SQLITE_CANTOPEN
  26: 'store-corrupt', // SQLITE_NOTADB
};

/**
 * Converts a SQLite error to a NudgeLab error.
 * @param otherwise - code for unlisted results
 */
export function storeError(path: string, cause: unknown, otherwise: ErrorCode): NudgeLabError {
  if (cause instanceof NudgeLabError) return cause;
  const code = codesByResult[getResultCode(cause) & 0xff] ?? otherwise;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new NudgeLabError(code, { message: `${path}: ${reason}.`, cause });
}

/** Creates the error for a damaged store from its path and the reason. */
export function corrupt(path: string, reason: string): NudgeLabError {
  return new NudgeLabError('store-corrupt', { message: `${path}: ${reason}.` });
}

function getResultCode(cause: unknown): number {
  const code = typeof cause === 'object' && cause !== null && 'errcode' in cause ? cause.errcode : 0;
  return typeof code === 'number' ? code : 0;
}
