/**
 * Finds the program that is bundled from the current sources. This file is plain JavaScript, because Node.js loads its
 * transformer of TypeScript in more time than it takes to look at all sources.
 */
const { existsSync, readdirSync, readFileSync, statSync } = process.getBuiltinModule('node:fs');
const { fileURLToPath } = process.getBuiltinModule('node:url');

const top = fileURLToPath(new URL('..', import.meta.url));
const folders = ['machines', 'src'];
const files = ['package.json', 'package-lock.json', 'tooling/bundle.ts', 'tooling/program.ts'];

/** File about the bundled program: its entry and then its sources, each with its path, the time of its last change and its size. */
export const recordPath = `${top}node_modules/.cache/nudgelab/program`;

/** Describes the sources as JSON. */
export function describeSources() {
  return JSON.stringify([...folders.flatMap(listFiles), ...files].map(describeFile));
}

/** Returns the content of the record for a program in a folder at the top of the checkout, and its described sources. */
export function writeRecord(folder, sources) {
  return JSON.stringify([describeFile(`${folder}/src/cli/main.js`), ...JSON.parse(sources)]);
}

/**
 * Returns the entry of the program that was bundled from the current sources, or `null` if there is none, also if the record
 * cannot be read. Folders are not listed, because a new file is not part of the program until a source imports it.
 */
export function findProgram() {
  try {
    const described = JSON.parse(readFileSync(recordPath, 'utf8'));
    const [[entry]] = described;
    return described.every(isCurrent) && existsSync(`${top}${entry.slice(0, entry.indexOf('/'))}/chunks`)
      ? top + entry
      : null;
  } catch {
    return null;
  }
}

/** Returns `true` if a file has not changed. Comparing descriptions as text would take half as long again. */
function isCurrent([path, changedAtMs, size]) {
  const stats = statSync(top + path, { throwIfNoEntry: false });
  return stats?.mtimeMs === changedAtMs && stats.size === size;
}

function describeFile(path) {
  const stats = statSync(top + path, { throwIfNoEntry: false });
  return [path, stats?.mtimeMs, stats?.size];
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
