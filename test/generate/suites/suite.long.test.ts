import { describe, expect, test, vi } from 'vitest';
import { nudgeMachine } from '../../../machines/nudge.machine.ts';
import { rules } from '../../../machines/rules/rule-registry.ts';
import { reasonCodes } from '../../../machines/vocabulary.ts';
import { expectedScenario, toScenario } from '../../../src/generate/journey.ts';
import { verdictRows } from '../../../src/generate/models/verdict-rows.ts';
import { type CoverageCriterion, coverageCriteria, generatedSuite } from '../../../src/generate/suites/suite.ts';
import { listGateOutcomeItems, listReasonItems, verdictSuite } from '../../../src/generate/suites/verdict-suite.ts';
import { MemoryStore } from '../../../src/journal/stores/memory.store.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import type { Driver } from '../../../src/scenario/driver.ts';
import { HttpDriver } from '../../../src/scenario/drivers/http.driver.ts';
import { ModelDriver } from '../../../src/scenario/drivers/model.driver.ts';
import { runSuite } from '../../../src/scenario/run-suite.ts';
import { startServer } from '../../../src/server/start.ts';
import { nonEmpty } from '../../non-empty.ts';

// The tests try many paths, which takes a long time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

async function runCriterion(cover: CoverageCriterion, driver: Driver = new ModelDriver()) {
  const suite = generatedSuite(cover, { snoozeDays: [1, 2] });
  const scenarios = await Promise.all(suite.journeys.map(async (one) => toScenario(await expectedScenario(one))));
  const report = await runSuite(scenarios, [driver], { workers: 1, bail: false, repeat: 1, coverage: true });
  return { suite, report };
}

describe('suites of scenarios', () => {
  test.for(['states', 'guards', 'rules', 'reasons', 'assumptions'] as const)(
    'R1 to R15: the scenarios for %s pass on the model and confirm everything that they claim',
    async (cover) => {
      const { suite, report } = await runCriterion(cover);
      expect(report.summary).toMatchObject({ passed: suite.journeys.length, failed: 0, skipped: 0 });
      expect(report.results.flatMap(({ unconfirmedClaims }) => unconfirmedClaims)).toEqual([]);
      expect(suite.cost).toBe(suite.lowerBound + suite.gap);
      expect(suite.gap).toBeGreaterThanOrEqual(0);
      expect(suite.lowerBoundOfTried).toBeLessThanOrEqual(suite.cost);
    },
  );

  test('R1 to R15: the same scenarios pass over HTTP, on pages that share no code with the generator', async () => {
    const server = await startServer({ sandboxes: await Sandboxes.open(new MemoryStore()), port: 0 });
    const driver = new HttpDriver({ controlUrl: server.controlUrl });
    for (const cover of ['states', 'guards', 'rules', 'assumptions'] as const) {
      const { suite, report } = await runCriterion(cover, driver);
      expect(report.summary).toMatchObject({ passed: suite.journeys.length, failed: 0, skipped: 0 });
    }
    await driver.close();
    await server.close();
  }, 60_000);

  test('C1 to R5: the suite for rules shows every outcome of every gate, as counted by the run', async () => {
    const { suite, report } = await runCriterion('rules');
    expect(suite.unreachable).toEqual([]);
    expect(report.coverage.outcomesCovered).toBe(report.coverage.outcomesTotal);
    expect(
      report.coverage.rules.filter(({ kind }) => kind === 'lifecycle').every(({ observed: seen }) => seen > 0),
    ).toBe(true);
  });

  test('R1 to R15: the suite for reasons shows each reason as the primary one, and both kinds of prompts', async () => {
    const { suite, report } = await runCriterion('reasons');
    const expected = suite.journeys.map((journey) => expectedScenario(journey));
    const ends = (await Promise.all(expected)).map(({ steps }) => steps[0]?.expect);
    expect(new Set(ends.map((expect) => expect?.reason))).toEqual(new Set([...reasonCodes, null]));
    expect(new Set(ends.map((expect) => expect?.outcome))).toEqual(new Set(['none', 'skippable', 'required']));
    // Each reason and each prompt requires its own sign-in, so a smaller suite is impossible.
    expect(suite).toMatchObject({ gap: 0, unreachable: [] });
    expect(report.summary.passed).toBe(reasonCodes.length + 2);
  });

  test('A1 to A79: the suite for assumptions confirms all assumptions except those that can only be claimed', async () => {
    const { suite, report } = await runCriterion('assumptions');
    const open = report.coverage.assumptions.filter(({ state }) => state !== 'confirmed').map(({ id }) => id);
    // A52 to A79 are about ruleset files, announced changes and clients, which the suite does not use.
    expect(open).toEqual(['A46', 'A47', 'A51', ...Array.from({ length: 28 }, (_, index) => `A${index + 52}`)]);
    expect(suite.unreachable).toEqual(expect.arrayContaining(open));
  });

  test('R5, R6: the suite for guards evaluates every guard to true and false, if a user can cause it', () => {
    const { covered, unreachable } = generatedSuite('guards');
    const all = Object.keys(nudgeMachine.implementations.guards).length * 2;
    expect(covered + unreachable.length).toBe(all);
    expect(unreachable).toEqual([
      'promptIsUnknown is true',
      'anotherMethodWasRemoved is true',
      'recordSaysSnoozed is true',
    ]);
  });

  test('C1 to R5: the outcomes of a gate that is missing in the trace are reported as unreachable', () => {
    const without = {
      ...listGateOutcomeItems,
      shownBy: (verdict: Parameters<typeof listGateOutcomeItems.shownBy>[0]) =>
        listGateOutcomeItems.shownBy({ ...verdict, rules: verdict.rules.filter(({ id }) => id !== 'R13.4') }),
    };
    expect(verdictSuite(without).unreachable).toEqual(['R13.4 met', 'R13.4 stopped: terms-of-use']);
  });

  test('C1 to R5: the selected rows show every reason of the rows that were tried', () => {
    const chosen = new Set(verdictSuite(listReasonItems).shown.flat());
    const shown = verdictRows(2).map(({ verdict }) => verdict.reason ?? verdict.outcome);
    expect(shown.filter((name) => !chosen.has(name))).toEqual([]);
    expect(rules.flatMap(({ reasons }) => reasons).every((reason) => chosen.has(reason))).toBe(true);
  });

  test.for(nonEmpty(coverageCriteria))('R6: the suite for %s has the same bytes each time', (cover) => {
    const bytes = () => JSON.stringify(generatedSuite(cover, { snoozeDays: [1] }));
    expect(bytes()).toBe(bytes());
  });
});
