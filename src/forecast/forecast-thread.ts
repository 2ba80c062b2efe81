import { parentPort } from 'node:worker_threads';
import { type SharedWork, workThrough } from './partition-work.ts';

/** A thread of a pool: works through what it is given and says when nothing is left. */
parentPort?.on('message', (work: SharedWork) => {
  workThrough(work);
  parentPort?.postMessage('done');
});
