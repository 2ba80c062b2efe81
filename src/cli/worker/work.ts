import { partitionKind } from '../../forecast/partition-kind.ts';
import { withoutPassword } from '../../queue/queue-connection.ts';
import { startQueueWorker } from '../../queue/queue-worker.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printJson } from '../print.ts';
import { DriverPool } from '../queue/driver-pool.ts';
import { replayKind } from '../queue/journey-kind.ts';
import { runKind, walkKind } from '../queue/scenario-kinds.ts';
import type { WorkerArguments } from './worker-options.ts';

const countedWhats = ['users', 'scenarios', 'journeys'] as const;

/** Processes jobs from the queue until the process receives a stop signal. Jobs in progress are finished first. */
export async function work(
  { queue, json }: WorkerArguments,
  { stdout, stderr, onStop, pid, env }: CommandContext,
): Promise<ExitCode> {
  let jobs = 0;
  const counts = { users: 0, scenarios: 0, journeys: 0 };
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stopListening = onStop(resolve);
  const drivers = new DriverPool(env);
  const kinds = [partitionKind(), walkKind(), runKind(drivers), replayKind(drivers)];
  const worker = await startQueueWorker(queue, kinds, {
    onDone: (done) => {
      jobs += 1;
      for (const what of countedWhats) counts[what] += done[what] ?? 0;
    },
    onTrouble: (message) => print(stderr, message, (visible) => [visible]),
  });
  const queueUrl = withoutPassword(queue);
  if (json) printJson(stdout, { worker: pid, queue: queueUrl });
  else print(stdout, queueUrl, (from) => [`Processing jobs from ${from}. Press Ctrl+C to stop.`]);
  await stopped;
  stopListening();
  await worker.close();
  await drivers.close();
  const done = countedWhats.filter((what) => counts[what] > 0).map((what) => `, ${counts[what]} ${what}`);
  if (json) printJson(stdout, { jobs, ...counts });
  else print(stdout, {}, () => [`Done: ${jobs} jobs${done.join('')}.`]);
  return 0;
}
