import { symlinkSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from './command-context.ts';
import { passing, suiteFolder, writeIn } from './suite-folder.ts';

/** Size in bytes beyond the maximum string length, so reading the whole file would fail with another error. */
const bytes = 6_000_000_000;

/** Creates a folder with a large sparse file, which uses no disk space. */
function withLarge(path: string, files: Readonly<Record<string, string>> = {}): string {
  const cwd = suiteFolder({ 'scenarios/a.yaml': passing, ...files });
  writeIn(cwd, path, '');
  truncateSync(join(cwd, path), bytes);
  return cwd;
}

describe('oversized files', { timeout: 240_000 }, () => {
  it.each([
    ['a scenario', 'scenarios/big.yaml', ['run'], 'scenario-invalid'],
    ['a scenario that is shrunk', 'big.yaml', ['shrink', 'big.yaml'], 'scenario-invalid'],
    ['a fixture that is named', 'fixtures/users/sms-user.yaml', ['run'], 'scenario-invalid'],
    ['a configuration', 'nudgelab.config.json', ['run'], 'config-invalid'],
    ['a description', 'big.yaml', ['forecast', 'big.yaml'], 'forecast-invalid'],
    ['a list of clients', 'big.yaml', ['serve', '--port', '0', '--clients', 'big.yaml'], 'file-unreadable'],
    ['an answer of a lookup', 'big.json', ['lookup', 'import', 'big.json'], 'file-unreadable'],
    ['a policy', 'big.json', ['import', 'log.csv', '--policy', 'big.json', '--out', 'o'], 'file-unreadable'],
    ['a tenant', 'big.yaml', ['import', 'log.csv', '--tenant', 'big.yaml', '--out', 'o'], 'file-unreadable'],
    ['an audit log', 'big.json', ['import', 'log.csv', '--audit-log', 'big.json', '--out', 'o'], 'file-unreadable'],
    ['a key', 'big.key', ['import', 'log.csv', '--pseudonym-key', 'big.key', '--out', 'o'], 'file-unreadable'],
    ['a mapping', 'big.yaml', ['compare', 'x', '--policy', 'p', '--mapping', 'big.yaml'], 'file-unreadable'],
    ['a policy of a variant', 'big.yaml', ['compare', 'x', '--policy', 'big.yaml'], 'file-unreadable'],
  ])('%s is rejected by its size before it is read', async (_what, path, words, code) => {
    const { code: exit, stderr } = await runHere(words, { cwd: withLarge(path) });
    expect([exit, stderr.split(':')[0]]).toEqual([2, `error ${code}`]);
    expect(stderr).toMatch(/it is larger than \d+ bytes/);
  });

  it('fixture-invalid: lint reports an oversized fixture with its location', async () => {
    const { code, stdout } = await runHere(['lint'], { cwd: withLarge('fixtures/users/big.yaml') });
    expect([code, /^fixtures\/users\/big\.yaml:1:1 .*larger than \d+ bytes/m.test(stdout)]).toEqual([2, true]);
  });

  it('an endless device is read only up to the file size limit', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    for (const path of ['scenarios/endless.yaml', 'fixtures/users/endless.yaml']) {
      writeIn(cwd, join(dirname(path), '.keep'), '');
      symlinkSync('/dev/zero', join(cwd, path));
    }
    const { code, stderr } = await runHere(['run'], { cwd });
    expect([code, stderr.split(':')[0]]).toEqual([2, 'error scenario-invalid']);
    expect(stderr).toMatch(/scenarios\/endless\.yaml: it is larger than \d+ bytes/);
  });
});
