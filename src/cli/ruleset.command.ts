import { defineCommand } from './command.ts';
import { rulesetOptions } from './ruleset/ruleset-options.ts';

/** `nudgelab ruleset`: checks and lists ruleset files. */
export const rulesetCommand = defineCommand({
  name: 'ruleset',
  group: 'Analyze',
  summary: 'check a ruleset file of your own campaign',
  description:
    'Works with ruleset files, which state your own campaign as data. `check` validates files and prints every fault ' +
    'with its code, line, column and what to write instead. It also finds gates that always stop, requirements that ' +
    'no user can fulfill and, as warnings, what can never decide, each with an example. `explain` prints the ruleset of ' +
    'a file in sentences. Exit codes of check: 0 no fault, 1 faults, or warnings with --strict; of both: 2 an ' +
    'unreadable file.',
  operands: { syntax: '<words...>', description: 'check or explain, then the ruleset files' },
  options: rulesetOptions,
  examples: [
    { line: 'ruleset check rulesets/passkey-week.ruleset.yaml', meaning: 'check a ruleset file' },
    { line: 'ruleset explain rulesets/passkey-week.ruleset.yaml', meaning: 'print the campaign in sentences' },
    { line: 'run rulesets/passkey-week.yaml --driver model', meaning: 'run a scenario that names a ruleset file' },
    { line: 'schema ruleset', meaning: 'print the schema of a ruleset file' },
  ],
  run: async (args, context) => (await import('./ruleset/run-ruleset.ts')).runRuleset(args, context),
});
