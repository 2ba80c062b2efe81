import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { modulesUnderTest, testFilesFor } from '../../tooling/mutation/modules-under-test.ts';
import { sampleMutants } from '../../tooling/mutation/mutants.ts';
import { acceptedSurvivors, scoreModule } from '../../tooling/mutation/score.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const mutant = { file: 'a.ts', line: 1, operator: 'o', code: 'c', replacement: 'r', key: 'k', range: 'r' };

describe('mutation: samples', () => {
  test('mutation: the same random seed draws the same sample, and another one draws another sample', () => {
    const mutants = Array.from({ length: 160 }, (_, at) => ({ ...mutant, key: `a.ts:${at}:0-${at}:9 o r` }));
    const drawn = (seed: number): readonly string[] => sampleMutants(mutants, 20, seed).map(({ key }) => key);
    expect(drawn(1)).toHaveLength(20);
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(2)).not.toEqual(drawn(1));
    expect(sampleMutants(mutants, 10_000, 1)).toHaveLength(mutants.length);
  });
});

describe('mutation: scores', () => {
  test('mutation: killed and timed-out mutants raise the score, and survivors and uncovered mutants do not', () => {
    const statuses = ['killed', 'broken', 'timed-out', 'survived', 'not-covered'] as const;
    const outcomes = statuses.map((status) => ({ mutant, status }));
    expect(scoreModule('src/a', 90, 1, outcomes)).toMatchObject({
      mutants: 90,
      sample: 5,
      killed: 2,
      timedOut: [{ status: 'timed-out' }],
      score: 60,
      survived: [{ status: 'survived' }, { status: 'not-covered' }],
    });
  });

  test('mutation: an accepted survivor has a reason', () => {
    expect(acceptedSurvivors.length).toBeGreaterThan(0);
    expect(acceptedSurvivors.filter(({ reason }) => reason.length < 20)).toEqual([]);
  });

  test('mutation: every module has sources and tests', () => {
    const empty = modulesUnderTest.filter(
      (module) =>
        globSync(`${module.path}/**/*.ts`, { cwd: top, exclude: module.omitted }).length === 0 ||
        testFilesFor(top, module).length === 0,
    );
    expect(empty).toEqual([]);
    expect(modulesUnderTest.length).toBeGreaterThan(0);
  });

  test('098: tests of installed packages are not tests of a module', () => {
    const folder = mkdtempSync(join(tmpdir(), 'nudgelab-test-files-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const path of ['test/server/own.test.ts', 'test/server/oidc/node_modules/client/test/foreign.test.ts']) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
    expect(testFilesFor(folder, { tests: ['test/server/**/*.test.ts'] })).toEqual(['test/server/own.test.ts']);
  });
});
