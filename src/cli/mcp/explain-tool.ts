import { evaluate } from '../../../machines/evaluate.ts';
import { rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import { ruleSentence, verdictHeadline } from '../../../machines/verdict-sentences.ts';
import type { Verdict } from '../../../machines/vocabulary.ts';
import { completeFacts } from '../../contract/attempt-facts.ts';
import { factsSchema } from '../../contract/facts.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { evaluateFixtures, snoozesLeft } from '../explain/evaluate-fixtures.ts';
import { defineTool } from './tool.ts';
import { explainInput, explainOutput } from './tool-schemas.ts';

/** Id of a user that is given as facts. */
const userId = 'user';

/** Tool that explains the verdict of one hypothetical sign-in. */
export const explainTool = defineTool({
  name: 'explain',
  title: 'Explain a verdict',
  description:
    'Evaluates one sign-in by the rules: whether the user must be prompted, whether the prompt can be skipped, and a ' +
    'sentence for every rule with the values that decided it. Give user and tenant as fixture names or facts, or ' +
    'complete facts.',
  input: explainInput,
  output: explainOutput,
  writes: false,
  limitMs: null,
  run: async ({ user, tenant, attempt, facts, ruleset }, { fixtures }) => {
    if ((user === undefined) === (facts === undefined)) {
      const message = 'give either `user` (with `tenant`) or `facts`';
      throw new NudgeLabError('bad-request', { problems: [{ location: 'input.user', message }] });
    }
    if (facts !== undefined) return explainFacts(facts, ruleset);
    const id = typeof user === 'string' ? user : userId;
    const given = { tenant, user, userId: id, attempt, ruleset, nowMs: null };
    const { verdict, headline } = evaluateFixtures(new FixtureLibrary(fixtures), given);
    return explanation(verdict, headline);
  },
});

function explainFacts(given: unknown, rulesetDefault: string) {
  const { facts, ruleset: named } = completeFacts(parseOr('facts-invalid', factsSchema, given, 'facts'));
  const ruleset = rulesets.get(named ?? rulesetDefault);
  if (ruleset === undefined) {
    const message = describeUnknownName(named ?? rulesetDefault, [...rulesets.keys()]);
    throw new NudgeLabError('facts-invalid', { problems: [{ location: 'facts.ruleset', message }] });
  }
  const verdict = evaluate(facts, ruleset);
  return explanation(verdict, verdictHeadline(verdict, snoozesLeft(facts.user, verdict, ruleset)));
}

function explanation({ ruleset, outcome, reason, rules, warnings }: Verdict, headline: string) {
  return {
    ruleset,
    outcome,
    reason,
    headline,
    warnings: [...warnings],
    decidedBy: rules.find((rule) => rule.outcome === 'stopped')?.id ?? null,
    rules: rules.map((rule) => ({
      id: rule.id,
      outcome: rule.outcome,
      ...(rule.outcome === 'stopped' ? { reason: rule.reason } : {}),
      sentence: ruleSentence(rule),
    })),
  };
}
