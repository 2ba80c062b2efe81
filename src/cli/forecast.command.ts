import { defineCommand } from './command.ts';
import { forecastOptions } from './forecast/forecast-options.ts';

/** `nudgelab forecast`: what a campaign does to a tenant that is described by distributions. */
export const forecastCommand = defineCommand({
  name: 'forecast',
  summary: 'expect of a campaign, day by day, who is asked and who registers',
  description:
    'Simulates the users of a tenant that is described by distributions, YAML or JSON (schema: nudgelab schema forecast): day ' +
    'by day how many are asked, snooze, are required, register, fail, and are never reached and why. Rules and lifecycle are ' +
    'those of the simulator, compiled to tables. The same description and seed give the same numbers on any machine and with ' +
    'any number of threads. Ends with 0, with 1 when --verify finds a difference, and with 2 for a mistake in the description.',
  operands: { syntax: '[file]', description: 'the description of the tenant' },
  options: forecastOptions,
  examples: [
    { line: 'forecast tenant.yaml', meaning: 'tables and charts of the campaign as it is described' },
    {
      line: 'forecast tenant.yaml --users 1000000 --seeds 20 --json',
      meaning: 'a million users, with bands over 20 seeds',
    },
    { line: 'forecast tenant.yaml --user 17', meaning: 'the time line of one simulated user' },
    { line: 'forecast --fit tenant-import --out tenant.yaml', meaning: 'describe a tenant by its exports' },
    { line: 'forecast tenant.yaml --verify 500', meaning: 'fold 500 users through the machines too, and compare' },
  ],
  run: async (args, context) => (await import('./forecast/run-forecast.ts')).runForecast(args, context),
});
