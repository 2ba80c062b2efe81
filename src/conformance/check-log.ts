import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import type { Ruleset } from '../../machines/vocabulary.ts';
import { type ConformanceMapping, unobservedByDefault } from '../contract/conformance.schema.ts';
import type { ConformanceReport } from '../contract/conformance-report.ts';
import { type CheckOptions, type LogChecker, RulesetChecker } from './check/ruleset-checker.ts';
import type { LogEntry } from './model/log-event.ts';
import type { PolicyTimeline } from './model/policy-timeline.ts';
import type { LogFacts } from './own/log-facts.ts';
import { OwnRulesetChecker } from './own/own-checker.ts';

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
  readonly rest?: () => { readonly unmapped: ReadonlyMap<string, number>; readonly ignored: number };
}

/**
 * Checks a log against rulesets, in one pass.
 *
 * @param log - entries in the order of time, at least for each user
 * @param rulesets - rulesets to compare
 * @param onProgress - receives the number of events after each batch
 * @returns the fit of each ruleset, the best first
 * @throws NudgeLabError `log-invalid` for a row that cannot be read, and `log-too-large`
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
  let events = 0;
  for await (const batch of batches) {
    for (const entry of batch) {
      if (entry.type === 'policy') timeline.change(entry.change(timeline.latest), entry.lo, entry.hi);
      else for (const checker of checkers) checker.take(entry);
      if (entry.type === 'user') events += 1;
    }
    onProgress(events);
  }
  const fits = checkers.map((checker) => checker.result());
  const { unmapped = new Map<string, number>(), ignored = 0 } = rest?.() ?? {};
  return {
    events,
    unmapped: Object.fromEntries(unmapped),
    ignored,
    rulesets: fits.toSorted((a, b) => b.share - a.share || a.misfits - b.misfits),
  };
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
  };
}

/** Returns how a journey is checked: everything is observed, and the clock can be set back. */
export function journeyOptions(examplesMax: number): CheckOptions {
  return { unobserved: [], missing: 0, start: 'unknown', exactCounts: true, freeClock: true, examplesMax };
}
