import { describe, expect, test } from 'vitest';
import { nonEmpty } from '../non-empty.ts';
import { ignoreGlobs, printed, readTextFiles, repositoryFiles } from './repository.ts';
import { conventionRules } from './rules/rule-registry.ts';

const files = readTextFiles(repositoryFiles());

describe.for(nonEmpty(conventionRules))('conventions: $id', ({ claim, covers, inspect, canaries, innocents }) => {
  test(claim, () => {
    const covered = files.filter((file) => covers(file.path));
    expect(covered.length, 'files read').toBeGreaterThan(0);
    expect(printed(covered.flatMap(inspect))).toEqual([]);
  });

  test('every canary is reported', () => {
    expect(canaries.filter((file) => covers(file.path) && inspect(file).length > 0)).toEqual(canaries);
  });

  test('no innocent file is reported', () => {
    expect(innocents.length).toBeGreaterThan(0);
    expect(printed(innocents.flatMap(inspect))).toEqual([]);
  });
});

describe('conventions: the whole repository', () => {
  test.for(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'LICENSE', 'docs/architecture.md'])(
    '%s exists and is not empty',
    (path) => {
      expect(files.find((file) => file.path === path)?.text).toMatch(/\S/);
    },
  );

  test('the list of files omits only files that git ignores', () => {
    expect(ignoreGlobs('# built\ndist/\n\n*.log\n')).toEqual(['.git', '**/dist', '**/*.log']);
    expect(() => ignoreGlobs('!kept.log')).toThrow(/cannot read/);
    expect(files.filter((file) => /(^|\/)(node_modules|\.git)\//.test(file.path))).toEqual([]);
    expect(files.map((file) => file.path)).toEqual(expect.arrayContaining(['package.json', '.gitignore']));
  });
});
