import { describe, expect, test } from 'vitest';
import { seedRuleset } from '../../machines/rulesets/built-in.ts';
import { checks, matrixChecks } from './decision-checks.ts';
import { findDifference, listChanges } from './difference.ts';
import { flippedCells, type Mutant } from './mutants.ts';
import { wrongRows } from './wrong-rows.ts';

/** Creates an evaluator that misreads one cell of the matrix of ruleset `seed`. */
function planted(cell: string): Mutant {
  const found = flippedCells(seedRuleset).find(({ id }) => id === `R12 in seed: ${cell} flipped`);
  if (found === undefined) throw new TypeError(`There is no cell ${cell}.`);
  return found;
}

describe('Report of wrong rows', () => {
  test('R12 canary: a wrong cell of the matrix is reported in one line with all details', () => {
    const lines = wrongRows(matrixChecks('seed'), planted('keychain on mac-other').judging);
    expect(lines).toEqual([
      'R11.3 (keychain suppresses on mac-other) in seed, fido2 enabled ' +
        'user.passkeys=[{"type":"keychain","deviceId":"device-1"}] attempt.os="macos" attempt.browser="safari" ' +
        'saw {"platform":"mac-other","passkeys":["keychain"]}: expected local-passkey, got met',
    ]);
  });

  test('R12 canary: over all tables, each row that reads the wrong cell is reported in one line', () => {
    const lines = wrongRows(checks, planted('keychain on windows-chrome').judging);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(10);
    for (const line of lines)
      expect(line).toMatch(/^R11\.3 [^\n]* in seed, [^\n]*keychain[^\n]*: expected \S+, got \S+$/);
  });
});

describe('First difference', () => {
  test.for([
    [{ a: 1 }, { a: 1 }, null],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, null],
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, 'a.b[1]: 2, expected 3'],
    [{ a: 1 }, {}, 'a: 1, expected nothing'],
    [{}, { a: null }, 'a: nothing, expected null'],
    [[], {}, 'value: [], expected {}'],
    [[1], [1, 2], '[1]: nothing, expected 2'],
    ['x', 'y', 'value: "x", expected "y"'],
  ] as const)('C1 to R5: the first difference between %j and %j is %s', ([actual, expected, said]) => {
    expect(findDifference(actual, expected)).toBe(said);
  });

  test('C1 to R5: changed facts are reported with their paths, and lists as a whole', () => {
    expect(listChanges({ a: { b: 1, c: [2] }, d: 3 }, { a: { b: 0, c: [] }, d: 3 })).toEqual(['a.b=1', 'a.c=[2]']);
  });
});
