import { defineCommand } from './command.ts';
import { explainOptions } from './explain/explain-options.ts';

/** `nudgelab explain`: evaluates facts with the rules, without a server. */
export const explainCommand = defineCommand({
  name: 'explain',
  description:
    'Evaluates sign-ins by the rules. With --facts it reads one JSON object per line and prints one verdict ' +
    'per line, in order; invalid lines are reported. With --user it explains one sign-in of a fixture: the ' +
    'result of every rule with its evaluated facts. With --url or --sandbox it explains the next sign-in of a user ' +
    'on a running server. Exit codes: 0 done, 2 invalid input.',
  operands: null,
  options: explainOptions,
  examples: [
    { line: 'explain --user sms-user', meaning: 'explain whether this user would be prompted to set up the app' },
    {
      line: 'explain --user keychain-holder --tenant passkey-enabled --os macos --browser safari',
      meaning: 'explain why no prompt is shown',
    },
    {
      line: 'explain --url http://localhost:4700 --user sms-user',
      meaning: 'explain the next sign-in of a user on a running server',
    },
    { line: 'explain --sandbox demo --user ada', meaning: 'the same, in another sandbox of the server on port 4700' },
    { line: 'explain --facts facts.jsonl > verdicts.jsonl', meaning: 'evaluate a file, one verdict per line' },
    { line: 'explain --facts - --ruleset 2026-09', meaning: 'evaluate standard input with another ruleset' },
    {
      line: 'explain --user sms-user --ruleset announced --at 2026-09-01,2027-02-01',
      meaning: 'explain the same sign-in at two times',
    },
    { line: 'schema facts', meaning: 'print the schema of a line of facts' },
  ],
  run: async (args, context) => {
    const { explainFacts } = await import('./explain/explain-facts.ts');
    if (args.facts !== null) return explainFacts(args.facts, args, context);
    if (args.url !== null || args.sandbox !== null)
      return (await import('./explain/explain-on-server.ts')).explainOnServer(args, context);
    return (await import('./explain/explain-question.ts')).explainQuestion(args, context);
  },
});
