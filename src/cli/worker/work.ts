import { partitionKind } from '../../forecast/partition-kind.ts';
import { withoutPassword } from '../../queue/queue-connection.ts';
import { startQueueWorker } from '../../queue/queue-worker.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { replayKind } from '../queue/journey-kind.ts';
import { KeptDrivers } from '../queue/kept-drivers.ts';
import { runKind, walkKind } from '../queue/scenario-kinds.ts';
import type { WorkerArguments } from './worker-options.ts';

const countedWhats = ['users', 'scenarios', 'journeys'] as const;
const addressDefault = 'redis://localhost:6379';

/** Takes jobs from the queue until the process is told to end; what is in hand is finished first. */
export async function work(
  { queue, json }: WorkerArguments,
  { stdout, stderr, onStop, pid, env }: CommandContext,
): Promise<ExitCode> {
  const address = queue ?? addressDefault;
  let jobs = 0;
  const counts = { users: 0, scenarios: 0, journeys: 0 };
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stopListening = onStop(resolve);
  const drivers = new KeptDrivers(env);
  const kinds = [partitionKind(), walkKind(), runKind(drivers), replayKind(drivers)];
  const worker = await startQueueWorker(address, kinds, {
    onDone: (done) => {
      jobs += 1;
      for (const what of countedWhats) counts[what] += done[what] ?? 0;
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
  await drivers.close();
  const done = countedWhats.filter((what) => counts[what] > 0).map((what) => `, ${counts[what]} ${what}`);
  stdout.write(json ? `${JSON.stringify({ jobs, ...counts })}\n` : `Done: ${jobs} jobs${done.join('')}.\n`);
  return 0;
}
