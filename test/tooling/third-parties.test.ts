import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { describeThirdParties } from '../../tooling/third-parties.ts';

const folder = mkdtempSync(join(tmpdir(), 'nudgelab-parties-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** Creates a package, and returns the path of a module in it. */
function plantPackage(name: string, license: string | undefined, source = ''): string {
  const place = join(folder, 'node_modules', name);
  mkdirSync(join(place, 'lib'), { recursive: true });
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name, version: '1.2.3', license }));
  // Marks the folder as modules of one kind, as packages do, and is no package itself.
  writeFileSync(join(place, 'lib/package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(place, 'LICENSE.md'), `Words of ${name}.\n`);
  const main = join(place, 'lib/main.js');
  writeFileSync(main, source);
  return main;
}

describe('054: notices of packages in the program', () => {
  test('054: each package is named once with its license and its words, in order', () => {
    const [second, first] = [plantPackage('second', 'MIT'), plantPackage('@scope/first', 'Apache-2.0')];
    const own = join(folder, 'src/index.ts');
    expect(describeThirdParties([second, own, first, second])).toBe(
      'This program contains the following packages.\n\n' +
        '@scope/first 1.2.3, Apache-2.0\n\nWords of @scope/first.\n\nsecond 1.2.3, MIT\n\nWords of second.\n',
    );
  });

  test('054: packages inside a bundled module are named, and one that is not installed ends the build', () => {
    plantPackage('@scope/inner', 'ISC');
    const outer = plantPackage('outer', 'MIT', '//#region node_modules/@scope/inner/index.js\nexport {};\n');
    expect(describeThirdParties([outer])).toContain('@scope/inner 1.2.3, ISC\n\nWords of @scope/inner.\n');
    const broken = plantPackage(
      'broken',
      'MIT',
      '//#region ../../node_modules/.store/a/node_modules/absent/index.js\n',
    );
    expect(() => describeThirdParties([broken])).toThrow('contains absent, which is not installed');
  });

  test.for([
    ['none', undefined],
    ['copyleft', 'GPL-3.0-only'],
  ] as const)('054 canary: a package with a license that is not permissive ends the build (%s)', ([name, license]) => {
    const planted = plantPackage(name, license);
    expect(() => describeThirdParties([planted])).toThrow(`${name} 1.2.3 has ${license ?? 'no license'}`);
  });
});
