import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { foldersOnDemand } from '../../tooling/packages-on-demand.ts';
import { nonEmpty } from '../non-empty.ts';
import { repositoryFiles } from './repository.ts';

interface Locked {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
}

/** Lists packages without a digest in the lock file. For these, npm would accept any content from a registry. */
function unproven(packages: Readonly<Record<string, Locked>>): readonly string[] {
  return Object.entries(packages)
    .filter(([name, { link }]) => name !== '' && link !== true)
    .filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
    .map(([name]) => name);
}

/** Lock files of the root, and of the folders whose packages are installed on demand. */
const lockFiles = ['package-lock.json', ...foldersOnDemand.map(({ path }) => `${path}/package-lock.json`)];

function readPackages(path: string): Readonly<Record<string, Locked>> {
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly packages: Readonly<Record<string, Locked>> }).packages;
}

function declaredVersions(path: string): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path, 'utf8')) as Readonly<
    Record<string, Readonly<Record<string, string>>>
  >;
  return { ...dependencies, ...devDependencies };
}

test('098: every lock file of the repository is one of the root or of a folder whose packages are installed on demand', () => {
  const present = repositoryFiles().filter((path) => posix.basename(path) === 'package-lock.json');
  expect(present).toEqual(lockFiles.toSorted());
});

test.for(nonEmpty(lockFiles))(
  '071: every package of %s has a digest of its content, including packages of other platforms',
  (path) => {
    const packages = readPackages(path);
    const declared = Object.keys(declaredVersions(posix.join(posix.dirname(path), 'package.json')));
    expect(Object.keys(packages)).toEqual(
      expect.arrayContaining(nonEmpty(declared).map((name) => `node_modules/${name}`)),
    );
    expect(Object.keys(packages).length).toBeGreaterThan(path === 'package-lock.json' ? 100 : 20);
    expect(unproven(packages)).toEqual([]);
  },
);

test.for(nonEmpty(lockFiles))('071: %s names no registry', (path) => {
  expect(Object.entries(readPackages(path)).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

test.for(nonEmpty(foldersOnDemand))('098: $path and the root name the same version of a package', ({ path }) => {
  const [own, rootVersions] = [declaredVersions(`${path}/package.json`), declaredVersions('package.json')];
  expect(Object.keys(own).length).toBeGreaterThan(0);
  const differing = Object.entries(own).filter(([name, version]) => (rootVersions[name] ?? version) !== version);
  expect(differing).toEqual([]);
});

test('071: packages with a missing, weak or malformed digest are found', () => {
  const digest = `sha512-${'A'.repeat(86)}==`;
  const planted = {
    '': {},
    'node_modules/linked': { link: true },
    'node_modules/whole': { integrity: digest },
    'node_modules/bare': {},
    'node_modules/weak': { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
    'node_modules/cut': { integrity: digest.slice(0, 60) },
  };
  expect(unproven(planted)).toEqual(['node_modules/bare', 'node_modules/weak', 'node_modules/cut']);
});
