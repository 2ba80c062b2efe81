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
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

type LockedPackages = Readonly<Record<string, Locked>>;

/** Lists packages without a digest in the lock file. For these, npm would accept any content from a registry. */
function unproven(packages: LockedPackages): readonly string[] {
  return Object.entries(packages)
    .filter(([name, { link }]) => name !== '' && link !== true)
    .filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
    .map(([name]) => name);
}

/**
 * Lists packages that a locked package requires, also as a peer, and that Node.js would find neither in the folder nor at
 * the root.
 */
function unresolved(packages: LockedPackages, rootPackages: LockedPackages): readonly string[] {
  return Object.entries(packages).flatMap(([path, { dependencies, peerDependencies, peerDependenciesMeta = {} }]) =>
    Object.keys({ ...dependencies, ...peerDependencies })
      .filter((name) => peerDependenciesMeta[name]?.optional !== true)
      .filter((name) => !isFound(name, path, packages) && rootPackages[`node_modules/${name}`] === undefined)
      .map((name) => `${path} requires ${name}`),
  );
}

/** True if a package is in the node_modules of a path or in one above it. */
function isFound(name: string, path: string, packages: LockedPackages): boolean {
  if (packages[posix.join(path, 'node_modules', name)] !== undefined) return true;
  return path !== '' && isFound(name, path.slice(0, Math.max(path.lastIndexOf('/node_modules/'), 0)), packages);
}

/** Lock files of the root, and of the folders whose packages are installed on demand. */
const lockFiles = ['package-lock.json', ...foldersOnDemand.map(({ path }) => `${path}/package-lock.json`)];

function readPackages(path: string): LockedPackages {
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly packages: LockedPackages }).packages;
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

test.for(nonEmpty(foldersOnDemand))(
  '098: every package that one of $path requires is there or at the root',
  ({ path }) => {
    expect(unresolved(readPackages(`${path}/package-lock.json`), readPackages('package-lock.json'))).toEqual([]);
  },
);

test('098: a missing peer and a package that is only below another one are found', () => {
  const planted = {
    'node_modules/a': { dependencies: { b: '1', c: '1' } },
    'node_modules/a/node_modules/b': { peerDependencies: { c: '1', d: '1', e: '1' } },
    'node_modules/a/node_modules/c': {},
    'node_modules/f': {
      peerDependencies: { b: '1', g: '1' },
      peerDependenciesMeta: { g: { optional: true } },
    },
  };
  expect(unresolved(planted, { 'node_modules/d': {} })).toEqual([
    'node_modules/a/node_modules/b requires e',
    'node_modules/f requires b',
  ]);
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
