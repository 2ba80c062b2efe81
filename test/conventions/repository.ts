import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Text file with its content and its path from the repository root, with forward slashes. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Violation of a convention, as printed. `line` is 1-based, or 0 for the whole file. */
export interface Fault {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

const top = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Lists the repository's files that git does not ignore, as sorted paths with forward slashes. Reads .gitignore itself,
 * so a copy without git has the same files. Throws if .gitignore contains an unsupported pattern.
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

/**
 * Converts the lines of a .gitignore to globs. Supports only folders (`dist/`) and file names (`*.log`). Throws on any
 * other pattern.
 */
export function ignoreGlobs(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of lines) {
    if (!/^[\w.*-][\w.*/-]*$/.test(line)) {
      throw new Error(`.gitignore: test/conventions/repository.ts cannot read the pattern "${line}".`);
    }
  }
  return ['.git', ...lines.map((line) => `**/${line.replace(/\/$/, '')}`)];
}

/** Reads the text files among the given paths. A file with a NUL byte is not text and is omitted. */
export function readTextFiles(paths: readonly string[]): readonly TextFile[] {
  return paths
    .map((path) => ({ path, text: readFileSync(join(top, path), 'utf8') }))
    .filter((file) => !file.text.includes('\0'));
}

/** Returns the 1-based line number of an offset in a text. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Formats each fault as one line, `path:line message`, so a terminal links to the location. */
export function printed(faults: readonly Fault[]): readonly string[] {
  return faults.map((fault) => `${fault.path}${fault.line === 0 ? '' : `:${fault.line}`} ${fault.message}`);
}
