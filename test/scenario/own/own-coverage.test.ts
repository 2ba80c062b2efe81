import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CoverageRecorder } from '../../../src/scenario/coverage.ts';
import { ModelDriver } from '../../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../../src/scenario/load.ts';
import { OwnCoverage } from '../../../src/scenario/own/own-coverage.ts';
import { runScenario } from '../../../src/scenario/run-scenario.ts';
import { scenarioFiles } from '../../../src/scenario/scenario-files.ts';
import { parseRuleset } from '../../forecast/own/own-descriptions.ts';
import { nonEmpty } from '../../non-empty.ts';
import { rulesetText } from '../rulesets/ruleset-text.ts';

const folder = join(import.meta.dirname, '../../../rulesets');

const worked = ['passkey-week', 'passkey-by-ecosystem', 'passkey-90-days', 'second-factor-deadline'];

describe('OC48 coverage with the ruleset as the denominator', () => {
  it('the scenarios of every example cover everything that its ruleset can do', async () => {
    const { scenarios } = loadScenarios(scenarioFiles([folder], folder), new FixtureLibrary([]), folder);
    const recorder = new CoverageRecorder();
    const driver = new ModelDriver();
    for (const scenario of nonEmpty(scenarios)) await runScenario(scenario, driver, recorder);
    const { rulesets = [] } = recorder.report();
    const examples = rulesets.filter(({ ruleset }) => worked.includes(ruleset));
    expect(examples.length).toBe(worked.length);
    const missing = examples.flatMap(({ ruleset, items }) =>
      items.filter(({ seen }) => seen === 0).map(({ item }) => `${ruleset}: ${item}`),
    );
    expect(missing).toEqual([]);
  });

  it.each([
    ['gates', {}, ['gate G1 met', 'gate G1 not-a-member', 'gate X.trigger not-this-moment']],
    [
      'a cadence',
      { cadence: 'cadence: { kind: fixed, every: 2d }' },
      ['cadence before', 'cadence at', 'cadence after', 'gate X.cadence snoozed'],
    ],
    [
      'a limit',
      { limit: 'limit: { of: 1, counts: snoozes, then: required, after: wait }' },
      ['limit reached', 'screen required', 'answer skip refused'],
    ],
    [
      'a deadline',
      { deadline: "deadline: { ends: [{ at: '2026-02-01' }], opens: 3d }" },
      ['deadline before', 'deadline at', 'deadline after', 'deadline not yet open'],
    ],
    [
      'a rollout',
      { rollout: 'rollout: { percent: 50, by: user, variants: [{ id: a, share: 1, settings: { count: 1 } }] }' },
      ['gate X.rollout not-rolled-out', 'variant a'],
    ],
    [
      'resets',
      {
        resets: 'resets: [{ on: removed, clears: [count] }, { on: { newVersion: user.facts.level }, clears: [timer] }]',
      },
      ['reset removed', 'reset newVersion user.facts.level'],
    ],
    [
      'an edition',
      { editions: 'editions: [{ from: 2026-02-01, source: [a], set: { lifetime: 10m } }]' },
      ['edition 2026-02-01 crossed'],
    ],
  ])('%s', (_name, changes, items) => {
    const { items: all, covered } = new OwnCoverage(parseRuleset(rulesetText(changes))).report();
    expect(covered).toBe(0);
    expect(all.map(({ item }) => item)).toEqual(expect.arrayContaining(items));
  });
});
