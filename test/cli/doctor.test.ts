import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storeCheck } from '../../src/cli/doctor/services.ts';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { shippedFixturesFolder } from '../../src/scenario/shipped.ts';
import { parseOutput, runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

interface Diagnosis {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly action: string }[];
}

async function diagnosis(
  argv: readonly string[],
  options: Parameters<typeof runHere>[1],
): Promise<Diagnosis & { code: number }> {
  const ended = await runHere(['doctor', '--json', '--port', '0', ...argv], options);
  return { code: ended.code, ...(parseOutput(ended) as Diagnosis) };
}

/** Lists the names of failed checks; each failed check must suggest an action. */
function faults({ checks }: Diagnosis): readonly string[] {
  const wrong = checks.filter(({ ok }) => !ok);
  expect(wrong.filter(({ action }) => action === '')).toEqual([]);
  return wrong.map(({ name }) => name);
}

describe('doctor', () => {
  it('a valid folder exits with 0 and prints one line per check', async () => {
    const found = await diagnosis([], { cwd: suiteFolder({}) });
    expect({ code: found.code, ok: found.ok, faults: faults(found) }).toEqual({ code: 0, ok: true, faults: [] });
    const names = ['Node', 'configuration', 'fixtures', 'reports', 'SQLite', 'port', 'browser'];
    expect(found.checks.map(({ name }) => name)).toEqual(names);
    const { stdout } = await runHere(['doctor', '--port', '0'], { cwd: suiteFolder({}) });
    for (const name of names) expect(stdout).toMatch(new RegExp(`^ok +${name} `, 'm'));
  });

  it('the check of the fixtures counts tenants and users, and no other kind', async () => {
    const cwd = suiteFolder({
      'fixtures/users/a.yaml': 'type: guest',
      'fixtures/clients/b.yaml': 'grants: [device_code]\nsecret: test',
    });
    const library = new FixtureLibrary([shippedFixturesFolder]);
    const [tenants, users] = [library.names('tenants').length, library.names('users').length + 1];
    const { stdout } = await runHere(['doctor', '--port', '0'], { cwd });
    expect(stdout).toContain(` ${tenants} tenants, ${users} users\n`);
  });

  it('runtime-too-old: an old Node version is reported', async () => {
    const found = await diagnosis([], { cwd: suiteFolder({}), nodeVersion: '22.17.1' });
    expect({ code: found.code, faults: faults(found) }).toEqual({ code: 1, faults: ['Node'] });
  });

  it('config-invalid: an invalid configuration is reported, and the other checks still run', async () => {
    const found = await diagnosis([], { cwd: suiteFolder({ 'nudgelab.config.json': '{"color": 1}' }) });
    expect({ code: found.code, faults: faults(found) }).toEqual({ code: 1, faults: ['configuration'] });
    expect(found.checks.map(({ name }) => name)).toContain('port');
  });

  it('fixture-invalid: an invalid fixture is reported', async () => {
    const found = await diagnosis([], { cwd: suiteFolder({ 'fixtures/users/a.yaml': 'methods: [fax]' }) });
    expect({ code: found.code, faults: faults(found) }).toEqual({ code: 1, faults: ['fixtures'] });
  });

  it('browser-missing: a configured browser that does not exist is reported', async () => {
    const cwd = suiteFolder({});
    const found = await diagnosis([], { cwd, env: { NUDGELAB_BROWSER: `${cwd}/no-browser` } });
    expect({ code: found.code, faults: faults(found) }).toEqual({ code: 1, faults: ['browser'] });
  });

  it.each([
    ['kept.db', 0, []],
    ['none.db', 1, ['store']],
  ])('file-unreadable: the store of --db %s ends with %i', async (db, code, wrong) => {
    const cwd = suiteFolder({});
    await SqliteStore.open(join(cwd, 'kept.db')).close();
    const found = await diagnosis(['--db', db], { cwd });
    expect({ code: found.code, faults: faults(found) }).toEqual({ code, faults: wrong });
    expect(found.checks.map(({ name }) => name).slice(-2)).toEqual(['browser', 'store']);
  });

  it.each([
    [[], / 0 sandboxes$/],
    [['lab'], / 1 sandbox$/],
    [['lab', 'demo'], / 2 sandboxes$/],
  ])('the check of a store with the sandboxes %j states their number', async (ids, expected) => {
    const cwd = suiteFolder({});
    const store = SqliteStore.open(join(cwd, 'kept.db'));
    const sandboxes = await Sandboxes.open(store);
    for (const id of ids) await sandboxes.create(id, planSandbox({}));
    await sandboxes.close();
    expect(await storeCheck('kept.db', cwd)).toMatchObject({ name: 'store', ok: true });
    expect((await storeCheck('kept.db', cwd)).message).toMatch(expected);
  });

  it('address-in-use: a port that is already in use is reported', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const found = await diagnosis(['--port', String(port)], { cwd: suiteFolder({}) });
    expect({ code: found.code, faults: faults(found) }).toEqual({ code: 1, faults: ['port'] });
  });
});
