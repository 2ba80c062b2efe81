import { lookupTypes } from '../../contract/lookup.schema.ts';
import type { ArgumentsOf } from '../command.ts';
import { choice, integer, seedMax, text } from '../option.ts';

/** The options of `nudgelab lookup`. */
export const lookupOptions = {
  type: choice('--type <type>', 'what the query is', lookupTypes, 'email where it holds an @, else username'),
  tool: text('--tool <tool>', 'identifier of a tool; default: all'),
  format: choice('--format <format>', 'how the results are printed', ['text', 'csv', 'json'], 'text'),
  fixture: text('--fixture <name>', 'lookup service of fixtures/lookup; default: the one that ships'),
  seed: integer('--seed <number>', 'seed of the made-up accounts; default: 1', { min: 0, max: seedMax }),
  url: text('--url <address>', 'ask the sandbox at this address instead'),
  token: text('--token <token>', 'token for --url; default: test-token'),
  out: text('--out <file>', 'where import writes its fixture; default: standard output'),
} as const;

/** What the command is given. */
export type LookupArguments = ArgumentsOf<typeof lookupOptions>;
