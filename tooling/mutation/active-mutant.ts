/**
 * Setup file of the mutation run. It passes the active mutant to worker threads and child processes, which read it
 * from their environment. It also prevents a reused worker from loading modules with the previous mutant.
 */
import { beforeAll, inject } from 'vitest';

/** Environment variable that the instrumented sources read in a process that StrykerJS did not start. */
const inherited = '__STRYKER_ACTIVE_MUTANT__';

declare module 'vitest' {
  interface ProvidedContext {
    readonly globalNamespace: string;
    readonly mode: 'dry-run' | 'mutant';
    readonly mutantActivation: 'static' | 'runtime';
    readonly activeMutant: string;
  }
}

const namespace = (globalThis as Record<string, unknown>)[inject('globalNamespace')] as { activeMutant?: string };
const isMutated = inject('mode') === 'mutant';
const isStatic = isMutated && inject('mutantActivation') === 'static';

if (isStatic) process.env[inherited] = inject('activeMutant');
else {
  delete namespace.activeMutant;
  delete process.env[inherited];
}

beforeAll(() => {
  if (isMutated) process.env[inherited] = inject('activeMutant');
});
