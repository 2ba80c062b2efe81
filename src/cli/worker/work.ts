import { withoutPassword } from '../../forecast/queue/queue-connection.ts';
import { startQueueWorker } from '../../forecast/queue/queue-worker.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import type { WorkerArguments } from './worker-options.ts';

const addressDefault = 'redis://localhost:6379';

/** Takes jobs from the queue until the process is told to end; what is in hand is finished first. */
export async function work(
  { queue, json }: WorkerArguments,
  { stdout, stderr, onStop, pid }: CommandContext,
): Promise<ExitCode> {
  const address = queue ?? addressDefault;
  let jobs = 0;
  let users = 0;
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stopListening = onStop(resolve);
  const worker = await startQueueWorker(address, {
    onDone: (done) => {
      jobs += 1;
      users += done;
    },
    onTrouble: (message) => stderr.write(`${message}\n`),
  });
  const shown = withoutPassword(address);
  stdout.write(
    json ? `${JSON.stringify({ worker: pid, queue: shown })}\n` : `Taking jobs from ${shown}; Ctrl+C ends it.\n`,
  );
  await stopped;
  stopListening();
  await worker.close();
  stdout.write(json ? `${JSON.stringify({ jobs, users })}\n` : `Done: ${jobs} jobs, ${users} users.\n`);
  return 0;
}
