import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Licenses that allow use and redistribution with attribution as the only condition. */
export const permissiveLicenses: ReadonlySet<string> = new Set([
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

/**
 * Writes the notices of the packages that the program contains: name, version, license and its text.
 *
 * @param modules - absolute paths of all bundled modules
 * @throws Error if the license of a package is not permissive
 */
export function describeThirdParties(modules: readonly string[]): string {
  const packed = modules.filter((path) => path.includes('/node_modules/'));
  const folders = new Set([...packed.map(findPackage), ...packed.flatMap(findContained)]);
  const notices = [...folders].map(describePackage).toSorted();
  return `This program contains the following packages.\n\n${notices.join('\n')}`;
}

/** Finds the folder of a module's package: the nearest one whose package.json has a name and a version. */
function findPackage(module: string): string {
  for (let folder = dirname(module); ; folder = dirname(folder)) {
    const { name, version } = readPackage(folder);
    if (name !== undefined && version !== undefined) return folder;
    if (folder.endsWith('/node_modules')) throw new Error(`${module} belongs to no package.`);
  }
}

/** Finds the folders of the packages that a bundled module contains, by the marks that bundlers leave in it. */
function findContained(module: string): readonly string[] {
  const names = readFileSync(module, 'utf8').matchAll(/^\/\/#region .*\bnode_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm);
  return [...new Set([...names].map(([, name = '']) => name))].map((name) => findInstalled(name, dirname(module)));
}

function findInstalled(name: string, from: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(place)) return place;
  }
  throw new Error(`${from} contains ${name}, which is not installed.`);
}

function describePackage(folder: string): string {
  const { name, version, license = 'no license' } = readPackage(folder);
  if (!permissiveLicenses.has(license)) throw new Error(`${name} ${version} has ${license}, which is not permissive.`);
  const texts = readdirSync(folder).filter((file) => /^(lice|notice)/i.test(file));
  const lines = texts.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${[`${name} ${version}, ${license}`, ...lines].join('\n\n')}\n`;
}

interface PackageFacts {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

function readPackage(folder: string): PackageFacts {
  const path = join(folder, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PackageFacts) : {};
}
