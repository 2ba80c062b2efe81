import { seedRuleset } from '../../machines/rulesets/built-in.ts';
import type { Ruleset } from '../../machines/vocabulary.ts';
import { RulesetChecker } from '../../src/conformance/check/ruleset-checker.ts';
import { readMappingText } from '../../src/conformance/log/read-mapping.ts';
import { noFacts, type UserEvent } from '../../src/conformance/model/log-event.ts';
import { createTimeline } from '../../src/conformance/model/policy-timeline.ts';
import { plainVariant } from '../../src/conformance/model/verdict-table.ts';
import type { OracleEvent, OracleSettings } from './log-oracle.ts';

const tickMs = 300_000;
const startMs = Date.UTC(2026, 0, 5);

/** Converts an event of the simulation to one of the checker. */
export function toUserEvent({ kind, tick }: OracleEvent, line: number, rounding: number, user = 'ada'): UserEvent {
  return {
    type: 'user',
    user,
    line,
    lo: startMs + tick * tickMs,
    hi: startMs + (tick + rounding - 1) * tickMs,
    kinds: [kind],
    prompt: null,
    facts: noFacts,
    variant: plainVariant,
    sets: null,
  };
}

/** Creates a checker with the settings of a simulation. */
export function createChecker(settings: OracleSettings, ruleset: Ruleset = seedRuleset): RulesetChecker {
  const { days, limited, hidden, missing } = settings;
  const mapping = readMappingText(
    'test.mapping.yaml',
    JSON.stringify({
      user: 'user',
      time: { field: 'at' },
      event: { field: 'event', values: { skip: 'skipped' } },
      policy: { days, limited },
    }),
  );
  const silent = { unobserved: hidden, missing, exactCounts: false, freeClock: false } as const;
  return new RulesetChecker(ruleset, createTimeline(mapping), { ...silent, start: 'fresh', examplesMax: 5 });
}

/** Returns the index of the first event that the checker rejects; -1 if the log fits. */
export function firstRejected(log: readonly OracleEvent[], settings: OracleSettings): number {
  const checker = createChecker(settings);
  return log.findIndex((event, index) => !checker.take(toUserEvent(event, index + 1, settings.rounding)));
}
