import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ListedMutant, sampleMutants } from '../../tooling/mutation/mutants.ts';
import { acceptedSurvivors } from '../../tooling/mutation/score.ts';
import { installOnDemand } from '../../tooling/packages-on-demand.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
let listMutants: typeof import('../../tooling/mutation/mutant-list.ts').listMutants;

beforeAll(async () => {
  installOnDemand('tooling/mutation');
  ({ listMutants } = await import('../../tooling/mutation/mutant-list.ts'));
});

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

  test('mutation: an accepted survivor is still a valid mutant', async () => {
    const files = [...new Set(acceptedSurvivors.map(({ file }) => file))];
    const named = ({ file, operator, code, replacement }: Omit<ListedMutant, 'line' | 'key' | 'range'>): string =>
      [file, operator, code, replacement].join('\n');
    const present = new Set((await listMutants(top, files)).map((one) => named(one)));
    expect(acceptedSurvivors.filter((one) => !present.has(named(one)))).toEqual([]);
    expect(present.has(named({ file: 'a.ts', operator: 'o', code: 'c', replacement: 'r' }))).toBe(false);
  });
});
