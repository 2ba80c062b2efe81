import { evaluate } from '../../../machines/evaluate.ts';
import { rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import { type SnoozesLeft, verdictHeadline } from '../../../machines/verdict-sentences.ts';
import type { AttemptFacts, Ruleset, UserFacts, Verdict } from '../../../machines/vocabulary.ts';
import { completeAttempt } from '../../contract/attempt-facts.ts';
import type { AttemptPatch } from '../../contract/facts.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { fullTrace } from '../../report/trace-text.ts';
import { contextFor } from '../../sandbox/context.ts';
import { planSandbox } from '../../sandbox/sandbox.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import type { ExplainArguments } from './explain-options.ts';

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
  const fixtures = new FixtureLibrary(config.fixtures);
  const { tenant, settings, users, clock } = planSandbox({
    tenant: fixtures.resolve('tenants', args.tenant),
    users: [{ ...fixtures.resolve('users', args.user), id: args.user }],
  });
  const [user] = users;
  const ruleset = rulesets.get(args.ruleset ?? 'seed');
  if (user === undefined || ruleset === undefined) throw new RangeError('The plan has no user, or no ruleset ships.');
  const state = { tenant, settings, users: new Map([[user.id, { facts: user }]]), acceptedTerms: new Set<string>() };
  const attempt = completeAttempt(contextFor(state, user.id, createAttempt(args)), user, args.now ?? clock.nowMs);
  const verdict = evaluate({ tenant, user, attempt }, ruleset);
  if (args.json) {
    printJson(context.stdout, verdict);
    return 0;
  }
  const palette = paletteFor(context.stdout, context, args.color);
  const result = { user: args.user, tenant: args.tenant, attempt, verdict };
  print(context.stdout, result, (visible) => [
    palette.strong(
      `${visible.user}: ${verdictHeadline(visible.verdict, computeSnoozesLeft(user, verdict, ruleset))}${formatCode(visible.verdict)}`,
    ),
    `${attemptText(visible.attempt)}; tenant ${visible.tenant}, ruleset ${visible.verdict.ruleset}`,
    '',
    ...fullTrace(visible.verdict.rules, palette),
    ...visible.verdict.warnings.map(({ code, message }) => palette.doubtful(`warning ${code}: ${message}`)),
  ]);
  return 0;
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

/** Computes the snoozes left of a user; `null` if the number is unlimited. */
function computeSnoozesLeft(
  { snooze }: Pick<UserFacts, 'snooze'>,
  { campaign }: Verdict,
  { limits }: Ruleset,
): SnoozesLeft | null {
  const { snoozeLimit: limit } = limits;
  return campaign.limited ? { left: Math.max(0, limit - snooze.count), limit } : null;
}

function attemptText({ os, browser, surface, mfa, nowMs }: AttemptFacts): string {
  const factor = mfa.completed ? `second factor ${mfa.method ?? 'unknown'} by ${mfa.provider}` : 'no second factor';
  return `${os}, ${browser ?? 'no browser'}, ${surface}; ${factor}; at ${toInstant(nowMs)}`;
}
