import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, it } from 'vitest';
import { decidingFolders, programDigest } from '../../src/cli/program-digest.ts';

const top = process.cwd();

/** Collects every module that a module imports directly or indirectly, including type imports. */
function reached(entry: string, known: Set<string> = new Set()): ReadonlySet<string> {
  if (known.has(entry)) return known;
  known.add(entry);
  for (const [, target = ''] of readFileSync(entry, 'utf8').matchAll(/from '(\.{1,2}\/[^']+)'/g)) {
    reached(join(dirname(entry), target), known);
  }
  return known;
}

it('the program digest covers every module that affects the meaning of a scenario file', () => {
  const entries = ['src/scenario/load.ts', 'src/scenario/run-suite.ts', 'src/scenario/drivers/model.driver.ts'];
  const modules = new Set(entries.flatMap((entry) => [...reached(join(top, entry))]));
  expect(modules.size).toBeGreaterThan(100);
  const unseen = [...modules]
    .map((file) => relative(top, file).split(sep).join('/'))
    .filter((file) => !decidingFolders.some((folder) => file.startsWith(`${folder}/`)));
  expect(unseen).toEqual([]);
});

it('the program digest is stable for one Node version and differs for another', () => {
  expect(programDigest('24.21.0')).toBe(programDigest('24.21.0'));
  expect(programDigest('24.21.0')).not.toBe(programDigest('24.22.0'));
});
