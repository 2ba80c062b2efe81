/**
 * Finds the program that is bundled from the current sources. This file is plain JavaScript, because Node.js loads its
 * transformer of TypeScript in more time than it takes to look at all sources.
 */
const { existsSync, readdirSync, readFileSync, statSync } = process.getBuiltinModule('node:fs');
const { fileURLToPath } = process.getBuiltinModule('node:url');

const top = fileURLToPath(new URL('..', import.meta.url));
const folders = ['machines', 'src'];
const files = ['package.json', 'package-lock.json', 'tooling/bundle.ts', 'tooling/program.ts'];

/** File with the folder of the bundled program in its first line, and its sources in the others. */
export const recordPath = `${top}node_modules/.cache/nudgelab/program`;

/** Describes the sources by lines with the path, the time of the last change, and the size. */
export function describeSources() {
  return [...folders.flatMap(listFiles), ...files].map(describeFile).join('\n');
}

/**
 * Returns the entry of the program that was bundled from the current sources, or `null` if there is none. Folders are not
 * listed, because a new file is not part of the program until a source imports it.
 */
export function findProgram() {
  if (!existsSync(recordPath)) return null;
  const record = readFileSync(recordPath, 'latin1');
  const end = record.indexOf('\n');
  const folder = `${top}${record.slice(0, end)}`;
  const entry = `${folder}/src/cli/main.js`;
  const isWhole = existsSync(entry) && existsSync(`${folder}/chunks`);
  return isWhole && isCurrent(record, end + 1) ? entry : null;
}

/** Returns `true` if no source has changed. A list of all lines would outlive two collections of garbage, which delays the start. */
function isCurrent(record, firstLine) {
  let start = firstLine;
  while (start < record.length) {
    const next = record.indexOf('\n', start);
    const end = next === -1 ? record.length : next;
    const path = record.slice(start, record.indexOf(' ', start));
    if (describeFile(path) !== record.slice(start, end)) return false;
    start = end + 1;
  }
  return true;
}

/** Describes a file, or returns `null` if it is gone. */
function describeFile(path) {
  const stats = statSync(top + path, { throwIfNoEntry: false });
  return stats === undefined ? null : `${path} ${stats.mtimeMs} ${stats.size}`;
}

/** Lists the files of a folder, without links and hidden files, which editors add. */
function listFiles(folder) {
  return readdirSync(top + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(path);
    return entry.isFile() && !entry.name.startsWith('.') ? [path] : [];
  });
}
