import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the package: the nearest folder above that holds a package.json, from the sources and from dist alike. */
const packageFolder = topAbove(dirname(fileURLToPath(import.meta.url)));

/** The fixtures that ship with the program. */
export const shippedFixturesFolder = join(packageFolder, 'fixtures');

/** The program's version. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  return version;
}

function topAbove(folder: string): string {
  const above = dirname(folder);
  return existsSync(join(folder, 'package.json')) || above === folder ? folder : topAbove(above);
}
