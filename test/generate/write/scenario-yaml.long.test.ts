import { globSync, readFileSync } from 'node:fs';
import fc, { array, dictionary, jsonValue, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { expectedScenario, type ScenarioData, toScenario } from '../../../src/generate/journey.ts';
import { scenarioYaml } from '../../../src/generate/write/scenario-yaml.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';
import { loadText } from '../../../src/scenario/load.ts';
import type { Scenario } from '../../../src/scenario/scenario.ts';

const fixtures = new FixtureLibrary(['fixtures']);
const shipped = globSync('scenarios/**/*.yaml').toSorted();

function withoutPlaces({ steps, ...rest }: Scenario): unknown {
  return { ...rest, steps: steps.map(({ line: _line, column: _column, ...step }) => step) };
}

describe('scenarios as YAML', () => {
  it('every scenario of the repository is unchanged after it is read, written and loaded again', () => {
    expect(shipped.length).toBeGreaterThan(100);
    for (const file of shipped) {
      const text = readFileSync(file, 'utf8');
      const written = scenarioYaml(parse(text) as ScenarioData);
      const before = loadText(file, text, fixtures);
      const after = loadText(file, written, fixtures);
      expect(after.problems, file).toEqual([]);
      expect(after.scenarios.map(withoutPlaces), file).toEqual(before.scenarios.map(withoutPlaces));
    }
  });

  it('a scenario with expected results is the same when it is loaded from its file and from its data', async () => {
    const data = await expectedScenario(
      {
        name: 'Two tabs: the second skip counts, "as it should"',
        covers: ['A26'],
        tags: ['two-tabs'],
        clock: '2026-03-01T00:00:00.000Z',
        seed: 7,
        given: { tenant: { extends: 'app-enabled' }, users: { ada: 'sms-user', yes: { methods: ['voice'] } } },
        steps: [
          { signIn: { user: 'ada', as: '1' } },
          { signIn: { user: 'ada', as: 'tab two' } },
          { skip: { prompt: '1' } },
          { skip: { prompt: 'tab two' } },
          { getPolicy: { as: { app: 'console', permissions: ['Policy.Read.All'] } } },
        ],
      },
      fixtures,
    );
    const { scenarios, problems } = loadText(data.name, scenarioYaml(data), fixtures);
    expect(problems).toEqual([]);
    expect(scenarios.map(withoutPlaces)).toEqual([toScenario(data, fixtures)].map(withoutPlaces));
  });

  it('any data is read back as it was written, with the same bytes each time', () => {
    const text = string({ unit: 'binary' });
    const step = dictionary(text, jsonValue({ noUnicodeString: false }), { maxKeys: 3 });
    const any = record({
      name: string({ unit: 'binary', minLength: 1 }),
      covers: array(text),
      given: dictionary(string(), jsonValue(), { minKeys: 1, maxKeys: 4 }),
      steps: array(record({ setTenant: step, expect: step }), { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      property(any, (data) => {
        const written = scenarioYaml(data as unknown as ScenarioData);
        expect(JSON.stringify(parse(written))).toBe(JSON.stringify(data));
        expect(scenarioYaml(structuredClone(data) as unknown as ScenarioData)).toBe(written);
      }),
      { numRuns: 100 },
    );
  });

  it('short values are written on one line, and instants are quoted', () => {
    const text = scenarioYaml(
      {
        name: 'One',
        covers: ['R5'],
        given: { tenant: 'app-enabled', users: { ada: 'sms-user' } },
        steps: [
          { signIn: { user: 'ada' }, expect: { page: 'prompt', nextPromptAt: '2026-01-06T09:00:00.000Z' } },
          { skip: {} },
        ],
      },
      'Written by a test.',
    );
    expect(text).toBe(`# Written by a test.
name: One
covers: [R5]
given:
  tenant: app-enabled
  users: { ada: sms-user }
steps:
  - signIn: { user: ada }
    expect: { page: prompt, nextPromptAt: '2026-01-06T09:00:00.000Z' }
  - skip: {}
`);
  });
});
