import { evaluate } from '../../../machines/evaluate.ts';
import { ruleSentence, verdictHeadline } from '../../../machines/verdict-sentences.ts';
import type { Ruleset, Verdict } from '../../../machines/vocabulary.ts';
import { completeFacts } from '../../contract/attempt-facts.ts';
import { factsSchema } from '../../contract/facts.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import type { RulesetChoice } from '../../scenario/rulesets/ruleset-choice.ts';
import { evaluateFixtures, snoozesLeft } from '../explain/evaluate-fixtures.ts';
import { chosenCampaign, requireCampaign } from '../named-ruleset.ts';
import { defineTool } from './tool.ts';
import { explainInput, explainOutput } from './tool-schemas.ts';
import { openToolRulesets } from './tool-setting.ts';

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
  run: async ({ user, tenant, attempt, facts, ruleset: named }, setting) => {
    if ((user === undefined) === (facts === undefined)) {
      const message = 'give either `user` (with `tenant`) or `facts`';
      throw new NudgeLabError('bad-request', { problems: [{ location: 'input.user', message }] });
    }
    const rulesets = await openToolRulesets(setting);
    if (facts !== undefined) return explainFacts(facts, named, rulesets);
    const ruleset = findCampaign(named, { code: 'bad-request', location: 'input.ruleset' }, rulesets);
    const id = typeof user === 'string' ? user : userId;
    const given = { tenant, user, userId: id, attempt, ruleset, nowMs: null };
    const { verdict, headline } = evaluateFixtures(new FixtureLibrary(setting.fixtures), given);
    return explanation(verdict, headline);
  },
});

/** Returns the named or the chosen registration campaign. Throws an error with `code`, and `usage-invalid`. */
function findCampaign(
  named: string | undefined,
  { code, location }: { readonly code: 'bad-request' | 'facts-invalid'; readonly location: string },
  rulesets: RulesetChoice,
): Ruleset {
  if (named === undefined) return chosenCampaign(rulesets, 'explain');
  const loaded = rulesets.registry.find(named);
  if (loaded !== undefined) return requireCampaign(loaded, 'explain');
  const known = rulesets.registry.list().map(({ id }) => id);
  throw new NudgeLabError(code, { problems: [{ location, message: describeUnknownName(named, known) }] });
}

function explainFacts(given: unknown, rulesetDefault: string | undefined, rulesets: RulesetChoice) {
  const { facts, ruleset: named } = completeFacts(parseOr('facts-invalid', factsSchema, given, 'facts'));
  const ruleset = findCampaign(named ?? rulesetDefault, { code: 'facts-invalid', location: 'facts.ruleset' }, rulesets);
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
