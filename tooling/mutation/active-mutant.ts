/**
 * A setup file of the mutation run. It hands the active mutant on to worker threads and child processes, which read it from their
 * environment, and keeps a worker that is used again from loading modules with the mutant of the run before.
 */
import { beforeAll, inject } from 'vitest';

/** What the instrumented sources read in a process that StrykerJS did not start. */
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
