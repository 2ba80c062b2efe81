import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configSchema } from '../../src/cli/config.schema.ts';
import { nothingConfigured } from '../../src/cli/config.ts';
import { isDriver } from '../../src/cli/config-values.ts';
import { runProgram } from '../../src/cli/program.ts';
import type { RunReport } from '../../src/contract/result.schema.ts';
import { parseOutput, runHere, testContext } from './command-context.ts';
import ownConfig from './fixtures/own-driver/nudgelab.config.ts';
import { passing, suiteFolder } from './suite-folder.ts';

const ownDriver = join(import.meta.dirname, 'fixtures/own-driver');

function statuses({ stdout }: { stdout: string }): readonly unknown[] {
  const { results } = JSON.parse(stdout) as RunReport;
  return results.map(({ file, driver, status, message }) => [file.replace(/.*\//, ''), driver, status, message]);
}

it('the settings of a run without a configuration equal the schema defaults', () => {
  expect(nothingConfigured).toEqual(configSchema.parse({}));
});

describe('run: custom drivers', () => {
  it('the documented example matches the configuration schema and provides a driver', () => {
    expect(configSchema.safeParse(ownConfig).error).toBeUndefined();
    const { toy } = ownConfig.drivers ?? {};
    expect(isDriver(typeof toy === 'function' ? toy() : toy)).toBe(true);
  });

  it('the documented example runs the supported scenarios and skips the others with a reason', async () => {
    const ended = await runHere(['run', '--driver', 'toy', '--json'], { cwd: ownDriver });
    expect(statuses(ended)).toEqual([
      ['policy.yaml', 'toy', 'skipped', 'The toy driver does not support getPolicy.'],
      ['put-off.yaml', 'toy', 'passed', undefined],
    ]);
    expect(ended.code).toBe(0);
  });

  it('the documented example and the model have the same results for scenarios that both support', async () => {
    const ended = await runHere(['run', '--driver', 'toy,model', '--filter', 'put-off', '--json'], { cwd: ownDriver });
    expect({ code: ended.code, statuses: statuses(ended) }).toEqual({
      code: 0,
      statuses: [
        ['put-off.yaml', 'toy', 'passed', undefined],
        ['put-off.yaml', 'model', 'passed', undefined],
      ],
    });
  });

  it('a run fails if every scenario was skipped, and --fail-on-skip fails on any skip', async () => {
    const only = await runHere(['run', '--driver', 'toy', '--filter', 'policy'], { cwd: ownDriver });
    expect({ code: only.code, said: only.stdout.includes('does not support getPolicy') }).toEqual({
      code: 1,
      said: true,
    });
    expect((await runHere(['run', '--driver', 'toy', '--fail-on-skip'], { cwd: ownDriver })).code).toBe(1);
  });

  it('--fail-on-skip: the output mentions failed skips only if a scenario was skipped', async () => {
    const said = 'Skipped scenarios count as failed (--fail-on-skip).';
    const some = await runHere(['run', '--driver', 'toy,model', '--fail-on-skip'], { cwd: ownDriver });
    expect([some.code, some.stdout.includes(said)]).toEqual([1, true]);
    const none = await runHere(['run', '--driver', 'toy,model', '--fail-on-skip', '--filter', 'put-off'], {
      cwd: ownDriver,
    });
    expect([none.code, none.stdout.includes(said)]).toEqual([0, false]);
    const allowed = await runHere(['run', '--driver', 'toy,model'], { cwd: ownDriver });
    expect([allowed.code, allowed.stdout.includes(said)]).toEqual([0, false]);
    const asData = await runHere(['run', '--driver', 'toy', '--fail-on-skip', '--json'], { cwd: ownDriver });
    expect([asData.code, (parseOutput(asData) as RunReport).summary.skipped]).toEqual([1, 1]);
  });

  it('a module may export the driver', async () => {
    const cwd = suiteFolder({
      'nudgelab.config.json': '{"drivers": {"toy": {"module": "./own/toy.driver.mjs"}}}',
      'scenarios/a.yaml': passing,
    });
    const name = 'toy';
    cpSync(join(import.meta.dirname, 'fixtures/exported-driver'), join(cwd, 'own'), { recursive: true });
    const ended = await runHere(['run', '--driver', name, '--json', '--no-coverage'], { cwd });
    expect(statuses(ended)).toEqual([['a.yaml', 'toy', 'passed', undefined]]);
  });

  it('driver-not-found: the message lists the available drivers', async () => {
    const { code, stderr } = await runHere(['run', '--driver', 'bus'], { cwd: ownDriver });
    expect({ code, listed: stderr.includes('model, http, browser, toy') }).toEqual({ code: 2, listed: true });
  });

  it.each([
    ['export default { drivers: { toy: () => ({}) } }', 'config.drivers.toy'],
    ["export default { drivers: { toy: { module: './nowhere.ts' } } }", 'nowhere.ts'],
    [
      "export default { drivers: { toy: { name: 'other', can: new Set(), open() {}, close() {} } } }",
      'config.drivers.toy',
    ],
    ['export default { drivers: { toy: 7 } }', 'config.drivers.toy'],
    ['export default { scenaios: [] }', 'config'],
    ["export default { reports: { formats: ['pdf'] } }", 'config.reports.formats.0'],
    ["export default { fixtures: ['nowhere'] }", 'config.fixtures'],
    ['export const config = {}', 'nudgelab.config.mjs'],
    ['export default {', 'nudgelab.config.mjs'],
  ])('config-invalid: the error for %s names %s', async (text, place) => {
    const cwd = suiteFolder({ 'nudgelab.config.mjs': text, 'scenarios/a.yaml': passing });
    const { code, stdout, stderr } = await runHere(['run', '--driver', 'toy'], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error config-invalid: /);
    expect(stderr).toContain(place);
  });

  it('flags override the configuration', async () => {
    const cwd = suiteFolder({
      'nudgelab.config.json': '{"scenarios": "others", "reports": {"dir": "configured", "formats": ["json"]}}',
      'others/a.yaml': passing,
      'mine/b.yaml': passing,
    });
    const configured = await runHere(['run'], { cwd });
    expect(configured.stdout).toContain('Reports: configured/report.json\n');
    const flagged = await runHere(['run', 'mine', '--report', 'flagged'], { cwd });
    expect(flagged.stdout).toContain('Reports: flagged/report.json\n');
    expect((JSON.parse((await runHere(['run', 'mine', '--json'], { cwd })).stdout) as RunReport).results).toHaveLength(
      1,
    );
  });

  it('--url runs on a running server and leaves no sandbox behind', async () => {
    const server = testContext();
    const served = runProgram(['serve', '--port', '0', '--json'], server);
    await server.stdout.until((text) => text.includes('\n'));
    const { baseUrl, controlUrl } = JSON.parse(server.stdout.text) as { baseUrl: string; controlUrl: string };
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    const run = parseOutput(await runHere(['run', '--url', `${baseUrl}/`, '--json'], { cwd })) as RunReport;
    expect(run.results.map(({ driver, status }) => [driver, status])).toEqual([['http', 'passed']]);
    expect(await (await fetch(`${controlUrl}/health`)).json()).toEqual({ status: 'ok', sandboxes: 1 });
    server.stop();
    expect(await served).toBe(0);
  });
});
