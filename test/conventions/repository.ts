import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A text file: its path from the repository's top with forward slashes, and its content. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** A violation of a convention, as it is printed. `line` is 1-based; 0 means the file as a whole. */
export interface Fault {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

const top = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Lists the repository's files that git does not ignore, as sorted paths with forward slashes. It reads .gitignore itself,
 * so that a copy without git is held to the same rules. Throws on a pattern whose meaning it does not know.
 */
export function repositoryFiles(): readonly string[] {
  const ignored = ignoreGlobs(readFileSync(join(top, '.gitignore'), 'utf8'));
  return filesBelow('', (path) => ignored.some((glob) => matchesGlob(path, glob))).toSorted();
}

function filesBelow(folder: string, isIgnored: (path: string) => boolean): readonly string[] {
  return readdirSync(join(top, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (isIgnored(path)) return [];
    return entry.isDirectory() ? filesBelow(path, isIgnored) : [path];
  });
}

/** Turns the lines of a .gitignore into globs; knows folders (`dist/`) and file names (`*.log`) alone, and throws on others. */
export function ignoreGlobs(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of lines) {
    if (!/^[\w.*-][\w.*/-]*$/.test(line)) {
      throw new Error(`.gitignore: test/conventions/repository.ts cannot read the pattern "${line}".`);
    }
  }
  return ['.git', ...lines.map((line) => `**/${line.replace(/\/$/, '')}`)];
}

/** Reads the text files among the given paths; a file with a NUL byte is not text and is left out. */
export function readTextFiles(paths: readonly string[]): readonly TextFile[] {
  return paths
    .map((path) => ({ path, text: readFileSync(join(top, path), 'utf8') }))
    .filter((file) => !file.text.includes('\0'));
}

/** Tells the 1-based line of an offset into a text. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Writes faults one a line, as `path:line message`, so that a terminal links to the place. */
export function printed(faults: readonly Fault[]): readonly string[] {
  return faults.map((fault) => `${fault.path}${fault.line === 0 ? '' : `:${fault.line}`} ${fault.message}`);
}
