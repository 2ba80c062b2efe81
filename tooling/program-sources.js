/**
 * Finds the program that is bundled from the current sources. This file is plain JavaScript, because Node.js loads its
 * transformer of TypeScript in more time than it takes to list all sources.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('..', import.meta.url));
const folders = ['machines', 'src'];
const files = ['package.json', 'package-lock.json', 'tooling/bundle.ts', 'tooling/program.ts'];

/** File with the folder of the bundled program in its first line, and the sources of the program after it. */
export const recordPath = `${top}node_modules/.cache/nudgelab/program`;

/** Describes the sources by their paths, times and sizes. */
export function describeSources() {
  return [...folders.flatMap(listFiles), ...files]
    .map((path) => {
      const { mtimeMs, size } = statSync(top + path);
      return `${path} ${mtimeMs} ${size}`;
    })
    .join('\n');
}

/** Returns the entry of the program that was bundled from the current sources, or `null` if there is none. */
export function findProgram() {
  if (!existsSync(recordPath)) return null;
  const record = readFileSync(recordPath, 'utf8');
  const end = record.indexOf('\n');
  const folder = `${top}${record.slice(0, end)}`;
  const entry = `${folder}/src/cli/main.js`;
  const isWhole = existsSync(entry) && existsSync(`${folder}/chunks`);
  return isWhole && record.slice(end + 1) === describeSources() ? entry : null;
}

/** Lists the files of a folder, without links and hidden files, which editors add. */
function listFiles(folder) {
  return readdirSync(top + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(path);
    return entry.isFile() && !entry.name.startsWith('.') ? [path] : [];
  });
}
