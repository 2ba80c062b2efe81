import { evaluate } from '../../../machines/evaluate.ts';
import { rulesInForce } from '../../../machines/ruleset-gates.ts';
import { type RulesetWords, ruleSentence, verdictHeadline } from '../../../machines/verdict-sentences.ts';
import { completeFacts } from '../../contract/attempt-facts.ts';
import { factsSchema } from '../../contract/facts.schema.ts';
import { parseOr } from '../../contract/parse.ts';
import type { Counterfactual } from '../../contract/verdict.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import type { LoadedRuleset, OwnLoadedRuleset } from '../../journal/ruleset-registry.ts';
import { counterfactualLines } from '../../report/counterfactual-text.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import type { RulesetChoice } from '../../scenario/rulesets/ruleset-choice.ts';
import {
  type EvaluatedSignIn,
  evaluateFixtures,
  type FixtureSignIn,
  snoozesLeft,
} from '../explain/evaluate-fixtures.ts';
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
    'sentence for every rule with the values that decided it. For an own campaign that shows no prompt, also when and ' +
    'under which other facts it would. Give user and tenant as fixture names or facts, or complete facts.',
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
    const loaded = findRuleset(named, { code: 'bad-request', location: 'input.ruleset' }, rulesets);
    const id = typeof user === 'string' ? user : userId;
    const fixtures = new FixtureLibrary(setting.fixtures);
    const signIn = { tenant, user, userId: id, attempt };
    if (loaded?.base === 'own') return explainOwnSignIn(signIn, loaded, fixtures);
    const ruleset = loaded === null ? chosenCampaign(rulesets, 'explain') : requireCampaign(loaded, 'explain');
    const evaluated = evaluateFixtures(fixtures, { ...signIn, ruleset, nowMs: null });
    const words = rulesInForce(ruleset, evaluated.attempt.nowMs).extension;
    return explanation({ ...evaluated, words });
  },
});

/** Returns the named or the chosen ruleset; `null` if there is neither. Throws an error with `code`. */
function findRuleset(
  named: string | undefined,
  { code, location }: { readonly code: 'bad-request' | 'facts-invalid'; readonly location: string },
  { registry, chosen }: RulesetChoice,
): LoadedRuleset | null {
  if (named === undefined) return chosen;
  const loaded = registry.find(named);
  if (loaded !== undefined) return loaded;
  const known = registry.list().map(({ id }) => id);
  throw new NudgeLabError(code, { problems: [{ location, message: describeUnknownName(named, known) }] });
}

async function explainOwnSignIn(
  signIn: Omit<FixtureSignIn, 'ruleset' | 'nowMs' | 'settings'>,
  loaded: OwnLoadedRuleset,
  fixtures: FixtureLibrary,
) {
  const { evaluateOwnFixtures } = await import('../explain/explain-own.ts');
  const [evaluated] = await evaluateOwnFixtures(fixtures, signIn, loaded, [null]);
  if (evaluated === undefined) throw new RangeError('There is no time to evaluate at.');
  return explanation(evaluated);
}

function explainFacts(given: unknown, rulesetDefault: string | undefined, rulesets: RulesetChoice) {
  const { facts, ruleset: named } = completeFacts(parseOr('facts-invalid', factsSchema, given, 'facts'));
  const place = { code: 'facts-invalid', location: 'facts.ruleset' } as const;
  const loaded = findRuleset(named ?? rulesetDefault, place, rulesets);
  const ruleset = loaded === null ? chosenCampaign(rulesets, 'explain') : requireCampaign(loaded, 'explain');
  const verdict = evaluate(facts, ruleset);
  const words = rulesInForce(ruleset, facts.attempt.nowMs).extension;
  return explanation({
    verdict,
    headline: verdictHeadline(verdict, snoozesLeft(facts.user, verdict, ruleset), words),
    words,
  });
}

/** Verdict with the words of its ruleset, and when an own campaign would prompt. */
interface ExplainedSignIn extends Pick<EvaluatedSignIn, 'verdict' | 'headline'> {
  readonly words: RulesetWords | undefined;
  readonly counterfactual?: Counterfactual | null;
}

function explanation({ verdict, headline, words, counterfactual = null }: ExplainedSignIn) {
  const { ruleset, outcome, reason, rules, warnings } = verdict;
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
      sentence: ruleSentence(rule, words),
    })),
    ...(counterfactual === null
      ? {}
      : { counterfactual: { ...counterfactual, sentences: [...counterfactualLines(counterfactual)] } }),
  };
}
