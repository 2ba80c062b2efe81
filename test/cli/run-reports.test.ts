import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from './command-context.ts';
import { failing, passing, suiteFolder } from './suite-folder.ts';

const files = ['coverage.json', 'coverage.md', 'ctrf.json', 'junit.xml', 'report.html', 'report.json', 'summary.md'];

describe('run: reports', () => {
  it('writes every format unless the configuration selects formats', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    const { code, stdout } = await runHere(['run', '--report', 'out'], { cwd });
    expect(code).toBe(0);
    expect(readdirSync(join(cwd, 'out')).toSorted()).toEqual(files);
    for (const file of files) expect(stdout).toContain(`out/${file}`);
    const page = readFileSync(join(cwd, 'out', 'report.html'), 'utf8');
    expect(page).toMatch(/ of 5 states entered, [1-9]\d* of \d+ transitions taken/);
    expect(page).not.toMatch(/href="(?!#)/);
  });

  it('reports the changes since an earlier run on the terminal and in the page', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing, 'scenarios/b.yaml': failing });
    await runHere(['run', '--report', 'before'], { cwd });
    writeFileSync(join(cwd, 'scenarios/a.yaml'), failing);
    writeFileSync(join(cwd, 'scenarios/b.yaml'), passing);
    const { code, stdout } = await runHere(['run', '--report', 'after', '--baseline', 'before/report.json'], { cwd });
    const sentence = 'Since the baseline: 1 newly failed, 1 fixed, 0 still failing, 0 added, 0 removed.';
    expect(code).toBe(1);
    expect(stdout).toContain(sentence);
    for (const file of ['report.html', 'summary.md']) {
      expect(readFileSync(join(cwd, 'after', file), 'utf8')).toContain(sentence);
    }
  });

  it.each([
    ['nowhere.json', 'ENOENT'],
    ['scenarios/a.yaml', 'JSON'],
    ['other.json', 'it is not the report.json of a run'],
  ])('file-unreadable: %s is rejected as an earlier report, and nothing runs', async (file, reason) => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing, 'other.json': '{"results": []}' });
    const { code, stdout, stderr } = await runHere(['run', '--report', 'out', '--baseline', file], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
    expect(readdirSync(cwd)).not.toContain('out');
  });

  it('annotates failures only in a job that reads annotations', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': failing });
    const inJob = await runHere(['run'], { cwd, env: { GITHUB_ACTIONS: 'true' } });
    expect(inJob.stdout).toContain('::error file=scenarios/a.yaml,line=7,');
    expect((await runHere(['run'], { cwd })).stdout).not.toContain('::error');
  });
});
