import type { Job } from 'bullmq';
import { NudgeLabError } from '../core/errors.ts';
import { programText } from './program-text.ts';
import { connectToQueue, queueModules } from './queue-connection.ts';
import { type JobKind, PermanentJobError, queueName, queuePrefix, type SentJob } from './queue-job.ts';
import { endsWithin } from './waiter.ts';

/** A job whose worker says nothing for so long is given to another; workers look for such jobs this often. */
const lockMs = 10_000;
const stalledEveryMs = 3_000;

/** How often a worker that is told to end looks whether Redis is still there. */
const lookEveryMs = 1_000;

/** How often a job may lose its worker before it is given up. */
const stalledMax = 10;

/** A worker of the queue. */
export interface QueueWorker {
  /** Finishes what is in hand and ends. */
  close(): Promise<void>;
}

/** What a worker tells anyone who runs it. */
export interface WorkerEvents {
  /** A job is done; told with what it counts as. */
  readonly onDone: (counts: Readonly<Record<string, number>>) => void;
  readonly onTrouble: (message: string) => void;
}

/**
 * Takes jobs from the queue and does them, until it is closed. Takes the address of Redis and the kinds of jobs that it can do.
 * Throws `queue-missing`, `usage-invalid` and `queue-unreachable`; a Redis that goes away later is waited for.
 */
export async function startQueueWorker(
  address: string,
  kinds: readonly JobKind[],
  { onDone, onTrouble }: WorkerEvents,
): Promise<QueueWorker> {
  const modules = await queueModules();
  const connection = await connectToQueue(modules, address);
  const worker = new modules.bullmq.Worker<SentJob, unknown>(
    queueName,
    async (job) => {
      try {
        const kind = kindOf(job, kinds);
        const result = await kind.work(job.data.payload, (share) => job.updateProgress(share));
        onDone(kind.counts(job.data.payload));
        return result;
      } catch (error) {
        throw isPermanentJobError(error) ? new modules.bullmq.UnrecoverableError(messageOf(error)) : error;
      }
    },
    {
      connection,
      prefix: queuePrefix,
      lockDuration: lockMs,
      stalledInterval: stalledEveryMs,
      maxStalledCount: stalledMax,
    },
  );
  worker.on('error', ({ message }) => onTrouble(message));
  worker.on('failed', (_, { message }) => onTrouble(message));
  await worker.waitUntilReady();
  return {
    close: async () => {
      // Without Redis no one can be told of a result: what is in hand is then left to another worker.
      const closing = worker.close(connection.status !== 'ready');
      while (!(await endsWithin(closing, lookEveryMs)) && connection.status === 'ready');
      await endsWithin(worker.disconnect(), lookEveryMs);
      connection.disconnect();
    },
  };
}

/** The kind of a job. Throws `PermanentJobError` for one of another version. */
function kindOf({ name, data }: Job<SentJob, unknown>, kinds: readonly JobKind[]): JobKind {
  const kind = kinds.find((known) => known.name === name);
  if (kind === undefined) {
    throw new PermanentJobError(`the worker knows no jobs of kind ${JSON.stringify(name)}: it is of another version`);
  }
  if (data.program !== null && data.program !== programText()) {
    throw new PermanentJobError('the worker runs another text of the program: it is of another version');
  }
  return kind;
}

/** What the caller can mend is not mended by another attempt. */
function isPermanentJobError(error: unknown): error is Error {
  return error instanceof PermanentJobError || error instanceof NudgeLabError;
}

function messageOf(error: Error): string {
  return error instanceof NudgeLabError ? `${error.code}: ${error.message}` : error.message;
}
