/**
 * Compares the program in dist/ with its sources. This file is plain JavaScript, because Node.js loads its transformer of
 * TypeScript in more time than it takes to list all sources.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('..', import.meta.url));
const sources = ['machines', 'src', 'package.json', 'package-lock.json', 'tooling/bundle.ts', 'tooling/program.ts'];

/** Name of the file in dist/ with the description of the sources that it was built from. */
export const stampName = '.built-from';

/** Describes the sources by their paths, times and sizes. */
export function describeSources() {
  return sources.flatMap(describe).join('\n');
}

/** Returns true if dist/ contains the program of the current sources. */
export function isProgramCurrent() {
  try {
    return readFileSync(`${top}dist/${stampName}`, 'utf8') === describeSources();
  } catch {
    return false;
  }
}

function describe(path) {
  const stats = statSync(top + path);
  if (!stats.isDirectory()) return [`${path} ${stats.mtimeMs} ${stats.size}`];
  return readdirSync(top + path).flatMap((name) => describe(`${path}/${name}`));
}
