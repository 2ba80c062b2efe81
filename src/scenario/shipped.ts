import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the package: the nearest parent folder with a package.json, for both the sources and dist. */
const packageFolder = topAbove(dirname(fileURLToPath(import.meta.url)));

/** Folder of the built-in fixtures. */
export const shippedFixturesFolder = join(packageFolder, 'fixtures');

/** Folder of the example rulesets. */
export const shippedRulesetsFolder = join(packageFolder, 'rulesets');

/** Folder of the temporal properties of the specification. */
export const shippedPropertiesFolder = join(packageFolder, 'properties');

/** Returns the version of the program. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  return version;
}

function topAbove(folder: string): string {
  const above = dirname(folder);
  return existsSync(join(folder, 'package.json')) || above === folder ? folder : topAbove(above);
}
