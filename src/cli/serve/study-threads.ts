import { Worker } from 'node:worker_threads';
import type { StudyOrder, StudyResult } from '../../contract/study.schema.ts';
import { afterDelay, afterPendingInput } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { studyTimeMaxMs } from '../../core/limits.ts';
import type { JournalEntry } from '../../journal/input.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { StudyRun, StudyRunner } from '../../server/study-runner.ts';
import type { FromStudyThread, ToStudyThread } from './study-messages.ts';

/** What is handed to a thread at once, so that requests are answered between: entries of the journal, and users. */
const pageEntries = 250;
const pageUsers = 1_000;

/** Memory that the thread of a study may take, in MiB. */
const memoryMib = 2_048;

/** Makes each study in a thread of its own, so that the server goes on answering, and a study can be ended at any time. */
export class StudyThreads implements StudyRunner {
  readonly #open = new Set<StudyRun>();

  run(order: StudyOrder, sandbox: Sandbox, onProgress: (share: number) => void): StudyRun {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const worker = new Worker(new URL(`./study-thread.${extension}`, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    });
    worker.unref();
    const { promise, resolve, reject } = Promise.withResolvers<StudyResult>();
    worker.on('message', (message: FromStudyThread) => {
      if (message.kind === 'progress') onProgress(message.share);
      else if (message.kind === 'result') resolve(message.result);
      else reject(new NudgeLabError(message.code, { message: message.message, problems: [...message.problems] }));
    });
    worker.once('error', (error) => reject(threadError(error)));
    worker.once('exit', () => reject(new NudgeLabError('internal-error', { message: 'The study was ended.' })));
    const cancelTimeout = afterDelay(studyTimeMaxMs, () =>
      reject(
        new NudgeLabError('study-too-large', { message: `It took longer than ${studyTimeMaxMs / 60_000} minutes.` }),
      ),
    );
    const ended = promise.finally(async () => {
      cancelTimeout();
      this.#open.delete(run);
      await worker.terminate();
    });
    const run: StudyRun = {
      result: ended,
      cancel: () => reject(new NudgeLabError('study-unfinished', { message: 'The study was cancelled.' })),
    };
    this.#open.add(run);
    const tell = (message: ToStudyThread): void => worker.postMessage(message);
    hand(order, sandbox, tell).catch(reject);
    return run;
  }

  /** Ends every study. */
  async close(): Promise<void> {
    const open = [...this.#open];
    for (const run of open) run.cancel();
    await Promise.allSettled(open.map(({ result }) => result));
  }
}

/** Hands a study to its thread, with the journal in pieces where it is to be compared. */
async function hand(order: StudyOrder, sandbox: Sandbox, tell: (message: ToStudyThread) => void): Promise<void> {
  const entries = sandbox.entryCount;
  tell({ kind: 'order', order, sandboxId: sandbox.id, entries });
  for (let after = 0; order.kind === 'comparison' && after < entries; ) {
    const page = await sandbox.journal({ after, limit: Math.min(pageEntries, entries - after) });
    const [first, ...rest] = page;
    if (first === undefined) break;
    if (first.input.type === 'sandbox.created') {
      await handUsers(first.input.users, tell);
      tell({ kind: 'entries', entries: [withoutUsers(first), ...rest] });
    } else tell({ kind: 'entries', entries: page });
    after = page.at(-1)?.seq ?? entries;
    await others();
  }
  tell({ kind: 'end' });
}

async function handUsers(users: readonly unknown[], tell: (message: ToStudyThread) => void): Promise<void> {
  for (let from = 0; from < users.length; from += pageUsers) {
    tell({ kind: 'users', users: users.slice(from, from + pageUsers) });
    await others();
  }
}

function withoutUsers(entry: JournalEntry): JournalEntry {
  return entry.input.type === 'sandbox.created' ? { ...entry, input: { ...entry.input, users: [] } } : entry;
}

/** Resolves once others had their turn. */
function others(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  afterPendingInput(resolve);
  return promise;
}

function threadError(error: Error): NudgeLabError {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new NudgeLabError('study-too-large', { message: `It took more than ${memoryMib} MiB of memory.` });
  }
  return new NudgeLabError('internal-error', { message: error.message, cause: error });
}
