import { defineCommand } from './command.ts';
import { withTelemetry } from './with-telemetry.ts';
import { workerOptions } from './worker/worker-options.ts';

/** `nudgelab worker`: processes jobs of forecasts, test runs and replays for other processes. */
export const workerCommand = defineCommand({
  name: 'worker',
  description:
    'Processes jobs from a queue in Redis on one core: users of nudgelab forecast --queue, scenarios of nudgelab run ' +
    '--queue, journeys of nudgelab replay --queue. Start one worker per core, on any machine, with the same version. ' +
    'If a worker is lost, another one repeats its jobs. An interrupted worker finishes its current job. Needs the optional ' +
    'packages bullmq and ioredis.',
  operands: null,
  options: workerOptions,
  examples: [
    { line: 'worker', meaning: 'process jobs from the local Redis server until Ctrl+C' },
    {
      line: 'worker --queue redis://queue.example.test:6379 --json',
      meaning: 'process jobs from another Redis server and report as JSON',
    },
  ],
  run: (args, context) => withTelemetry(context, async () => (await import('./worker/work.ts')).work(args, context)),
});
