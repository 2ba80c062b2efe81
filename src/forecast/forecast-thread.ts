import { parentPort } from 'node:worker_threads';
import { NotCompiled } from './own/not-compiled.ts';
import { type SharedWork, type ThreadResult, workThrough } from './partition-work.ts';

/** Thread of a pool. It processes all available partitions and reports when none is left. */
parentPort?.on('message', (work: SharedWork) => {
  parentPort?.postMessage(runWork(work));
});

function runWork(work: SharedWork): ThreadResult {
  try {
    workThrough(work);
    return null;
  } catch (error) {
    if (!(error instanceof NotCompiled)) throw error;
    const { code, path, message } = error;
    return { code, path, message };
  }
}
