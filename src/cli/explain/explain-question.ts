import { rulesInForce } from '../../../machines/ruleset-gates.ts';
import type { RulesetWords } from '../../../machines/verdict-sentences.ts';
import type { AttemptFacts, Verdict } from '../../../machines/vocabulary.ts';
import type { AttemptPatch } from '../../contract/facts.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { findDeclarations } from '../../journal/ruleset-registry.ts';
import { counterfactualLines } from '../../report/counterfactual-text.ts';
import { fullTrace } from '../../report/trace-text.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { chosenSettings, type RulesetChoice, refuseUnknownSettings } from '../../scenario/rulesets/ruleset-choice.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { chosenCampaign } from '../named-ruleset.ts';
import { openRulesets } from '../open-rulesets.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { type EvaluatedSignIn, evaluateFixtures, type FixtureSignIn } from './evaluate-fixtures.ts';
import { type ExplainArguments, parseTimes } from './explain-options.ts';
import type { EvaluatedOwnSignIn } from './explain-own.ts';

/**
 * Explains one verdict for fixtures with all rule results. Throws `usage-invalid`, `fixture-not-found` and
 * `bad-request`.
 */
export async function explainQuestion(args: ExplainArguments, context: CommandContext): Promise<ExitCode> {
  if (args.user === null) {
    throw new NudgeLabError('usage-invalid', {
      message: 'Specify a user with --user, or a file of facts with --facts.',
    });
  }
  const config = await loadConfig(args.config, context.cwd);
  const rulesets = await openRulesets(args, config, context.cwd);
  refuseUnknownSettings(rulesets);
  const fixtures = new FixtureLibrary(config.fixtures);
  const times = parseTimes(args);
  const answers = await evaluateTimes(
    fixtures,
    { tenant: args.tenant, user: args.user, userId: args.user, attempt: createAttempt(args) },
    rulesets,
    times.length === 0 ? [args.clock] : times,
  );
  const [first] = answers;
  if (first === undefined) throw new RangeError('There is no time to evaluate at.');
  if (answers.length > 1) return printTimes(args.user, answers, args, context);
  const { attempt, verdict, headline, words, counterfactual = null } = first;
  if (args.json) {
    printJson(context.stdout, { ...verdict, ...(counterfactual === null ? {} : { counterfactual }) });
    return 0;
  }
  const palette = paletteFor(context.stdout, context, args.color);
  const result = { user: args.user, tenant: args.tenant, attempt, verdict, headline, counterfactual };
  print(context.stdout, result, (visible) => [
    palette.strong(`${visible.user}: ${visible.headline}${formatCode(visible.verdict)}`),
    `${attemptText(visible.attempt)}; tenant ${visible.tenant}, ruleset ${rulesetText(visible.verdict)}`,
    '',
    ...fullTrace(visible.verdict.rules, palette, words),
    ...(visible.counterfactual === null ? [] : ['', ...counterfactualLines(visible.counterfactual)]),
    ...visible.verdict.warnings.map(({ code, message }) => palette.doubtful(`warning ${code}: ${message}`)),
  ]);
  return 0;
}

/** Verdict with the words of its ruleset, and when an own campaign would prompt. */
type ExplainedSignIn = EvaluatedSignIn & { readonly words?: RulesetWords | undefined } & Partial<
    Pick<EvaluatedOwnSignIn, 'counterfactual'>
  >;

/** Evaluates one sign-in at each of some times, by a registration campaign or an own one. */
async function evaluateTimes(
  fixtures: FixtureLibrary,
  signIn: Omit<FixtureSignIn, 'ruleset' | 'nowMs' | 'settings'>,
  rulesets: RulesetChoice,
  times: readonly (number | null)[],
): Promise<readonly ExplainedSignIn[]> {
  const { chosen } = rulesets;
  const settings = chosenSettings(rulesets, findDeclarations(chosen?.id ?? 'seed').settings);
  const question = { ...signIn, settings };
  if (chosen?.base === 'own') {
    const { evaluateOwnFixtures } = await import('./explain-own.ts');
    return evaluateOwnFixtures(fixtures, question, chosen, times);
  }
  const ruleset = chosenCampaign(rulesets, 'explain');
  return times.map((nowMs) => {
    const evaluated = evaluateFixtures(fixtures, { ...question, ruleset, nowMs });
    return { ...evaluated, words: rulesInForce(ruleset, evaluated.attempt.nowMs).extension };
  });
}

/** Prints the verdicts of one sign-in at several times, and marks those that differ from the one before (OC58). */
function printTimes(
  user: string,
  answers: readonly ExplainedSignIn[],
  args: ExplainArguments,
  context: CommandContext,
): ExitCode {
  if (args.json) {
    const list = answers.map(({ attempt, verdict, counterfactual = null }) => ({
      at: toInstant(attempt.nowMs),
      verdict,
      ...(counterfactual === null ? {} : { counterfactual }),
    }));
    printJson(context.stdout, { user, verdicts: list });
    return 0;
  }
  const palette = paletteFor(context.stdout, context, args.color);
  print(context.stdout, { user, answers }, (visible) => [
    palette.strong(visible.user),
    ...visible.answers.map(({ attempt, verdict, headline }, index) => {
      const before = visible.answers[index - 1];
      const changes = before !== undefined && summary(before) !== summary({ verdict, headline });
      return `${toInstant(attempt.nowMs)}  ${rulesetText(verdict)}  ${headline}${formatCode(verdict)}${changes ? '  changes' : ''}`;
    }),
  ]);
  return 0;
}

function summary({
  verdict: { outcome, reason, campaign },
  headline,
}: Pick<EvaluatedSignIn, 'verdict' | 'headline'>): string {
  return JSON.stringify([outcome, reason, campaign, headline]);
}

/** Formats the ruleset of a verdict with its edition, and with its base if that is an own campaign (OC56). */
export function rulesetText(verdict: Pick<Verdict, 'ruleset' | 'edition'>): string {
  const { ruleset, edition } = verdict;
  const parts = [
    ...('answers' in verdict ? ['base own'] : []),
    ...(edition === undefined || edition === null ? [] : [`edition ${edition}`]),
  ];
  return parts.length === 0 ? ruleset : `${ruleset} (${parts.join(', ')})`;
}

/** Creates the attempt facts that the options set. */
export function createAttempt(args: ExplainArguments): AttemptPatch {
  const { os, browser, surface, device, mfaMethod, mfaProvider, sso } = args;
  return {
    ...(os === null ? {} : { os }),
    ...(browser === null ? {} : { browser: browser === 'none' ? null : browser }),
    ...(surface === null ? {} : { surface }),
    ...(device === null ? {} : { deviceId: device }),
    mfa: {
      ...(mfaMethod === null ? {} : { method: mfaMethod }),
      ...(mfaProvider === null ? {} : { provider: mfaProvider }),
    },
    ssoSession: sso,
  };
}

/** Formats the rule and the reason code of a stop. */
export function formatCode({ reason, rules }: Pick<Verdict, 'reason' | 'rules'>): string {
  const decisive = rules.find(({ outcome }) => outcome === 'stopped');
  return decisive === undefined ? '' : ` (${decisive.id}, ${reason})`;
}

function attemptText({ os, browser, surface, mfa, nowMs }: AttemptFacts): string {
  const factor = mfa.completed ? `second factor ${mfa.method ?? 'unknown'} by ${mfa.provider}` : 'no second factor';
  return `${os}, ${browser ?? 'no browser'}, ${surface}; ${factor}; at ${toInstant(nowMs)}`;
}
