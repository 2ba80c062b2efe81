import { defineCommand } from './command.ts';
import { forecastOptions } from './forecast/forecast-options.ts';
import { withTelemetry } from './with-telemetry.ts';

/** `nudgelab forecast`: forecasts the effects of a campaign on a tenant described by distributions. */
export const forecastCommand = defineCommand({
  name: 'forecast',
  description:
    'Simulates the users of a tenant that is described by distributions in YAML or JSON (schema: nudgelab schema ' +
    'forecast): how many are prompted, snooze, are required to register, register, fail or are never prompted, by day ' +
    'and reason. Rules and lifecycle are those of the simulator, compiled to tables. The same description and random ' +
    'seed give the same numbers on any machine with any number of threads. Exit codes: 0 done, 1 --verify found a ' +
    'difference, 2 invalid description.',
  operands: { description: 'input file that describes the tenant' },
  options: forecastOptions,
  examples: [
    { line: 'forecast tenant.yaml', meaning: 'print tables and charts of the campaign' },
    {
      line: 'forecast tenant.yaml --users 1000000 --seeds 20 --json',
      meaning: 'simulate a million users, with percentile bands over 20 random seeds',
    },
    { line: 'forecast tenant.yaml --user 17', meaning: 'show the timeline of one simulated user' },
    { line: 'forecast --fit tenant-import --out tenant.yaml', meaning: 'fit an input file to the exports of a tenant' },
    {
      line: 'forecast tenant.yaml --verify 500',
      meaning: 'also evaluate 500 users with the state machines, and compare',
    },
  ],
  run: (args, context) =>
    withTelemetry(context, async () => (await import('./forecast/run-forecast.ts')).runForecast(args, context)),
});
