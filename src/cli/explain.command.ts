import { defineCommand } from './command.ts';
import { explainOptions } from './explain/explain-options.ts';

/** `nudgelab explain`: evaluates facts with the rules, without a server. */
export const explainCommand = defineCommand({
  name: 'explain',
  group: 'Analyze',
  summary: 'explain whether a user would be prompted',
  description:
    'Evaluates sign-ins by the rules. With --facts it reads one JSON object per line and prints one verdict per line, ' +
    'in order; invalid lines are reported. With --user it explains one sign-in of a fixture: every rule in a ' +
    'sentence, with the values that decided. Exit codes: 0 done, 2 invalid input.',
  operands: null,
  options: explainOptions,
  examples: [
    { line: 'explain --user sms-user', meaning: 'would this user be asked to set up the app' },
    {
      line: 'explain --user keychain-holder --tenant passkey-enabled --os macos --browser safari',
      meaning: 'and why not',
    },
    { line: 'explain --facts facts.jsonl > verdicts.jsonl', meaning: 'evaluate a file, a verdict a line' },
    { line: 'explain --facts - --ruleset 2026-09', meaning: 'evaluate what is piped in, by another ruleset' },
    { line: 'schema facts', meaning: 'see what a line of facts may hold' },
  ],
  run: async (args, context) => {
    const { explainFacts } = await import('./explain/explain-facts.ts');
    if (args.facts !== null) return explainFacts(args.facts, args, context);
    return (await import('./explain/explain-question.ts')).explainQuestion(args, context);
  },
});
