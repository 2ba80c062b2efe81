import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** The most that a published package may take, in bytes. */
export const sizeLimits = {
  /** The package itself, unpacked: the sum of its files. */
  unpackedBytesMax: 6_000_000,
  /** With all that it cannot do without, as a disk counts it. */
  installedBytesMax: 60_000_000,
} as const;

/** Ways to resolve an entry that a package of modules alone does not serve. */
const foreignWays: readonly string[] = ['node10', 'node16-cjs'];

const bytesPerBlock = 512;

/**
 * What is wrong with the entries of a package, a line each: files that are not there, conditions in the wrong order, types that
 * are not those of the module. Takes the unpacked folder and the tarball.
 */
export async function entryFaults(folder: string, tarball: string): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: false });
  const typed = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  const problems = typed.types === false ? [{ kind: 'no types at all' }] : typed.problems;
  const wrong = problems.filter(
    (one) => !('resolutionKind' in one && foreignWays.includes(String(one.resolutionKind))),
  );
  return [
    ...messages.map((message) => `publint: ${message.code}: ${formatMessage(message, pkg) ?? message.path.join('.')}`),
    ...wrong.map((problem) => `are the types wrong: ${JSON.stringify(problem)}`),
  ];
}

/** Bytes of all files of a folder together, as they are. */
export function countBytes(folder: string): number {
  return filesOf(folder).reduce((sum, path) => sum + statSync(path).size, 0);
}

/** Names of the packages that an installation without optional ones has, by the lock file of the repository. */
export function neededPackages(top: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  const unneeded = ['dev', 'optional', 'devOptional', 'peer', 'extraneous'];
  return Object.entries(packages)
    .filter(([path, entry]) => path !== '' && !unneeded.some((flag) => entry[flag] === true))
    .map(([path]) => path);
}

/** Bytes on the disk of the unpacked package and of all that it needs. Takes both folders; a disk counts in blocks. */
export function installedBytes(unpacked: string, top: string): number {
  const folders = [unpacked, ...neededPackages(top).map((path) => join(top, path))];
  return folders.flatMap(filesOf).reduce((sum, path) => sum + blocksOf(path) * bytesPerBlock, 0);
}

/** What is larger than it may be, a line each. */
export function sizeFaults(unpackedBytes: number, wholeBytes: number): readonly string[] {
  const { unpackedBytesMax, installedBytesMax } = sizeLimits;
  return [
    ...(unpackedBytes > unpackedBytesMax
      ? [`The package unpacks to ${unpackedBytes} bytes: over ${unpackedBytesMax}.`]
      : []),
    ...(wholeBytes > installedBytesMax ? [`It installs to ${wholeBytes} bytes: over ${installedBytesMax}.`] : []),
  ];
}

/** Files and folders below a folder, but for packages installed within it, which the lock file lists themselves. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules') return [];
    return entry.isDirectory() ? [path, ...filesOf(path)] : [path];
  });
}

/** Where a file system does not tell its blocks, whole ones of the usual size are counted. */
function blocksOf(path: string): number {
  const { blocks, size } = statSync(path);
  return typeof blocks === 'number' ? blocks : Math.ceil(size / 4_096) * 8;
}
