import { defineCommand } from './command.ts';
import { compareOptions } from './compare/compare-options.ts';

/** `nudgelab compare`: compares the effects of another policy with the current one. */
export const compareCommand = defineCommand({
  name: 'compare',
  description:
    'Evaluates a history again under other policies: a journey file, a journal in a SQLite file, or the ' +
    'folder of an import. Reports which users and attempts change and by which rule, totals by rule, group, ' +
    'platform and day, and who would be required to register next. Recorded actions apply where the same ' +
    'prompt appears; for new prompts an action is assumed, and results that depend on it are counted ' +
    'separately. Each --policy is a variant: a policy body, a part of it, or tenant facts (campaign, ' +
    'rollout, methodsPolicy, groups, subscription). Journeys of campaigns with the base own are compared with ' +
    'other own rulesets: --ruleset names their files. Exit codes: 0 done, 2 invalid input.',
  operands: { description: 'a journey file or an import folder' },
  options: compareOptions,
  examples: [
    { line: 'compare tenant --policy passkeys.json', meaning: 'evaluate an import under another policy' },
    {
      line: 'compare journey.ndjson --policy a.json,b.json --assume-action register',
      meaning: 'compare two variants of a journey at once',
    },
    {
      line: 'compare tenant --policy passkeys.json --user ada@example.test',
      meaning: 'show the timeline of one user with every rule',
    },
    {
      line: 'compare tenant --ruleset announced --at 2026-09-01,2027-02-01',
      meaning: 'compare two editions of a ruleset',
    },
    {
      line: 'compare --db lab.db --ruleset 2026-09 --html report.html',
      meaning: 'evaluate a journal under another ruleset and write a page',
    },
    {
      line: 'compare journey.ndjson --ruleset old.ruleset.yaml,new.ruleset.yaml',
      meaning: 'compare two versions of a campaign of your own',
    },
  ],
  run: async (args, context) => (await import('./compare/compare.ts')).compare(args, context),
});
