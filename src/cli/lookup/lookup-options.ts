import { lookupTypes } from '../../contract/lookup.schema.ts';
import type { ArgumentsOf } from '../command.ts';
import { choice, integer, seedMax, text } from '../option.ts';

/** The options of `nudgelab lookup`. */
export const lookupOptions = {
  type: choice('--type <type>', 'type of the query', lookupTypes, 'email where it holds an @, else username'),
  tool: text('--tool <tool>', 'identifier of a tool (default: all)'),
  format: choice('--format <format>', 'output format', ['text', 'csv', 'json'], 'text'),
  fixture: text('--fixture <name>', 'lookup service of fixtures/lookup (default: the one that ships)'),
  seed: integer('--seed <number>', 'random seed of the synthetic accounts (default: 1)', { min: 0, max: seedMax }),
  url: text('--url <address>', 'query the sandbox at this address instead'),
  token: text('--token <token>', 'token for --url (default: test-token)'),
  out: text('--out <file>', 'output file of import (default: standard output)'),
} as const;

/** What the command is given. */
export type LookupArguments = ArgumentsOf<typeof lookupOptions>;
