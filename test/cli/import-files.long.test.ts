import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseOutput, runHere } from './command-context.ts';

const cwd = mkdtempSync(join(tmpdir(), 'nudgelab-import-'));
const rowsOf = { small: 20, large: 200 };

function made(size: keyof typeof rowsOf): string {
  return readFileSync(join(cwd, size, 'sign-ins.csv'), 'utf8');
}

beforeAll(async () => {
  for (const [name, rows] of Object.entries(rowsOf)) {
    await runHere(['import', '--synthesize', String(rows), '--format', 'csv', '--out', name], { cwd });
  }
});

describe('import files', { timeout: 240_000 }, () => {
  it.each([
    ['glob*.csv', 'globs.csv'],
    ['glob?.csv', 'globs.csv'],
    ['glob[s].csv', 'globs.csv'],
    ['glob{s,t}.csv', 'globs.csv'],
    ['**', 'x'],
  ])('imports a file named %j and not its neighbor %j', async (file, neighbour) => {
    const folder = mkdtempSync(join(cwd, 'in-'));
    writeFileSync(join(folder, file), made('small'));
    writeFileSync(join(folder, neighbour), made('large'));
    const report = parseOutput(await runHere(['import', file, '--out', 'out', '--json'], { cwd: folder }));
    expect(report).toMatchObject({ rows: rowsOf.small });
  });

  it('compares an import in a folder whose name is a glob pattern', async () => {
    for (const [out, size] of [
      ['tenant[1]', 'small'],
      ['tenant1', 'large'],
    ] as const) {
      expect((await runHere(['import', `${size}/sign-ins.csv`, '--out', out], { cwd })).code).toBe(0);
    }
    const attempts = async (name: string): Promise<unknown> => {
      const compared = await runHere(['compare', name, '--ruleset', '2026-09', '--json'], { cwd });
      return (parseOutput(compared) as { readonly attempts: number }).attempts;
    };
    const { attempts: wanted } = JSON.parse(readFileSync(join(cwd, 'tenant[1]', 'import.json'), 'utf8')).report;
    expect(await attempts('tenant[1]')).toBe(wanted);
    expect(await attempts('tenant1')).not.toBe(wanted);
  });

  it.each([
    ['a log that does not exist', ['none.csv']],
    ['a log that is none', ['small/policy.json']],
    ['groups that are none', ['small/sign-ins.csv', '--groups', 'small/policy.json']],
    ['a policy that is none', ['small/sign-ins.csv', '--policy', 'small/sign-ins.csv']],
    ['a mapping that is none', ['small/sign-ins.csv', '--mapping', 'small/policy.json']],
  ])('an import that fails because of %s leaves neither its folder nor its parent folders', async (_what, words) => {
    const folder = join(cwd, 'failed');
    expect((await runHere(['import', ...words, '--out', 'failed/deep/tenant'], { cwd })).code).toBe(2);
    expect(existsSync(folder)).toBe(false);
  });

  it('a failed import leaves an existing folder and its files unchanged', async () => {
    mkdirSync(join(cwd, 'empty'));
    expect((await runHere(['import', 'none.csv', '--out', 'empty'], { cwd })).code).toBe(2);
    expect(readdirSync(join(cwd, 'empty'))).toEqual([]);
    expect((await runHere(['import', 'small/sign-ins.csv', '--out', 'kept'], { cwd })).code).toBe(0);
    const before = readdirSync(join(cwd, 'kept')).map((name) => [name, readFileSync(join(cwd, 'kept', name), 'hex')]);
    const again = ['import', 'large/sign-ins.csv', '--groups', 'small/policy.json', '--out', 'kept', '--force'];
    expect((await runHere(again, { cwd })).code).toBe(2);
    const after = readdirSync(join(cwd, 'kept')).map((name) => [name, readFileSync(join(cwd, 'kept', name), 'hex')]);
    expect(after).toEqual(before);
  });

  it('file-unreadable: an excessively nested row is reported with its number and does not end the process', async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const rows = ['{"id":"r1","createdDateTime":"2026-01-05T00:00:00Z","userId":"ada"}', deep];
    writeFileSync(join(cwd, 'deep.ndjson'), `${rows.join('\n')}\n`);
    const { code, stderr } = await runHere(['import', 'deep.ndjson', '--out', 'deep'], { cwd });
    expect([code, stderr.split(':')[0]]).toEqual([2, 'error file-unreadable']);
    expect(stderr).toMatch(/deep\.ndjson: row 2 /);
  });
});
