import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { foldersOnDemand } from './packages-on-demand.ts';

/**
 * Known security advisories for installed packages. `node tooling/advisories.ts` queries the registry. If the
 * registry is unavailable, it checks only the list next to this file and reports that. The list is maintained by
 * hand and contains advisories for packages in the lock files. A test checks it offline. It is not complete, and its
 * identifiers and version ranges were not compared with a source.
 */

/** Range of affected versions. `before` is the first fixed version. */
interface Span {
  readonly from: string;
  readonly before: string;
}

interface Advisory {
  readonly id: string;
  readonly package: string;
  readonly what: string;
  readonly vulnerable: readonly Span[];
}

interface AdvisoryList {
  /** Date of the last review of the list. */
  readonly reviewed: string;
  readonly advisories: readonly Advisory[];
}

const top = join(import.meta.dirname, '..');

/** Folders with a lock file: the root, and those whose packages are installed on demand. */
const lockFolders: readonly string[] = ['', ...foldersOnDemand.map(({ path }) => path)];

/** Loads the list of advisories next to this file. */
export function knownAdvisories(): AdvisoryList {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'advisories.json'), 'utf8')) as AdvisoryList;
}

/** Package in a lock file. */
export interface LockedPackage {
  /** Path of the installed package from the root of the repository. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  /** True if the package is needed only for building and testing. */
  readonly dev: boolean;
}

/** Lists all packages in the lock files of the repository, including indirect dependencies. */
export function lockedPackages(): readonly LockedPackage[] {
  return lockFolders.flatMap((folder) => {
    const lock = JSON.parse(readFileSync(join(top, folder, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<
        Record<string, { version?: string; license?: string; dev?: boolean; devOptional?: boolean }>
      >;
    };
    return Object.entries(lock.packages)
      .filter(([path]) => path !== '')
      .map(([path, { version = '', license, dev, devOptional }]) => ({
        path: posix.join(folder, path),
        name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
        version,
        license,
        dev: folder !== '' || dev === true || devOptional === true,
      }));
  });
}

/** Lists the advisories that affect packages, one per line. */
export function advisoryFaults(packages: readonly LockedPackage[], { advisories }: AdvisoryList): readonly string[] {
  return packages.flatMap(({ path, name, version }) =>
    advisories
      .filter((advisory) => advisory.package === name && advisory.vulnerable.some((span) => isWithin(version, span)))
      .map(({ id, what }) => `${path} ${version}: ${id}, ${what}`),
  );
}

function isWithin(version: string, { from, before }: Span): boolean {
  return compare(version, from) >= 0 && compare(version, before) < 0;
}

function compare(left: string, right: string): number {
  const [ours, theirs] = [splitParts(left), splitParts(right)];
  const at = ours.findIndex((part, place) => part !== theirs[place]);
  return at === -1 ? 0 : (ours[at] ?? 0) - (theirs[at] ?? 0);
}

function splitParts(version: string): readonly number[] {
  return (version.split(/[-+]/, 1)[0] ?? '').split('.').map(Number);
}

/** Queries the registry for advisories about the packages of every lock file; `null` if it is unavailable. */
function registryFaults(): readonly string[] | null {
  const faults: string[] = [];
  for (const folder of lockFolders) {
    const { stdout } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], {
      cwd: join(top, folder),
      encoding: 'utf8',
    });
    const vulnerabilities = readAudit(stdout);
    if (vulnerabilities === null) return null;
    const suffix = folder === '' ? '' : ` (${folder})`;
    faults.push(...Object.entries(vulnerabilities).map(([name, { severity }]) => `${name}: ${severity}${suffix}`));
  }
  return faults;
}

/** Reads the vulnerable packages from the output of `npm audit --json`; `null` if it has none because of an error. */
function readAudit(text: string): Readonly<Record<string, { readonly severity: string }>> | null {
  try {
    const { vulnerabilities = null } = JSON.parse(text) as {
      vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
    };
    return vulnerabilities;
  } catch {
    return null;
  }
}

if (import.meta.main) {
  const list = knownAdvisories();
  const faults = [...advisoryFaults(lockedPackages(), list)];
  const reported = registryFaults();
  process.stdout.write(
    reported === null
      ? `The registry could not be reached; checked ${list.advisories.length} advisories of the list of ${list.reviewed}.\n`
      : `Checked the registry and ${list.advisories.length} advisories of the list of ${list.reviewed}.\n`,
  );
  for (const fault of [...faults, ...(reported ?? [])]) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length + (reported ?? []).length === 0 ? 0 : 1;
}
