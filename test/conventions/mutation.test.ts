import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { modulesUnderTest, testFilesFor } from '../../tooling/mutation/modules-under-test.ts';
import { type ListedMutant, listMutants, sampleMutants } from '../../tooling/mutation/mutant-list.ts';
import { acceptedSurvivors, scoreModule } from '../../tooling/mutation/score.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));

async function findMutants(text: string): Promise<readonly ListedMutant[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-mutants-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'planted.ts'), text);
  return listMutants(folder, ['planted.ts']);
}

describe('mutation: list of mutants', () => {
  test('mutation: a mutant has its line, operator, code and replacement', async () => {
    const mutants = await findMutants(
      'const limit = 3;\nexport const isFull = (size: number): boolean => size >=\n  limit;\n',
    );
    expect(mutants).toContainEqual({
      file: 'planted.ts',
      line: 2,
      operator: 'EqualityOperator',
      code: 'size >= limit',
      replacement: 'size > limit',
      key: 'planted.ts:1:49-2:7 EqualityOperator size > limit',
      range: 'planted.ts:2:49-3:7',
    });
  });

  test('mutation: codes and SQL have mutants, and sentences have none', async () => {
    const text = "export const said = ['sandbox-not-found', 'SELECT seq FROM entries', 'There is no such sandbox.'];\n";
    const strings = (await findMutants(text)).filter(({ operator }) => operator === 'StringLiteral');
    expect(strings.map(({ code }) => code)).toEqual(["'sandbox-not-found'", "'SELECT seq FROM entries'"]);
  });

  test('mutation: the same random seed draws the same sample, and another one draws another sample', async () => {
    const text = Array.from({ length: 40 }, (_, at) => `export const v${at} = ${at} > 1 && ${at} < 9;`).join('\n');
    const mutants = await findMutants(text);
    const drawn = (seed: number): readonly string[] => sampleMutants(mutants, 20, seed).map(({ key }) => key);
    expect(drawn(1)).toHaveLength(20);
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(2)).not.toEqual(drawn(1));
    expect(sampleMutants(mutants, 10_000, 1)).toHaveLength(mutants.length);
  });
});

describe('mutation: scores', () => {
  const mutant = { file: 'a.ts', line: 1, operator: 'o', code: 'c', replacement: 'r', key: 'k', range: 'r' };

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

  test('mutation: an accepted survivor is still a valid mutant and has a reason', async () => {
    const files = [...new Set(acceptedSurvivors.map(({ file }) => file))];
    const named = ({ file, operator, code, replacement }: Omit<ListedMutant, 'line' | 'key' | 'range'>): string =>
      [file, operator, code, replacement].join('\n');
    const planted = new Set((await listMutants(top, files)).map((one) => named(one)));
    expect(acceptedSurvivors.filter((one) => !planted.has(named(one)))).toEqual([]);
    expect(acceptedSurvivors.filter(({ reason }) => reason.length < 20)).toEqual([]);
    expect(planted.has(named(mutant))).toBe(false);
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
});
