import { defineCommand } from './command.ts';
import { runOptions } from './run/run-options.ts';
import { withTelemetry } from './with-telemetry.ts';

/** `nudgelab run`: runs scenarios and reports their results. */
export const runCommand = defineCommand({
  name: 'run',
  description:
    'Runs scenarios on one or more drivers and reports expected and actual results with the deciding rules. ' +
    'All scenarios are validated before the first one runs. With --queue, nudgelab worker processes run ' +
    'them; the report is the same. Exit codes: 0 all passed, 1 a scenario failed or nothing ran, 2 invalid ' +
    'scenario, option or configuration.',
  operands: {
    description:
      'files and folders; file.yaml#3 is the third row of its examples (default: those of the configuration)',
  },
  options: runOptions,
  examples: [
    { line: 'run', meaning: 'run every scenario of the folder scenarios on the model, in process' },
    { line: 'run --driver model,http --report report', meaning: 'run on both drivers and write the reports' },
    { line: 'run scenarios/snooze --covers R6', meaning: 'run the scenarios of one folder that cover rule R6' },
    { line: 'run scenarios/snooze/zero-days.yaml#3', meaning: 'run the third examples row of one file' },
    { line: 'run --url http://localhost:4700', meaning: 'run against a server started with nudgelab serve' },
    { line: 'run --shard 1/4 --json', meaning: 'run the first quarter of the suite and print one JSON object' },
    { line: 'run --driver http --queue redis://localhost:6379', meaning: 'run with workers, each with its own server' },
    { line: 'run --ui', meaning: 'open the scenarios in the console, and run them at every change' },
    { line: 'run --last-failed --watch', meaning: 'run failed scenarios, again at every change' },
  ],
  run: (args, context) =>
    withTelemetry(context, async () => (await import('./run/run-scenarios.ts')).runScenarios(args, context)),
});
