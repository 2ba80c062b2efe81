import { createRequire } from 'node:module';
import { NudgeLabError } from '../core/errors.ts';

/** The error for a package that is needed and not there. Takes its name, and which part of this package needs it. */
export function peerMissing(name: string, face: string, cause: unknown): NudgeLabError {
  return new NudgeLabError('package-missing', {
    message: `${face} needs ${name}, which is not installed: npm install --save-dev ${name}`,
    cause,
  });
}

/**
 * Loads a package that users install themselves. By `require`, because a module that awaits at its top cannot be loaded by test
 * files that are compiled to CommonJS. Throws `package-missing`.
 */
export function loadPeer<T>(name: string, face: string): T {
  try {
    return createRequire(import.meta.url)(name) as T;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    throw peerMissing(name, face, cause);
  }
}
