import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin';
import { IdGenerator, type Pickle } from '@cucumber/messages';
import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { ScenarioData } from '../../../src/generate/journey.ts';
import { arrayCsv } from '../../../src/generate/write/array-csv.ts';
import { gherkinFeatures } from '../../../src/generate/write/gherkin-feature.ts';
import { scenarioArtifacts } from '../../../src/generate/write/scenario-files.ts';
import { ModelDriver } from '../../../src/scenario/drivers/model.driver.ts';
import { loadText } from '../../../src/scenario/load.ts';
import { runSuite } from '../../../src/scenario/run-suite.ts';
import { defineSteps } from '../../../src/testing/cucumber.ts';
import { nonEmpty } from '../../non-empty.ts';
import { fixtures, heading, sampleScenarios } from './sample-journeys.ts';

function parsePickles(text: string): readonly Pickle[] {
  const newId = IdGenerator.incrementing();
  const parser = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher());
  return compile(parser.parse(text), 'sample.feature', newId);
}

/** Runs a pickle like Cucumber: each step by the only definition whose pattern matches it. */
async function runPickle({ steps }: Pickle): Promise<void> {
  const definitions: { pattern: RegExp; definition: (this: object, text: string) => unknown }[] = [];
  const define = (pattern: RegExp, definition: (this: object, text: string) => unknown) => {
    definitions.push({ pattern, definition });
  };
  defineSteps({ Given: define, When: define, Then: define });
  const context = {};
  for (const { text } of nonEmpty(steps)) {
    const matching = definitions.filter(({ pattern }) => pattern.test(text));
    expect(matching, text).toHaveLength(1);
    await matching[0]?.definition.call(context, matching[0]?.pattern.exec(text)?.[1] ?? '');
  }
}

/** Returns sign-ins that differ only in values. Some of these values require quotes in YAML and tables. */
async function alike(): Promise<readonly ScenarioData[]> {
  const [linux, ios, android] = (await sampleScenarios()).slice(-3) as [ScenarioData, ScenarioData, ScenarioData];
  return [linux, ios, android];
}

describe('scenarios with and without the same steps', () => {
  it('scenarios with the same steps become one file with a row each, and run as before', async () => {
    const [file, ...others] = scenarioArtifacts(await alike(), heading);
    expect(others).toEqual([]);
    const { scenarios, problems } = loadText('alike.yaml', file?.text ?? '', fixtures);
    expect(problems).toEqual([]);
    expect(scenarios.map(({ steps }) => steps[0]?.say)).toMatchObject([
      { os: 'linux' },
      { os: 'ios' },
      { os: 'android' },
    ]);
    expect(scenarios.map(({ steps }) => steps[0]?.expect)).toEqual(
      (await alike()).map(({ steps }) => steps[0]?.expect),
    );
    const options = { workers: 1, bail: false, repeat: 1, coverage: false };
    expect((await runSuite(scenarios, [new ModelDriver()], options)).summary).toMatchObject({ passed: 3, failed: 0 });
  });

  it('scenarios with different steps are written to separate files, with the same bytes each time', async () => {
    const files = scenarioArtifacts(await sampleScenarios(), heading);
    expect(files.map(({ path }) => path)).toEqual([
      'three-skips-then-required-it-s-refused.yaml',
      'two-tabs.yaml',
      'closed-come-back-to-and-closed-for-good.yaml',
      'a-passkey-of-another-device.yaml',
      'policy-and-facts-change.yaml',
      'a-phone-or-a-desktop.yaml',
    ]);
    expect(scenarioArtifacts(await sampleScenarios(), heading)).toEqual(files);
    expect(files.flatMap(({ path, text }) => loadText(path, text, fixtures).problems)).toEqual([]);
  });
});

describe('Gherkin features', () => {
  it('the Gherkin parser reads a feature, and every sentence has one definition that passes', async () => {
    const [feature] = gherkinFeatures(await sampleScenarios(), heading);
    expect(feature?.path).toBe('sample-journeys.feature');
    const pickles = parsePickles(feature?.text ?? '');
    expect(pickles).toHaveLength(8);
    for (const pickle of pickles) await runPickle(pickle);
    expect(gherkinFeatures(await sampleScenarios(), heading)).toEqual([feature]);
  });

  it('scenarios with the same steps become an outline with a table', async () => {
    const [feature] = gherkinFeatures(await alike(), heading);
    expect(feature?.text).toContain('Scenario Outline: A phone or a desktop');
    expect(feature?.text).toMatch(/ {6}\| os +\|/);
    expect(parsePickles(feature?.text ?? '')).toHaveLength(3);
  });

  it('a feature with a wrong expectation fails', async () => {
    const [feature] = gherkinFeatures(await alike(), heading);
    const [, ...pickles] = parsePickles((feature?.text ?? '').replaceAll('not-nudged', 'prompt'));
    expect(pickles).toHaveLength(2);
    for (const pickle of pickles) await expect(runPickle(pickle)).rejects.toThrow(/was expected/);
  });
});

describe('covering arrays as CSV', () => {
  it('another parser reads the same values, including commas, quotes and line breaks', () => {
    const rows = [
      ['windows', 'a,b', '"quoted"'],
      ['ios', 'two\nlines', ''],
    ];
    const { path, text } = arrayCsv(
      { factors: ['os', 'one, two', 'three'], rows },
      { title: 'Pairs of 3', comment: '' },
    );
    expect(path).toBe('pairs-of-3.csv');
    expect(text.endsWith('\r\n')).toBe(true);
    expect(parseCsv(text)).toEqual([['os', 'one, two', 'three'], ...rows]);
  });

  it('a text that a spreadsheet would interpret as a formula is escaped', () => {
    const rows = [['=1+1'], ['+2'], ['-3'], ['@x'], ['\tx'], ['fine']];
    const { text } = arrayCsv({ factors: ['cell'], rows }, heading);
    const cells = (parseCsv(text) as string[][]).slice(1).map(([cell]) => cell);
    expect(cells).toEqual(["'=1+1", "'+2", "'-3", "'@x", "'\tx", 'fine']);
  });
});
