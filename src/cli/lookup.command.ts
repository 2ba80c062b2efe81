import { defineCommand } from './command.ts';
import { lookupOptions } from './lookup/lookup-options.ts';

/** `nudgelab lookup`: shows responses of the lookup API and records fixtures from them. */
export const lookupCommand = defineCommand({
  name: 'lookup',
  description:
    'Prints what lookup tools know about an email address or a username: the same response as the lookup API of a ' +
    'sandbox with this random seed, without a server, token or quota. With --url and --token it queries a server. ' +
    '`lookup import` reads a response of a lookup API and writes a fixture with redacted addresses, names and ' +
    'secrets.',
  operands: { description: 'the query, or import and a JSON file' },
  options: lookupOptions,
  examples: [
    { line: 'lookup ada@example.test', meaning: 'query every email tool and print a table' },
    { line: 'lookup ada --type username --tool wexlar', meaning: 'query one tool for a username' },
    { line: 'lookup ada@example.test --format csv > found.csv', meaning: 'write one row per tool' },
    {
      line: 'lookup import answer.json --out fixtures/lookup/answer.yaml',
      meaning: 'create a fixture from a response',
    },
  ],
  run: async (args, context) => {
    if (args.operands[0] === 'import' && args.operands.length === 2) {
      return (await import('./lookup/import-answer.ts')).importAnswer(args, context);
    }
    return (await import('./lookup/look-up.ts')).lookUp(args, context);
  },
});
