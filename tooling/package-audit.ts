import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Maximum sizes of a published package in bytes. */
export const sizeLimits = {
  /** Maximum size of the unpacked package, as the sum of its files. */
  unpackedBytesMax: 11_000_000,
  /** Maximum disk usage of the package with all required dependencies. */
  installedBytesMax: 31_000_000,
} as const;

const bytesPerBlock = 512;

/** Computes the total size of all files in a folder in bytes. Folders count nothing: their size is that of a file system. */
export function countBytes(folder: string): number {
  return listFiles(folder)
    .map((path) => statSync(path))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
}

/**
 * Lists the names of the packages in an installation without optional packages, according to the lock file of the
 * repository.
 */
export function neededPackages(top: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  const unneeded = ['dev', 'optional', 'devOptional', 'peer', 'extraneous'];
  return Object.entries(packages)
    .filter(([path, entry]) => path !== '' && !unneeded.some((flag) => entry[flag] === true))
    .map(([path]) => path);
}

/**
 * Computes the disk usage of the unpacked package and its required dependencies in bytes. Files occupy whole disk
 * blocks.
 */
export function installedBytes(unpacked: string, top: string): number {
  const folders = [unpacked, ...neededPackages(top).map((path) => join(top, path))];
  return folders.flatMap(listFiles).reduce((sum, path) => sum + countBlocks(path) * bytesPerBlock, 0);
}

/** Lists the sizes that exceed their limit, one per line. */
export function sizeFaults(unpackedBytes: number, wholeBytes: number): readonly string[] {
  const { unpackedBytesMax, installedBytesMax } = sizeLimits;
  return [
    ...(unpackedBytes > unpackedBytesMax
      ? [`The package unpacks to ${unpackedBytes} bytes; the maximum is ${unpackedBytesMax}.`]
      : []),
    ...(wholeBytes > installedBytesMax
      ? [`It installs to ${wholeBytes} bytes; the maximum is ${installedBytesMax}.`]
      : []),
  ];
}

/**
 * Lists the files and folders in a folder. Nested installed packages are excluded because the lock file lists them
 * separately.
 */
function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules') return [];
    return entry.isDirectory() ? [path, ...listFiles(path)] : [path];
  });
}

/**
 * Returns the number of disk blocks of a file. If the file system does not report it, whole blocks of the usual
 * size are counted.
 */
function countBlocks(path: string): number {
  const { blocks, size } = statSync(path);
  return typeof blocks === 'number' ? blocks : Math.ceil(size / 4_096) * 8;
}
