import { defineCommand } from './command.ts';
import { workerOptions } from './worker/worker-options.ts';

/** `nudgelab worker`: does parts of forecasts, runs and replays for other processes. */
export const workerCommand = defineCommand({
  name: 'worker',
  summary: 'do jobs for whoever asks by a queue',
  description:
    'Takes jobs from a queue in Redis and does them on one core: users of nudgelab forecast --queue, scenarios of nudgelab run ' +
    '--queue, journeys of nudgelab replay --queue. Jobs bring all that they need. Start as many workers as there are cores, on ' +
    'any machine, of the same version. What a lost worker had in hand is done by another one. Needs the optional packages ' +
    'bullmq and ioredis. Ends when it is told to, after the job in hand.',
  operands: null,
  options: workerOptions,
  examples: [
    { line: 'worker', meaning: 'take jobs from the Redis of this machine until Ctrl+C' },
    {
      line: 'worker --queue redis://queue.example.test:6379 --json',
      meaning: 'of another machine, and say so as JSON',
    },
  ],
  run: async (args, context) => (await import('./worker/work.ts')).work(args, context),
});
