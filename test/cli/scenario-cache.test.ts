import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ScenarioCache } from '../../src/cli/run/scenario-cache.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadText } from '../../src/scenario/load.ts';
import { allRows } from '../../src/scenario/scenario-files.ts';
import { listCacheFiles, outcomes } from './cached-suite.ts';
import { runHere } from './command-context.ts';
import { failing, passing, rows, suiteFolder, writeIn } from './suite-folder.ts';

/** Returns the output of a run without its times. */
async function runOutput(cwd: string, ...argv: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runHere(['run', '--json', ...argv], { cwd });
  return { code, stderr, stdout: stdout.replaceAll(/"durationMs":[\d.]+/g, '"durationMs":0') };
}

const suite = { 'scenarios/a.yaml': passing, 'scenarios/b.yaml': failing, 'scenarios/c.yaml': rows };

describe('scenario cache: output', () => {
  it('a cached run prints the same output as the run before it, including failures with line numbers', async () => {
    const cwd = suiteFolder(suite);
    const first = await runOutput(cwd);
    expect(listCacheFiles(cwd)).toHaveLength(3);
    expect(await runOutput(cwd)).toEqual(first);
    expect(await runOutput(cwd, '--driver', 'http')).toEqual(await runOutput(suiteFolder(suite), '--driver', 'http'));
  });

  it('a cached scenario equals the parsed one, and its rows share one plan', () => {
    const cwd = suiteFolder({});
    const { scenarios } = loadText('c.yaml', rows, new FixtureLibrary(['fixtures']));
    const cache = new ScenarioCache(cwd, 'origin', 1);
    const read = scenarios.map((scenario, index) => ({ row: index + 1, scenario, walked: index === 1 }));
    cache.keep('c.yaml', rows, read);
    const taken = cache.take('c.yaml', rows, allRows);
    expect(taken).toStrictEqual(read);
    expect(taken?.[0]?.scenario.plan).toBe(taken?.[2]?.scenario.plan);
  });

  it('a value that JSON would change is not cached', () => {
    const cwd = suiteFolder({});
    const text = `${passing}  - getPolicy: {}\n    expect: { body: { count: .inf } }\n`;
    const [scenario] = loadText('a.yaml', text, new FixtureLibrary(['fixtures'])).scenarios;
    if (scenario === undefined) throw new Error('The scenario was not read.');
    const cache = new ScenarioCache(cwd, 'origin', 1);
    cache.keep('a.yaml', text, [{ row: 1, scenario, walked: false }]);
    expect(cache.take('a.yaml', text, allRows)).toBeNull();
  });

  it('scenario-invalid: a second run reports the same problems and rejects the same impossible step', async () => {
    const broken = suiteFolder({ 'scenarios/a.yaml': passing, 'scenarios/b.yaml': 'name: 5\n' });
    expect(await runOutput(broken)).toEqual(await runOutput(broken));
    const steps = passing.replace('  - signIn', '  - skip: {}\n  - signIn');
    const impossible = suiteFolder({ 'scenarios/a.yaml': passing, 'scenarios/b.yaml': steps });
    const first = await runOutput(impossible);
    expect(first).toMatchObject({ code: 2 });
    expect(await runOutput(impossible)).toEqual(first);
  });

  it('a row is taken from a fully cached file, and a file is parsed again if only a row was cached', async () => {
    const cwd = suiteFolder(suite);
    expect(await outcomes(cwd, 'scenarios/c.yaml#1')).toEqual(['scenarios/c.yaml#1 passed']);
    expect(await outcomes(cwd, 'scenarios/c.yaml')).toHaveLength(3);
    expect(await outcomes(cwd, 'scenarios/c.yaml#3')).toEqual(['scenarios/c.yaml#3 passed']);
    expect(await runOutput(cwd, 'scenarios/c.yaml#9')).toMatchObject({ code: 2 });
  });

  it('a run with another random seed does not change the cached entries', async () => {
    const cwd = suiteFolder(suite);
    await runOutput(cwd);
    const kept = listCacheFiles(cwd).map((path) => readFileSync(path, 'utf8'));
    expect(await runOutput(cwd, '--seed', '7')).toEqual(await runOutput(suiteFolder(suite), '--seed', '7'));
    expect(listCacheFiles(cwd).map((path) => readFileSync(path, 'utf8'))).toEqual(kept);
  });
});

describe('scenario cache: invalidation', () => {
  it('a scenario is read again if it or one of its fixtures has changed', async () => {
    const user = "methods: ['sms']\n";
    const own = passing.replace('sms-user', 'own-user');
    const cwd = suiteFolder({ 'scenarios/a.yaml': own, 'fixtures/users/own-user.yaml': user });
    expect(await outcomes(cwd)).toEqual(['scenarios/a.yaml passed']);
    writeIn(cwd, 'fixtures/users/own-user.yaml', "methods: ['authenticator-push']\n");
    expect(await outcomes(cwd)).toEqual(['scenarios/a.yaml failed']);
    writeIn(cwd, 'fixtures/users/own-user.yaml', user);
    expect(await outcomes(cwd)).toEqual(['scenarios/a.yaml passed']);
    writeIn(cwd, 'scenarios/a.yaml', own.replace('page: prompt', 'page: required'));
    expect(await outcomes(cwd)).toEqual(['scenarios/a.yaml failed']);
  });

  it('a fixture in a later folder replaces the cached one', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    expect(await outcomes(cwd)).toEqual(['scenarios/a.yaml passed']);
    writeIn(cwd, 'fixtures/users/sms-user.yaml', "methods: ['authenticator-push']\n");
    expect(await outcomes(cwd)).toEqual(['scenarios/a.yaml failed']);
  });

  it('another program, file name or text does not match a cached entry', () => {
    const cwd = suiteFolder({});
    const { scenarios } = loadText('a.yaml', passing, new FixtureLibrary(['fixtures']));
    const read = scenarios.map((scenario) => ({ row: 1, scenario, walked: false }));
    new ScenarioCache(cwd, 'origin', 1).keep('a.yaml', passing, read);
    expect(new ScenarioCache(cwd, 'origin', 2).take('a.yaml', passing, allRows)).not.toBeNull();
    expect(new ScenarioCache(cwd, 'another', 1).take('a.yaml', passing, allRows)).toBeNull();
    expect(new ScenarioCache(cwd, 'origin', 1).take('b.yaml', passing, allRows)).toBeNull();
    expect(new ScenarioCache(cwd, 'origin', 1).take('a.yaml', `${passing}\n`, allRows)).toBeNull();
  });

  it('a truncated, changed, empty or malformed entry is ignored and written again', async () => {
    const cwd = suiteFolder({ 'scenarios/b.yaml': failing });
    const first = await runOutput(cwd);
    const [path = ''] = listCacheFiles(cwd);
    const sound = readFileSync(path, 'utf8');
    const forms = [sound.slice(0, -9), sound.replace('prompt', 'signed-in'), '', 'null', `${'0'.repeat(64)}\n[]`];
    for (const form of forms) {
      writeFileSync(path, form);
      expect(await runOutput(cwd)).toEqual(first);
      expect(readFileSync(path, 'utf8')).toBe(sound);
    }
  });
});

describe('scenario cache: file system', () => {
  it('concurrent runs leave readable entries', async () => {
    const cwd = suiteFolder(suite);
    const all = await Promise.all(Array.from({ length: 4 }, () => outcomes(cwd)));
    expect(new Set(all.map((one) => one.join())).size).toBe(1);
    expect(listCacheFiles(cwd)).toHaveLength(3);
    expect(await outcomes(cwd)).toEqual(all[0]);
  });

  it('a folder that cannot be written does not change the results', async () => {
    const cwd = suiteFolder(suite);
    // A file in place of the folder prevents writing even if the test runs as root.
    writeIn(cwd, '.nudgelab', '');
    expect(await outcomes(cwd)).toEqual(await outcomes(suiteFolder(suite)));
    const locked = suiteFolder(suite);
    mkdirSync(join(locked, '.nudgelab'));
    chmodSync(join(locked, '.nudgelab'), 0o500);
    expect(await outcomes(locked)).toHaveLength(5);
    chmodSync(join(locked, '.nudgelab'), 0o700);
  });
});
