import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Known advisories about what is installed. With the registry at hand `node tooling/advisories.ts` asks it for all that it knows;
 * without it, the list beside this file is all that was asked, and the command says so. The list is made by hand of advisories about
 * packages that stand in the lock file: it is checked offline by a test, it is not complete, and its identifiers and spans of versions
 * were not compared with a source.
 */

/** A span of versions, the second of which is the first that is sound. */
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
  /** The day on which the list was looked through. */
  readonly reviewed: string;
  readonly advisories: readonly Advisory[];
}

const top = join(import.meta.dirname, '..');

/** The list beside this file. */
export function knownAdvisories(): AdvisoryList {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'advisories.json'), 'utf8')) as AdvisoryList;
}

/** A package of the lock file. */
export interface LockedPackage {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  /** Only needed for building and testing. */
  readonly dev: boolean;
}

/** All packages of the lock file, anyone who needs them. */
export function lockedPackages(): readonly LockedPackage[] {
  const lock = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<
      Record<string, { version?: string; license?: string; dev?: boolean; devOptional?: boolean }>
    >;
  };
  return Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .map(([path, { version = '', license, dev, devOptional }]) => ({
      path,
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      license,
      dev: dev === true || devOptional === true,
    }));
}

/** What the list says of packages, a line each. */
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
  const [ours, theirs] = [partsOf(left), partsOf(right)];
  const at = ours.findIndex((part, place) => part !== theirs[place]);
  return at === -1 ? 0 : (ours[at] ?? 0) - (theirs[at] ?? 0);
}

function partsOf(version: string): readonly number[] {
  return (version.split(/[-+]/, 1)[0] ?? '').split('.').map(Number);
}

/** Asks the registry; `null` when it cannot be asked. */
function registryFaults(): readonly string[] | null {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], { cwd: top, encoding: 'utf8' });
  try {
    const { vulnerabilities } = JSON.parse(stdout) as {
      vulnerabilities?: Readonly<Record<string, { severity: string }>>;
    };
    if (vulnerabilities === undefined) return null;
    return Object.entries(vulnerabilities).map(([name, { severity }]) => `${name}: ${severity}`);
  } catch {
    return null;
  }
}

if (import.meta.main) {
  const list = knownAdvisories();
  const faults = [...advisoryFaults(lockedPackages(), list)];
  const asked = registryFaults();
  process.stdout.write(
    asked === null
      ? `The registry could not be asked; checked were ${list.advisories.length} advisories of the list of ${list.reviewed}.\n`
      : `The registry was asked, besides ${list.advisories.length} advisories of the list of ${list.reviewed}.\n`,
  );
  for (const fault of [...faults, ...(asked ?? [])]) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length + (asked ?? []).length === 0 ? 0 : 1;
}
