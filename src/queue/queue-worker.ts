import type { Job } from 'bullmq';
import { NudgeLabError } from '../core/errors.ts';
import { inSpan } from '../core/telemetry.ts';
import { programText } from './program-text.ts';
import { connectToQueue, queueModules } from './queue-connection.ts';
import { type JobKind, PermanentJobError, queueName, queuePrefix, type SentJob } from './queue-job.ts';
import { endsWithin } from './waiter.ts';

/**
 * Time in milliseconds without a sign of life after which a job moves to another worker, and interval of checks for
 * such jobs.
 */
const lockMs = 10_000;
const stalledEveryMs = 3_000;

/** Interval in milliseconds in which a closing worker checks whether Redis is still available. */
const lookEveryMs = 1_000;

/** Maximum number of lost workers before a job fails. */
const stalledMax = 10;

/** Worker of the job queue. */
export interface QueueWorker {
  /** Finishes the running jobs and closes the worker. */
  close(): Promise<void>;
}

/** Callbacks for the process that runs the worker. */
export interface WorkerEvents {
  /** Called after each job with its counts. */
  readonly onDone: (counts: Readonly<Record<string, number>>) => void;
  readonly onTrouble: (message: string) => void;
}

/**
 * Starts a worker that runs jobs from the queue until it is closed. `kinds` lists the supported job types. Throws
 * `queue-missing`, `usage-invalid` and `queue-unreachable`; a later loss of Redis only pauses the worker.
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
        const kind = getKind(job, kinds);
        const { payload, traceparent } = job.data;
        const result = await inSpan(`job ${kind.name}`, { kind: 'consumer', parent: traceparent }, () =>
          kind.work(payload, (share) => job.updateProgress(share)),
        );
        onDone(kind.counts(payload));
        return result;
      } catch (error) {
        throw isPermanentJobError(error) ? new modules.bullmq.UnrecoverableError(formatMessage(error)) : error;
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
      // Without Redis, results cannot be reported, so running jobs are left to other workers.
      const closing = worker.close(connection.status !== 'ready');
      while (!(await endsWithin(closing, lookEveryMs)) && connection.status === 'ready');
      await endsWithin(worker.disconnect(), lookEveryMs);
      connection.disconnect();
    },
  };
}

/** Returns the type of a job. Throws `PermanentJobError` for a job of another version. */
function getKind({ name, data }: Job<SentJob, unknown>, kinds: readonly JobKind[]): JobKind {
  const kind = kinds.find((known) => known.name === name);
  if (kind === undefined) {
    throw new PermanentJobError(
      `the worker does not support jobs of kind ${JSON.stringify(name)}: it has another version`,
    );
  }
  if (data.program !== null && data.program !== programText()) {
    throw new PermanentJobError('the worker runs different program code: it has another version');
  }
  return kind;
}

/** Returns `true` for an error that the caller must fix, because a retry would not help. */
function isPermanentJobError(error: unknown): error is Error {
  return error instanceof PermanentJobError || error instanceof NudgeLabError;
}

function formatMessage(error: Error): string {
  return error instanceof NudgeLabError ? `${error.code}: ${error.message}` : error.message;
}
