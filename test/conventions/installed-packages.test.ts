import { describe, expect, it } from 'vitest';
import { advisoryFaults, knownAdvisories, type LockedPackage, lockedPackages } from '../../tooling/advisories.ts';
import { permissiveLicenses } from '../../tooling/third-parties.ts';

const packages = lockedPackages();

/** Packages with other licenses, and the reasons why they are allowed. No named location is part of this package. */
const allowed: readonly (readonly [name: RegExp, licence: RegExp, why: string])[] = [
  [/^@img\/sharp-/, /LGPL-3\.0-or-later/, 'the picture library is a file of its own, which anybody may replace'],
  [/^(lightningcss|@axe-core|axe-core)/, /^MPL-2\.0$/, 'builds and tests the console, and is not passed on'],
  [/^@cspell\/dict-(django|en-common-misspellings)$/, /^(WTFPL|CC BY-SA 4\.0)$/, 'words that the spelling check reads'],
  [/^caniuse-lite$/, /^CC-BY-4\.0$/, 'data that the build of the console reads'],
];

/** Licenses of packages whose manifest has an older format. Determined by hand. */
const readByHand: Readonly<Record<string, string>> = { 'passport-strategy': 'MIT', pause: 'MIT', 'png-js': 'MIT' };

function isAllowed({ name, license = readByHand[name] ?? '' }: LockedPackage): boolean {
  return (
    permissiveLicenses.has(license) || allowed.some(([names, licences]) => names.test(name) && licences.test(license))
  );
}

describe('installed packages', () => {
  it('every package has an allowed license, including development dependencies', () => {
    expect(packages.length).toBeGreaterThan(300);
    expect(packages.filter((one) => !isAllowed(one)).map(({ path, license }) => `${path}: ${license}`)).toEqual([]);
  });

  it('054: users install three packages, which have permissive licenses; the build checks those in the program', () => {
    const own = packages.filter(({ dev }) => !dev);
    expect(own.map(({ name }) => name).toSorted()).toEqual(['@faker-js/faker', 'xstate', 'zod']);
    for (const { license = '' } of own) expect(permissiveLicenses).toContain(license);
  });

  it('no installed version has a listed advisory', () => {
    expect(advisoryFaults(packages, knownAdvisories())).toEqual([]);
  });

  it('the check reports a vulnerable version and accepts the first fixed one', () => {
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

  it('the list of advisories has a review date and covers installed packages', () => {
    const { reviewed, advisories } = knownAdvisories();
    expect(reviewed).toMatch(/^\d{4}-\d\d-\d\d$/);
    const names = new Set(packages.map(({ name }) => name));
    expect(advisories.filter((advisory) => names.has(advisory.package)).length).toBeGreaterThan(10);
  });
});
