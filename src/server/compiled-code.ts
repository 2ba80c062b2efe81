import { flushCompileCache } from 'node:module';
import { afterPendingInput } from '../core/clock.ts';

/**
 * Writes the code that V8 has compiled so far to the compile cache, if the process uses one. Node.js itself does this only
 * when a process ends by itself, and servers of test suites are often killed; the next one would compile everything again.
 */
export function keepCompiledCode(): void {
  afterPendingInput(() => flushCompileCache());
}
