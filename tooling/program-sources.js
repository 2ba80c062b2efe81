/**
 * Finds the program that is bundled from the current sources. This file is plain JavaScript, because Node.js loads its
 * transformer of TypeScript in more time than it takes to look at all sources.
 */
const { existsSync, readdirSync, readFileSync, statSync } = process.getBuiltinModule('node:fs');
const { fileURLToPath } = process.getBuiltinModule('node:url');

const top = fileURLToPath(new URL('..', import.meta.url));
const folders = ['machines', 'src'];
const files = ['package.json', 'package-lock.json', 'tooling/bundle.ts', 'tooling/program.ts'];

/**
 * File about the bundled program. Its first line has the length of the others. They describe the entry of the program and then
 * its sources.
 */
export const recordPath = `${top}node_modules/.cache/nudgelab/program`;

/** Describes the sources, one in a line. */
export function describeSources() {
  return [...folders.flatMap(listFiles), ...files].map(describeFile).join('\n');
}

/** Returns the entry of the program in a folder at the top of the checkout. */
function nameEntry(folder) {
  return `${folder}/src/cli/main.js`;
}

/** Returns the content of the record for a program and the sources that it was bundled from. */
export function writeRecord(folder, sources) {
  const lines = `${describeFile(nameEntry(folder))}\n${sources}`;
  return `${lines.length}\n${lines}`;
}

/**
 * Returns the entry of the program that was bundled from the current sources, or `null` if there is none, also if the record
 * cannot be read. Folders are not listed, because a new file is not part of the program until a source imports it.
 */
export function findProgram() {
  try {
    const record = readFileSync(recordPath, 'utf8');
    const first = record.indexOf('\n') + 1;
    const isWhole = first > 0 && Number(record.slice(0, first)) === record.length - first;
    if (!isWhole || !isCurrent(record, first)) return null;
    const entry = pathIn(record, first, record.indexOf('\n', first));
    return existsSync(`${top}${entry.slice(0, entry.indexOf('/'))}/chunks`) ? top + entry : null;
  } catch {
    return null;
  }
}

/** Returns `true` if no file has changed. A list of all lines would outlive two collections of garbage, which delays the start. */
function isCurrent(record, first) {
  let start = first;
  while (start < record.length) {
    const next = record.indexOf('\n', start);
    const end = next === -1 ? record.length : next;
    if (describeFile(pathIn(record, start, end)) !== record.slice(start, end)) return false;
    start = end + 1;
  }
  return true;
}

/** Describes a file by the time of its last change, its size and its path. Returns `null` if it is gone. */
function describeFile(path) {
  const stats = statSync(top + path, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.mtimeMs} ${stats.size} ${path}`;
}

/** Returns the path in a line of the record. */
function pathIn(record, start, end) {
  return record.slice(record.indexOf(' ', record.indexOf(' ', start) + 1) + 1, end);
}

/** Lists the files of a folder, also by links to files, without hidden ones, which editors add. */
function listFiles(folder) {
  return readdirSync(top + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(path);
    const isFile =
      entry.isFile() || (entry.isSymbolicLink() && existsSync(top + path) && statSync(top + path).isFile());
    return isFile && !entry.name.startsWith('.') ? [path] : [];
  });
}
