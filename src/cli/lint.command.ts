import { defineCommand } from './command.ts';
import { lintOptions } from './lint/lint-options.ts';

/** `nudgelab lint`: checks scenarios and fixtures without running them. */
export const lintCommand = defineCommand({
  name: 'lint',
  description:
    'Validates scenarios and fixtures and prints every problem as file:line:column with the allowed values. ' +
    'Impossible steps, such as a skip without a prompt, are found by running each scenario on the model. ' +
    'Warnings, such as a user who is capable of MFA without any method, do not change the exit code. ' +
    'Exit codes: 0 no problem, 2 problems.',
  operands: { description: 'files and folders (default: those of the configuration)' },
  options: lintOptions,
  examples: [
    { line: 'lint', meaning: 'check every scenario and fixture of the configuration' },
    { line: 'lint scenarios/snooze --json', meaning: 'check one folder and print the problems as JSON' },
  ],
  run: async (args, context) => (await import('./lint/lint.ts')).lint(args, context),
});
