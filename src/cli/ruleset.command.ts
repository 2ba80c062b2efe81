import { defineCommand } from './command.ts';
import { rulesetOptions } from './ruleset/ruleset-options.ts';

/** `nudgelab ruleset`: checks and lists ruleset files. */
export const rulesetCommand = defineCommand({
  name: 'ruleset',
  description:
    'Works with ruleset files, which state your own campaign as data. `init` writes a first ruleset with two scenarios ' +
    'and a forecast, or copies an example. `check` validates files and prints every fault ' +
    'with its code, line, column and what to write instead. It also finds gates that always stop, requirements that ' +
    'no user can fulfill and, as warnings, what can never decide, each with an example. `explain` prints the ruleset of ' +
    'a file, or of a built-in id, in sentences. `diff` compares two rulesets of the same base: the keys that differ, and the smallest facts ' +
    'and the shortest journey with unlike verdicts. `list` prints the rulesets with their digests, `export` the file of ' +
    'a built-in one, and `schema` the JSON Schema of a ruleset file. Exit codes of check: 0 no fault, 1 faults, or ' +
    'warnings with --strict; of diff: 0 compared, also if they differ; of all: 2 an unreadable or faulty file.',
  operands: {
    description:
      'init with a folder; check, explain or list with ruleset files or folders that contain them; diff with two files or ids; ' +
      'export with an id; schema',
  },
  options: rulesetOptions,
  examples: [
    { line: 'ruleset check rulesets/passkey-week.ruleset.yaml', meaning: 'check a ruleset file' },
    { line: 'ruleset check rulesets', meaning: 'check all ruleset files of a folder' },
    { line: 'ruleset explain rulesets/passkey-week.ruleset.yaml', meaning: 'print the campaign in sentences' },
    { line: 'run rulesets/passkey-week.yaml --driver model', meaning: 'run a scenario that names a ruleset file' },
    { line: 'ruleset init rules --kind app --every 14d', meaning: 'create a first ruleset in a folder' },
    { line: 'ruleset init rules --from passkey-week', meaning: 'copy an example of the package' },
    { line: 'ruleset explain announced --edition 2027-02-01', meaning: 'print the announced rules from a date on' },
    { line: 'ruleset list', meaning: 'list the built-in rulesets with their digests' },
    { line: 'ruleset export 2026-09', meaning: 'print the file of a built-in ruleset' },
    { line: 'ruleset diff seed 2026-09', meaning: 'compare two built-in rulesets' },
    { line: 'ruleset schema', meaning: 'print the schema of a ruleset file' },
  ],
  run: async (args, context) => (await import('./ruleset/run-ruleset.ts')).runRuleset(args, context),
});
