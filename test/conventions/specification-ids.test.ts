import { describe, expect, test } from 'vitest';
import { nonEmpty } from '../non-empty.ts';
import { readTextFiles, repositoryFiles } from './repository.ts';
import { listSpecificationIds, listTitleIds } from './specification-ids.ts';

const tests = readTextFiles(repositoryFiles().filter((path) => path.startsWith('test/') && path.endsWith('.test.ts')));
const named = new Set(tests.flatMap(listTitleIds));
const ids = listSpecificationIds();

describe('conventions: rules of applications and of the directory API', () => {
  test('conventions: the title of a test names each rule', () => {
    expect(nonEmpty(ids).filter((id) => !named.has(id))).toEqual([]);
  });

  test('conventions: no title names a rule that does not exist', () => {
    expect(nonEmpty([...named]).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test.for<[title: string, text: string, expected: readonly string[]]>([
    ['a title', "test('CL10: it holds', () => {});", ['CL10']],
    ['a title with two rules', "describe('CL10, DIR2: they hold', () => {});", ['CL10', 'DIR2']],
    ['the title of a table', 'it.each(rows)(`DIR2: %s`, () => {});', ['DIR2']],
    ['a row of a table', "const rows = [['CL10', 1], ['DIR2: name', 2]];", ['CL10', 'DIR2']],
    ['a comment', "// CL10\ntest('it holds', () => {});", []],
    ['a value', "const id = 'CL10'; expect('CL10').toBe(id);", []],
    ['the rest of a row', "const rows = [['that of CL10', 'DIR2']];", []],
  ])('conventions: the rules of %s', ([, text, expected]) => {
    expect(listTitleIds({ path: 'test/planted.test.ts', text })).toEqual(expected);
  });
});
