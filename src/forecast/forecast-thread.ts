import { parentPort } from 'node:worker_threads';
import { type SharedWork, workThrough } from './partition-work.ts';

/** Thread of a pool. It processes all available partitions and reports when none is left. */
parentPort?.on('message', (work: SharedWork) => {
  workThrough(work);
  parentPort?.postMessage('done');
});
