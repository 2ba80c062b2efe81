import { row } from './error-definition.ts';

/** Error definitions for rulesets. */
export const rulesetErrors = {
  'ruleset-invalid': row(
    'The ruleset is not valid',
    'Correct every location that the message names; `nudgelab ruleset check` lists them too.',
    400,
    2,
  ),
  'ruleset-not-found': row(
    'Ruleset not found',
    'Use the id of a loaded ruleset, or load its file with --ruleset or the configuration.',
    404,
    2,
  ),
  'ruleset-exists': row('The id of the ruleset is taken', 'Choose another id for the ruleset.', 409, 2),
  'ruleset-module-refused': row(
    'Gate modules are not accepted',
    'State the gates as data, or start the server with --ruleset and the file.',
    403,
    2,
  ),
  'rulesets-read-only': row(
    'The server accepts no rulesets',
    'Start `serve` with `--allow-rulesets`, or with `--ruleset` and the file.',
    403,
    2,
  ),
  'too-many-rulesets': row(
    'The server has too many rulesets',
    'Use the rulesets that it has, or start a server with another store.',
    503,
    3,
  ),
  'rulesets-not-comparable': row(
    'The rulesets cannot be compared',
    'Compare two rulesets of the same base whose facts of the same name have the same type.',
    400,
    2,
  ),
  'ruleset-digest-differs': row(
    'A worker has another ruleset file',
    'Start the worker with --ruleset and the same file; its gate modules must be the same too.',
    500,
    2,
  ),
  'log-value-invalid': row(
    'A log has a value that a fact of a ruleset does not allow',
    'Correct the value, or the fact: its `values`, its range, or its `map`.',
    400,
    2,
  ),
  'ruleset-missing': row(
    'The ruleset of a sandbox is not loaded',
    'Load the file of the ruleset with --ruleset or the configuration, and start again; nothing was changed.',
    500,
    2,
  ),
} as const;
