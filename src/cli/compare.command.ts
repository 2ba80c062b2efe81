import { defineCommand } from './command.ts';
import { compareOptions } from './compare/compare-options.ts';

/** `nudgelab compare`: what another policy would have changed. */
export const compareCommand = defineCommand({
  name: 'compare',
  summary: 'tell what another policy would have changed, for whom and why',
  description:
    'Judges a history anew under other policies: a journey file, a journal in a SQLite file, or the folder of an import. Tells ' +
    'per user and attempt what changes and by which rule, in totals by rule, group, platform and day, and who would be required ' +
    'to register next. Recorded answers apply where the same prompt appears, else they are orphaned; for new prompts one is ' +
    'assumed, and what rests on that is counted apart. Each --policy is a variant: the body of the policy, a part of it, or ' +
    'facts of a tenant (campaign, rollout, methodsPolicy, groups, subscription). Ends with 0, or with 2 for what the caller can mend.',
  operands: { syntax: '[history]', description: 'a journey, or the folder of an import' },
  options: compareOptions,
  examples: [
    { line: 'compare tenant --policy passkeys.json', meaning: 'an import under another policy' },
    {
      line: 'compare journey.ndjson --policy a.json,b.json --assume register',
      meaning: 'two variants of a journey at once',
    },
    {
      line: 'compare tenant --policy passkeys.json --user ada@example.test',
      meaning: 'one user’s time line with every rule',
    },
    {
      line: 'compare --db lab.db --ruleset 2026-09 --html report.html',
      meaning: 'a journal under another ruleset, as a page',
    },
  ],
  run: async (args, context) => (await import('./compare/compare.ts')).compare(args, context),
});
