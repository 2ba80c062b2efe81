import { effectiveCampaign } from '../../machines/effective-campaign.ts';
import { evaluate, findDemand } from '../../machines/evaluate.ts';
import { pinRules } from '../../machines/ruleset-gates.ts';
import type { Ruleset, Verdict } from '../../machines/vocabulary.ts';
import { completeAttempt } from '../contract/attempt-facts.ts';
import type { ForecastDescription } from '../contract/forecast.schema.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { firstDayMs } from './compile-forecast.ts';
import { planSegments, type SegmentPlan } from './segment-plan.ts';

const dayMs = 86_400_000;

/** Maximum number of segments that a message names. */
const namedSegmentsMax = 8;

/**
 * Returns the rules that hold during the whole period of a forecast (OC58). If an edition that begins in the period
 * changes a verdict, or if the rules demand a registration whatever was answered before, the tables of a forecast do not
 * count the users, and the error names who is concerned.
 *
 * @throws NudgeLabError `forecast-invalid` with the segments whose verdicts change, and the dates
 */
export function findRulesOfPeriod(description: ForecastDescription, ruleset: Ruleset): Ruleset {
  const startMs = firstDayMs(description);
  const endMs = startMs + description.days * dayMs;
  const rules = pinRules(ruleset, startMs);
  const problems: ValidationProblem[] = [];
  const demanded = listSegments(description, rules).filter((part) => hasDemand(part, description, rules));
  if (demanded.length > 0) {
    const message = `${ruleset.id} requires the registration of users in ${listNames(demanded)} whatever they answered before, which the tables of a forecast do not count; \`nudgelab compare --ruleset\` counts them in a history`;
    problems.push({ location: 'ruleset', message });
  }
  let before = rules;
  for (const { fromMs, rules: next } of ruleset.editions ?? []) {
    if (fromMs <= startMs || fromMs >= endMs) continue;
    const changed = listSegments(description, next).flatMap((part) => describeChange(part, description, before, next));
    if (changed.length > 0) {
      const message = `${ruleset.id} changes with the edition ${next.edition} on day ${Math.ceil((fromMs - startMs) / dayMs) + 1}: ${changed.slice(0, namedSegmentsMax).join('; ')}. End the forecast before that date, or start it there`;
      problems.push({ location: 'days', message });
    }
    before = next;
  }
  if (problems.length > 0) throw new NudgeLabError('forecast-invalid', { problems });
  return rules;
}

function listSegments(description: ForecastDescription, rules: Ruleset): readonly SegmentPlan[] {
  return planSegments(description, effectiveCampaign(description.tenant, rules).method);
}

function listNames(parts: readonly SegmentPlan[]): string {
  return parts
    .slice(0, namedSegmentsMax)
    .map(({ name }) => name)
    .join(', ');
}

function hasDemand(part: SegmentPlan, { tenant }: ForecastDescription, rules: Ruleset): boolean {
  return listSignIns(part, tenant).some((facts) => findDemand(facts, rules) !== null);
}

/** Returns the sign-ins of a segment that the rules distinguish, without earlier snoozes. */
function listSignIns({ users, kinds }: SegmentPlan, tenant: ForecastDescription['tenant']) {
  return users.flatMap(({ facts: user }) =>
    kinds.map(({ patch }) => ({
      tenant,
      user: { ...user, snooze: { count: 0, snoozedAtMs: null } },
      attempt: completeAttempt(patch, user, 0),
    })),
  );
}

/** Describes how the first verdict of a segment that differs under the next rules changes. */
function describeChange(
  part: SegmentPlan,
  { tenant }: ForecastDescription,
  before: Ruleset,
  next: Ruleset,
): readonly string[] {
  const { editions: _later, ...earlier } = before;
  for (const facts of listSignIns(part, tenant)) {
    const [was, will] = [describe(evaluate(facts, earlier)), describe(evaluate(facts, next))];
    if (was !== will) return [`${part.name}: ${was} → ${will}`];
  }
  return [];
}

function describe({ outcome, reason, campaign }: Verdict): string {
  if (reason !== null) return `not prompted (${reason})`;
  const snoozes =
    outcome === 'skippable' ? `, ${campaign.snoozeDays} days, ${campaign.limited ? 'limited' : 'unlimited'}` : '';
  return `${outcome} prompt for ${campaign.method ?? 'no method'}${snoozes}`;
}
