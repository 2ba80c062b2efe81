import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rowFlag } from '../../../src/replay/import/row-facts.ts';
import { repositoryFiles } from '../../conventions/repository.ts';

/** Flags that are masked by a number, which goes on meaning what its name meant once. */
const byNumber = /\bflags\)?\s*[&|]\s*\(?\d/;

describe('flags of rows', () => {
  it('each has a bit of its own', () => {
    const bits = Object.values(rowFlag);
    expect(bits.length).toBe(13);
    expect(bits.reduce((sum, bit) => sum + bit, 0)).toBe(2 ** bits.length - 1);
    expect(new Set(bits).size).toBe(bits.length);
  });

  it('are asked for by their names alone', () => {
    const files = repositoryFiles().filter((path) => path.startsWith('src/replay/'));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((path) => byNumber.test(readFileSync(path, 'utf8')))).toEqual([]);
  });

  it.for(['WHERE (f.flags & 4096) <> 0', 'flags & 1', 'row.flags | 2'])('%s would be found', (planted) => {
    expect(byNumber.test(planted)).toBe(true);
  });
});
