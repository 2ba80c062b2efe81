import { describe, expect, it } from 'vitest';
import type { NearestFit } from '../../src/contract/conformance-report.ts';
import { byTier } from '../tier.ts';
import { createChecker, firstRejected, toUserEvent } from './checked-log.ts';
import { firstImpossible, type OracleEvent, type OracleKind, type OracleSettings, oracleKinds } from './log-oracle.ts';
import { createChooser, editLog, randomLog } from './random-logs.ts';

const settings: OracleSettings = { days: 1, limited: true, rounding: 1, hidden: [], missing: 0 };

/** Returns the changes that an explanation of the last event names. */
function getNearest(log: readonly OracleEvent[]): readonly NearestFit[] {
  const checker = createChecker(settings);
  for (const [index, event] of log.entries()) checker.take(toUserEvent(event, index + 1, 1));
  return checker.result().examples[0]?.nearest ?? [];
}

/** Returns the first impossible event after a change; -1 if all are possible, or if the simulation lacks the change. */
function simulated(log: readonly OracleEvent[], fit: NearestFit): number {
  const [before, event] = [log.slice(0, -1), log.at(-1) as OracleEvent];
  if (fit.edit === 'missing-event') return firstImpossible(log, { ...settings, missing: 1 });
  if (fit.edit !== 'another-event' || !(oracleKinds as readonly string[]).includes(fit.kind)) return -1;
  return firstImpossible([...before, { ...event, kind: fit.kind as OracleKind }], settings);
}

describe('nearest behavior', () => {
  it('R5, R6: the simulation accepts the event after each change that an explanation names', () => {
    const edits = new Set<string>();
    for (let seed = 1; seed <= byTier({ quick: 60, all: 3_000 }); seed += 1) {
      const chooser = createChooser(seed);
      const log = editLog(randomLog(chooser, settings, 8), chooser);
      const at = firstRejected(log, settings);
      if (at < 0) continue;
      const shown = log.slice(0, at + 1);
      const nearest = getNearest(shown);
      expect(nearest.length).toBeGreaterThan(0);
      for (const fit of nearest) {
        edits.add(fit.edit);
        expect([seed, fit, simulated(shown, fit)]).toEqual([seed, fit, -1]);
      }
    }
    expect([...edits].toSorted()).toEqual(['another-event', 'another-time', 'dropped', 'missing-event']);
  });
});
