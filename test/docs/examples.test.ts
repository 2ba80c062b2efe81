import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DemoSystem, type OwnSystem } from '../../docs/examples/demo-system.ts';
import config from '../../docs/examples/nudgelab.config.ts';
import { driver, OwnDriver } from '../../docs/examples/own-driver.ts';
import { suiteFiles } from '../../src/cli/init/suite-files.ts';
import { type Driver, FixtureLibrary, loadScenarios, ModelDriver, runSuite, scenarioFiles } from '../../src/index.ts';
import { loadText } from '../../src/scenario/load.ts';
import { listBlocks, pageAt, pages } from './markdown.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const fixtures = new FixtureLibrary([`${top}fixtures`]);
const options = { workers: 4, bail: false, repeat: 1, coverage: true };

/** Complete scenarios on the pages. The README prints the one that `nudgelab init` writes. */
const printed = pages()
  .filter(({ path }) => path !== 'README.md')
  .flatMap(({ path, text }) =>
    listBlocks(text)
      .filter((block) => block.language === 'yaml' && block.text.startsWith('name:'))
      .map((block) => ({ place: `${path}:${block.line}`, text: block.text })),
  );

describe('docs: scenarios on pages', () => {
  test('docs: the pages contain more than five scenarios', () => {
    expect(printed.length).toBeGreaterThan(5);
  });

  test.for(printed)('docs: $place loads, passes and confirms the rules that it claims to cover', async ({ text }) => {
    const { scenarios, problems } = loadText('printed.yaml', text, fixtures);
    expect(problems).toEqual([]);
    const { results } = await runSuite(scenarios, [new ModelDriver()], options);
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
  });

  test('docs: the README prints the scenario that `nudgelab init` writes', () => {
    const block = listBlocks(pageAt('README.md').text).find(({ language }) => language === 'yaml');
    const written = suiteFiles(() => '').find(({ path }) => path.startsWith('scenarios/'));
    expect(written?.text.replaceAll(/^#.*\n/gm, '')).toBe(block?.text);
  });
});

describe('docs: example driver', () => {
  const { scenarios, problems } = loadScenarios(scenarioFiles(['docs/examples/scenarios'], top), fixtures, top);

  test('docs: the configuration names the module of the driver', () => {
    expect(config.drivers.own).toEqual({ module: './own-driver.ts' });
    expect(driver().name).toBe('own');
    expect(problems).toEqual([]);
  });

  test('docs: the driver passes the supported scenario and skips the other one with a reason', async () => {
    const { results } = await run(driver());
    expect(results.map(({ file, status }) => [file.split('/').at(-1), status])).toEqual([
      ['registered-user.yaml', 'skipped'],
      ['skipped-nudge.yaml', 'passed'],
    ]);
    expect(results[0]?.message).toContain('register');
  });

  test('docs: a system that does not snooze fails the same scenario', async () => {
    const forgetful: OwnSystem = new DemoSystem();
    forgetful.skip = async () => true;
    const { results } = await run(new OwnDriver(forgetful));
    expect(results[1]).toMatchObject({ status: 'failed' });
  });

  test('docs: the model passes both scenarios of the example', async () => {
    expect((await run(new ModelDriver())).summary).toMatchObject({ passed: 2, failed: 0, skipped: 0 });
  });

  function run(on: Driver) {
    return runSuite(scenarios, [on], options);
  }
});
