import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { listRulesetMutants, testRulesetMutants } from '../../../src/generate/own/ruleset-mutants.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../../src/scenario/load.ts';
import { scenarioFiles } from '../../../src/scenario/scenario-files.ts';
import { parseRuleset } from '../../forecast/own/own-descriptions.ts';

const folder = join(import.meta.dirname, '../../../rulesets');

/** Sign-ins have ids of the driver, so no scenario can tell what a share of them is drawn by. */
const onlyByIds = ['RM25 rollout.by "user"', 'RM25 rollout.by "device"'];

describe('OC61 to OC64 the scenarios of the examples kill every mutant that is not equivalent', () => {
  it.each([
    ['passkey-week', 2],
    ['passkey-by-ecosystem', 0],
    ['passkey-90-days', 0],
    ['second-factor-deadline', 0],
  ])('%s', (name, byIds) => {
    const text = readFileSync(join(folder, `${name}.ruleset.yaml`), 'utf8');
    const original = parseRuleset(text);
    const { scenarios } = loadScenarios(scenarioFiles([folder], folder), new FixtureLibrary([]), folder);
    const own = scenarios.filter((scenario) => scenario.own?.ruleset.id === name);
    const mutants = listRulesetMutants(
      parse(text) as Readonly<Record<string, unknown>>,
      original,
      `${name}.ruleset.yaml`,
    );
    const options = { journeys: 400, decide: true, canContinue: () => true, onProgress: () => undefined };
    const { results } = testRulesetMutants(original, mutants, own, options);
    const open = results.filter(({ verdict }) => verdict === 'survived' || verdict === 'undecided');
    expect(open.map(({ mutant }) => mutant.id)).toEqual(onlyByIds.slice(0, byIds));
    expect(results.filter(({ verdict }) => verdict === 'killed').length).toBeGreaterThan(15);
  });
});
