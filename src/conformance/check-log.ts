import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import type { Ruleset } from '../../machines/vocabulary.ts';
import { type ConformanceMapping, unobservedByDefault } from '../contract/conformance.schema.ts';
import type { ConformanceReport } from '../contract/conformance-report.ts';
import { NudgeLabError } from '../core/errors.ts';
import { describeUnknownName } from '../core/nearest-name.ts';
import { type CheckOptions, type LogChecker, RulesetChecker } from './check/ruleset-checker.ts';
import { type MappedRest, nothingRead } from './log/log-rows.ts';
import { createMappingProblem } from './log/mapping-faults.ts';
import type { LogEntry, UserEvent } from './model/log-event.ts';
import type { PolicyTimeline } from './model/policy-timeline.ts';
import type { LogFacts } from './own/log-facts.ts';
import { OwnRulesetChecker } from './own/own-checker.ts';
import { listButtons } from './own/own-steps.ts';

/** Ruleset that a log is checked against: a registration campaign, or one with the base `own`. */
export type CheckedRuleset = Ruleset | OwnRuleset;

/** Log after the mapping, with the settings of its campaign. */
export interface CheckedLog {
  readonly timeline: PolicyTimeline;
  readonly batches: AsyncIterable<readonly LogEntry[]> | Iterable<readonly LogEntry[]>;
  readonly options: CheckOptions;
  /** Returns the reader of the facts of an own ruleset; absent for a log whose mapping names them. */
  readonly readFacts?: (ruleset: OwnRuleset) => LogFacts;
  /** Returns what the mapping left out so far. */
  readonly rest?: () => MappedRest;
}

/**
 * Checks a log against rulesets, in one pass.
 *
 * @param log - entries in the order of time, at least for each user
 * @param rulesets - rulesets to compare
 * @param onProgress - receives the number of events after each batch
 * @returns the fit of each ruleset, the best first
 * @throws NudgeLabError `log-invalid` for a row that cannot be read, `mapping-invalid`, and `log-too-large`
 */
export async function checkLog(
  { timeline, batches, options, readFacts, rest }: CheckedLog,
  rulesets: readonly CheckedRuleset[],
  onProgress: (events: number) => void = () => undefined,
): Promise<ConformanceReport> {
  const checkers = rulesets.map(
    (one): LogChecker =>
      'first' in one
        ? new OwnRulesetChecker(one, options, readFacts?.(one) ?? null)
        : new RulesetChecker(one, timeline, options),
  );
  const answers = listAnswers(rulesets);
  let events = 0;
  for await (const batch of batches) {
    for (const entry of batch) {
      if (entry.type === 'policy') timeline.change(entry.change(timeline.latest), entry.lo, entry.hi);
      else {
        if (entry.type === 'user') requireAnswer(entry, answers, options.mapping);
        for (const checker of checkers) checker.take(entry);
      }
      if (entry.type === 'user') events += 1;
    }
    onProgress(events);
  }
  const fits = checkers.map((checker) => checker.result());
  const { unmapped, ignored, absent } = rest?.() ?? nothingRead;
  return {
    events,
    unmapped: Object.fromEntries(unmapped),
    ignored,
    absentColumns: [...absent],
    rulesets: fits.toSorted((a, b) => b.share - a.share || a.misfits - b.misfits),
  };
}

/** Lists the answers of own rulesets; `null` if there are none, because others have no answers to choose from. */
function listAnswers(rulesets: readonly CheckedRuleset[]): readonly string[] | null {
  const own = rulesets.filter((one) => 'first' in one);
  if (own.length === 0) return null;
  const rules = own.flatMap(({ first, editions }) => [first, ...editions.map((edition) => edition.rules)]);
  return [...new Set(rules.flatMap(listButtons))];
}

/** Refuses an answer that no ruleset has. It is a fault of the mapping if that gives a value this id. */
function requireAnswer(
  { line, answer }: UserEvent,
  allowed: readonly string[] | null,
  mapping: ConformanceMapping | undefined,
): void {
  if (answer === undefined || allowed === null || allowed.includes(answer)) return;
  const ids = mapping?.answer?.values ?? {};
  const value = Object.keys(ids).find((key) => ids[key] === answer);
  if (mapping !== undefined && value !== undefined) {
    const problem = createMappingProblem(mapping, ['answer', 'values', value], describeUnknownName(answer, allowed));
    throw new NudgeLabError('mapping-invalid', { problems: [problem] });
  }
  const message = `unknown answer: ${describeUnknownName(answer, allowed)}; answer.values of the mapping gives values their ids`;
  throw new NudgeLabError('log-invalid', { problems: [{ location: `line ${line}`, message }] });
}

/** Returns how the log of a mapping is checked. */
export function getOptions(mapping: ConformanceMapping, examplesMax: number): CheckOptions {
  const { unobserved, event, missing, start, facts } = mapping;
  const meant = new Set(Object.values(event.values).flat());
  return {
    unobserved: unobserved ?? unobservedByDefault.filter((kind) => !meant.has(kind)),
    missing,
    start,
    exactCounts: facts.count !== undefined,
    freeClock: false,
    examplesMax,
    constants: new Map(Object.entries(mapping.constants)),
    mapping,
  };
}

/** Returns how a journey is checked: everything is observed, and the clock can be set back. */
export function journeyOptions(examplesMax: number): CheckOptions {
  return { unobserved: [], missing: 0, start: 'unknown', exactCounts: true, freeClock: true, examplesMax };
}
