import { createRequire } from 'node:module';
import { NudgeLabError } from '../core/errors.ts';

/** Creates the error for a missing package. `face` is the part of this package that requires it. */
export function peerMissing(name: string, face: string, cause: unknown): NudgeLabError {
  return new NudgeLabError('package-missing', {
    message: `${face} requires ${name}, which is not installed. Run: npm install --save-dev ${name}`,
    cause,
  });
}

/**
 * Loads a package that users install themselves, by `require`, because test files compiled to CommonJS cannot load
 * a module with a top-level await. Throws `package-missing`.
 */
export function loadPeer<T>(name: string, face: string): T {
  try {
    return createRequire(import.meta.url)(name) as T;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    throw peerMissing(name, face, cause);
  }
}
