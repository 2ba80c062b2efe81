import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../non-empty.ts';
import { byTier } from '../tier.ts';
import { firstRejected } from './checked-log.ts';
import { firstImpossible, hourTicks, type OracleEvent, type OracleSettings } from './log-oracle.ts';
import { createChooser, editLog, randomLog } from './random-logs.ts';

const exact: OracleSettings = { days: 1, limited: true, rounding: 1, hidden: [], missing: 0 };

function listSeeds(quick: number, all: number): readonly number[] {
  return Array.from({ length: byTier({ quick, all }) }, (_, at) => at + 1);
}

/** Rounds the times of a log, and drops what it hides. */
function observed(log: readonly OracleEvent[], { rounding, hidden }: OracleSettings): readonly OracleEvent[] {
  return log
    .filter(({ kind }) => !hidden.includes(kind))
    .map(({ kind, tick }) => ({ kind, tick: Math.floor(tick / rounding) * rounding }));
}

describe('conformance against a brute-force simulation', () => {
  it('R5, R6, R7: random logs of the model fit, and an edit is found at the first impossible event', () => {
    let impossible = 0;
    for (const seed of nonEmpty(listSeeds(200, 20_000))) {
      const chooser = createChooser(seed);
      const settings = { ...exact, limited: seed % 2 === 0, days: seed % 3 };
      const log = randomLog(chooser, settings, 14);
      expect([seed, firstRejected(log, settings)]).toEqual([seed, -1]);
      const edited = editLog(log, chooser);
      const first = firstImpossible(edited, settings);
      expect([seed, firstRejected(edited, settings)]).toEqual([seed, first]);
      if (first >= 0) impossible += 1;
    }
    expect(impossible).toBeGreaterThan(byTier({ quick: 40, all: 5_000 }));
  });

  it('R5, A40: a log with times rounded to hours fits, and is never rejected before it is impossible', () => {
    const found = { impossible: 0, same: 0 };
    for (const seed of nonEmpty(listSeeds(30, 1_000))) {
      const chooser = createChooser(seed);
      const settings = { ...exact, rounding: hourTicks, limited: seed % 2 === 0 };
      const log = randomLog(chooser, settings, 8);
      expect([seed, firstRejected(observed(log, settings), settings)]).toEqual([seed, -1]);
      const edited = observed(editLog(log, chooser), settings);
      const first = firstImpossible(edited, settings);
      const rejected = firstRejected(edited, settings);
      if (first < 0) expect([seed, rejected]).toEqual([seed, -1]);
      else {
        found.impossible += 1;
        if (rejected === first) found.same += 1;
        expect(rejected === -1 || rejected >= first).toBe(true);
      }
    }
    expect(found.impossible).toBeGreaterThan(byTier({ quick: 4, all: 200 }));
    expect(found.same / found.impossible).toBeGreaterThan(0.9);
  });

  it.each([
    [['next-selected']],
    [['closed']],
    [['next-selected', 'setup-failed', 'error-skipped']],
    [['skipped', 'closed']],
  ] as const)('R9, A41: a log that hides %j fits, and an edit is found at the first impossible event', (hidden) => {
    let impossible = 0;
    for (const seed of nonEmpty(listSeeds(20, 600))) {
      const chooser = createChooser(seed);
      const settings = { ...exact, hidden, limited: seed % 2 === 0 };
      const log = randomLog(chooser, settings, 8);
      expect([seed, firstRejected(observed(log, settings), settings)]).toEqual([seed, -1]);
      const edited = observed(editLog(log, chooser), settings);
      const first = firstImpossible(edited, settings);
      expect([seed, firstRejected(edited, settings)]).toEqual([seed, first]);
      if (first >= 0) impossible += 1;
    }
    expect(impossible).toBeGreaterThan(0);
  });

  it('A26: a log with one event missing fits if one may be missing, and is rejected as the simulation rejects it', () => {
    for (const seed of nonEmpty(listSeeds(6, 300))) {
      const chooser = createChooser(seed);
      const settings = { ...exact, missing: 1 };
      const log = randomLog(chooser, settings, 6);
      const cut = log.toSpliced(chooser.below(log.length), 1);
      expect([seed, firstRejected(cut, settings)]).toEqual([seed, -1]);
      const edited = editLog(cut, chooser);
      expect([seed, firstRejected(edited, settings)]).toEqual([seed, firstImpossible(edited, settings)]);
    }
  });
});
