import { defineCommand } from './command.ts';
import { workerOptions } from './worker/worker-options.ts';

/** `nudgelab worker`: does parts of forecasts for other processes. */
export const workerCommand = defineCommand({
  name: 'worker',
  summary: 'simulate parts of forecasts for whoever asks by a queue',
  description:
    'Takes parts of forecasts from a queue in Redis and simulates them on one core, for nudgelab forecast --queue. Start as many ' +
    'as there are cores, on any machine, of the same version. What a lost worker had in hand is done by another one. Needs the ' +
    'optional packages bullmq and ioredis. Ends when it is told to, after the part in hand.',
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
