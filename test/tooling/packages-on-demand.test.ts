import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { foldersOnDemand, installOnDemand, runWithPackages } from '../../tooling/packages-on-demand.ts';
import { readTextFiles, repositoryFiles } from '../conventions/repository.ts';
import { nonEmpty } from '../non-empty.ts';

interface Planted {
  readonly top: string;
  /** Path of the folder with packages of its own. */
  readonly folder: string;
  /** Path of a folder with programs that commands find. */
  readonly programs: string;
  /** Arguments of npm, a line each time it ran. */
  readonly calls: () => readonly string[];
  /** Text that says what is installed and why. */
  readonly said: () => string;
}

function writeProgram(path: string, lines: string): void {
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
}

/** Creates a repository with packages of the site, and an npm that records its arguments and installs one file. */
function plant(exitCode = 0): Planted {
  const top = mkdtempSync(join(tmpdir(), 'nudgelab-on-demand-'));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const [folder, programs, log] = [join(top, 'site'), join(top, 'programs'), join(top, 'log')];
  for (const path of [folder, programs]) mkdirSync(path);
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  const install = 'mkdir node_modules; cp package-lock.json node_modules/installed';
  writeProgram(join(programs, 'npm'), `echo "$@" >> '${log}'\n${install}\nexit ${exitCode}`);
  vi.stubEnv('PATH', `${programs}${delimiter}${process.env['PATH']}`);
  const messages: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((text) => void messages.push(String(text)));
  return {
    top,
    folder,
    programs,
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
    said: () => messages.join('\n'),
  };
}

describe('packages on demand', () => {
  it('098: missing packages are installed once, from the lock file and without scripts', () => {
    const { top, folder, calls, said } = plant();
    installOnDemand('site', top);
    installOnDemand('site', top);
    expect(calls()).toEqual([expect.stringMatching(/^ci --ignore-scripts /)]);
    expect(readdirSync(folder).toSorted()).toEqual(['node_modules', 'package-lock.json', 'package.json']);
    expect(said()).toBe('Installing the packages of site/, which are needed only to build the documentation site.');
  });

  it.each(['package.json', 'package-lock.json', '.npmrc'])(
    '098: a change of %s installs the packages again',
    (name) => {
      const { top, folder, calls } = plant();
      installOnDemand('site', top);
      writeFileSync(join(folder, name), '{ "changed": true }');
      installOnDemand('site', top);
      expect(calls()).toHaveLength(2);
      expect(readFileSync(join(folder, 'node_modules/installed'), 'utf8')).toBe(
        readFileSync(join(folder, 'package-lock.json'), 'utf8'),
      );
    },
  );

  it('098: a failed installation is an error, leaves nothing, and is repeated', () => {
    const { top, folder, calls } = plant(1);
    for (const times of [1, 2]) {
      expect(() => installOnDemand('site', top)).toThrow('site/');
      expect(calls()).toHaveLength(times);
    }
    expect(readdirSync(folder).toSorted()).toEqual(['package-lock.json', 'package.json']);
  });

  it('098: a command has the exit code of its program, which is first looked for among the packages of the folder', () => {
    const { top, folder, programs, calls } = plant();
    writeProgram(join(programs, 'checker'), 'exit 3');
    expect(runWithPackages('site', ['checker'], top)).toBe(3);
    mkdirSync(join(folder, 'node_modules/.bin'));
    writeProgram(join(folder, 'node_modules/.bin/checker'), 'exit "$1"');
    expect(runWithPackages('site', ['checker', '4'], top)).toBe(4);
    expect(runWithPackages('site', ['no-such-checker'], top)).toBe(1);
    expect(calls()).toHaveLength(1);
  });

  it('098: a folder without packages of its own is an error', () => {
    expect(() => installOnDemand('src')).toThrow('src has no packages of its own');
  });

  it('098: a test that installs packages is not in the quick tier', () => {
    const tests = repositoryFiles().filter((path) => path.endsWith('.test.ts'));
    const installing = readTextFiles(tests).filter(({ text }) => /^ *installOnDemand\('[^']+'\);$/m.test(text));
    for (const { path } of nonEmpty(installing)) expect(path).toMatch(/\.(?:browser|long|service)\.test\.ts$/);
    const below = nonEmpty(tests).filter((path) =>
      foldersOnDemand.some((folder) => path.startsWith(`${folder.path}/`)),
    );
    expect(below.filter((path) => !installing.some((one) => one.path === path))).toEqual([]);
  });
});
