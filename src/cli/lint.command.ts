import { defineCommand } from './command.ts';
import { lintOptions } from './lint/lint-options.ts';

/** `nudgelab lint`: checks scenarios and fixtures without running them. */
export const lintCommand = defineCommand({
  name: 'lint',
  summary: 'check scenarios and fixtures without running them',
  description:
    'Reads scenarios and fixtures and prints everything that is wrong with them, a line each: file:line:column and what is ' +
    'allowed. Steps that cannot be done, such as a skip where no prompt is shown, are found by walking each scenario on the ' +
    'model. Ends with 0 when nothing is wrong, with 2 otherwise.',
  operands: { syntax: '[paths...]', description: 'files and folders; default: those of the configuration' },
  options: lintOptions,
  examples: [
    { line: 'lint', meaning: 'check every scenario and fixture of the configuration' },
    { line: 'lint scenarios/snooze --json', meaning: 'check one folder and print the problems as JSON' },
  ],
  run: async (args, context) => (await import('./lint/lint.ts')).lint(args, context),
});
