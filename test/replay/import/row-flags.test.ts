import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rowFlag } from '../../../src/replay/import/row-facts.ts';
import { repositoryFiles } from '../../conventions/repository.ts';

/** Pattern of flags that are masked by a number, which could become outdated. */
const byNumber = /\bflags\)?\s*[&|]\s*\(?\d/;

describe('flags of rows', () => {
  it('each has a unique bit', () => {
    const bits = Object.values(rowFlag);
    expect(bits.length).toBe(15);
    expect(bits.reduce((sum, bit) => sum + bit, 0)).toBe(2 ** bits.length - 1);
    expect(new Set(bits).size).toBe(bits.length);
  });

  it('are referenced only by name', () => {
    const files = repositoryFiles().filter((path) => path.startsWith('src/replay/'));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((path) => byNumber.test(readFileSync(path, 'utf8')))).toEqual([]);
  });

  it.for(['WHERE (f.flags & 4096) <> 0', 'flags & 1', 'row.flags | 2'])('%s is detected', (planted) => {
    expect(byNumber.test(planted)).toBe(true);
  });
});
