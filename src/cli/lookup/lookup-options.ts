import { allTools, lookupTypes } from '../../contract/lookup.schema.ts';
import type { ArgumentsOf } from '../command.ts';
import { sandboxOption } from '../common-options.ts';
import { choice, seedOption, text } from '../option.ts';

/** Options of `nudgelab lookup`. */
export const lookupOptions = {
  type: choice('--type <type>', 'type of the query', lookupTypes, {
    whenOmitted: 'email if the query contains @, else username',
  }),
  tool: text('--tool <tool>', 'id of a lookup tool', { default: allTools }),
  format: choice('--format <format>', 'output format', ['text', 'csv', 'json'], { default: 'text' }),
  lookup: text('--lookup <fixture>', 'lookup service', {
    whenOmitted: 'the built-in service',
  }),
  seed: seedOption('random seed of the synthetic accounts', { default: 1 }),
  url: text('--url <address>', 'URL of a running server', { whenOmitted: 'respond without a server' }),
  sandbox: sandboxOption,
  token: text('--token <token>', 'token for --url', { default: 'test-token' }),
  out: text('--out <file>', 'output file of import', { whenOmitted: 'standard output' }),
} as const;

/** Arguments of `nudgelab lookup`. */
export type LookupArguments = ArgumentsOf<typeof lookupOptions>;
