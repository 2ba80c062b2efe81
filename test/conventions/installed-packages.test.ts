import { describe, expect, it } from 'vitest';
import { advisoryFaults, knownAdvisories, type LockedPackage, lockedPackages } from '../../tooling/advisories.ts';

const packages = lockedPackages();

/** Licenses under which a package may be used and passed on without more than naming it. */
const permissive: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'Apache-2.0',
  'Unlicense',
  'CC0-1.0',
  'Python-2.0',
  'PSF-2.0',
  'MIT OR Apache-2.0',
  '(MIT AND Zlib)',
  '(MIT OR CC0-1.0)',
]);

/** Packages of other licenses, and why they may be there. None of them is a part of this one. */
const allowed: readonly (readonly [name: RegExp, licence: RegExp, why: string])[] = [
  [/^@img\/sharp-/, /LGPL-3\.0-or-later/, 'the picture library is a file of its own, which anybody may replace'],
  [/^(lightningcss|@axe-core|axe-core)/, /^MPL-2\.0$/, 'builds and tests the console, and is not passed on'],
  [/^@cspell\/dict-(django|en-common-misspellings)$/, /^(WTFPL|CC BY-SA 4\.0)$/, 'words that the spelling check reads'],
  [/^caniuse-lite$/, /^CC-BY-4\.0$/, 'data that the build of the console reads'],
];

/** Packages whose manifest names the licence in an older form; read by hand. */
const readByHand: Readonly<Record<string, string>> = { 'passport-strategy': 'MIT', pause: 'MIT', 'png-js': 'MIT' };

function isAllowed({ name, license = readByHand[name] ?? '' }: LockedPackage): boolean {
  return permissive.has(license) || allowed.some(([names, licences]) => names.test(name) && licences.test(license));
}

describe('what is installed', () => {
  it('every package, anyone who needs it, has a licence that lets it be used', () => {
    expect(packages.length).toBeGreaterThan(300);
    expect(packages.filter((one) => !isAllowed(one)).map(({ path, license }) => `${path}: ${license}`)).toEqual([]);
  });

  it('what users install is permissive but for the picture library', () => {
    const own = packages.filter(({ dev }) => !dev);
    expect(own.length).toBeGreaterThan(50);
    const other = own.filter(({ name, license = '' }) => !(permissive.has(license) || name.startsWith('@img/sharp-')));
    expect(other.map(({ path, license }) => `${path}: ${license}`)).toEqual([]);
  });

  it('no version is one that an advisory of the list names', () => {
    expect(advisoryFaults(packages, knownAdvisories())).toEqual([]);
  });

  it('the check knows a version that one names, and the first sound one', () => {
    const planted = (version: string): LockedPackage => ({
      path: 'node_modules/qs',
      name: 'qs',
      version,
      license: 'MIT',
      dev: false,
    });
    expect(advisoryFaults([planted('6.14.0')], knownAdvisories())).toHaveLength(1);
    expect(advisoryFaults([planted('6.14.1'), planted('7.0.0')], knownAdvisories())).toEqual([]);
  });

  it('every advisory is about a package that was there when the list was made, or is still', () => {
    const { reviewed, advisories } = knownAdvisories();
    expect(reviewed).toMatch(/^\d{4}-\d\d-\d\d$/);
    const names = new Set(packages.map(({ name }) => name));
    expect(advisories.filter((advisory) => names.has(advisory.package)).length).toBeGreaterThan(10);
  });
});
