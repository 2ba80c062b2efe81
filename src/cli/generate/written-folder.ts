import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { computeSha256 } from '../../core/digest.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import type { Artefact } from '../../generate/write/artefact.ts';
import { isTaken } from '../is-taken.ts';
import { makeFolder } from '../make-folder.ts';

/** What the program wrote into a folder, and how it was then. */
const listName = '.nudgelab-generated.json';

/** What became of the files of a folder. */
export interface WrittenFiles {
  readonly written: readonly string[];
  /** Files of an earlier time that are no longer wanted. */
  readonly removed: readonly string[];
}

/**
 * Writes files into a folder and keeps a list of them, so that the next time it knows which are its own. Takes whether to write
 * over what it did not write. Throws `file-exists` for a file of someone else, and `file-changed` for one that was changed
 * since; nothing is written then.
 */
export function writeFolder(folder: string, files: readonly Artefact[], force: boolean): WrittenFiles {
  const known = readList(folder);
  if (!force) assertOwn(folder, files, known);
  const wanted = new Set(files.map(({ path }) => path));
  const removed = [...known].filter(([path, digest]) => !wanted.has(path) && digestAt(folder, path) === digest);
  for (const [path] of removed) rmSync(join(folder, path));
  for (const { path, text } of files) {
    const file = join(folder, path);
    makeFolder(dirname(file));
    writeFileSync(file, text);
  }
  const list = Object.fromEntries(files.map(({ path, text }) => [path, computeSha256(text)]));
  makeFolder(folder);
  writeFileSync(join(folder, listName), `${JSON.stringify({ files: list }, null, 2)}\n`);
  return { written: files.map(({ path }) => path), removed: removed.map(([path]) => path) };
}

function assertOwn(folder: string, files: readonly Artefact[], known: ReadonlyMap<string, string>): void {
  const inTheWay = files.filter(({ path, text }) => {
    const digest = digestAt(folder, path);
    return digest !== null && digest !== known.get(path) && digest !== computeSha256(text);
  });
  const faults = (wanted: (path: string) => boolean, message: string): readonly ValidationProblem[] =>
    inTheWay.filter(({ path }) => wanted(path)).map(({ path }) => ({ location: join(folder, path), message }));
  const foreign = faults((path) => !known.has(path), 'is not a file of this command');
  if (foreign.length > 0) throw new NudgeLabError('file-exists', { problems: foreign });
  const changed = faults((path) => known.has(path), 'is not as it was written');
  if (changed.length > 0) throw new NudgeLabError('file-changed', { problems: changed });
}

/** Digests by path; none where the folder has no list, or one that cannot be read. */
function readList(folder: string): ReadonlyMap<string, string> {
  try {
    const list: unknown = JSON.parse(readFileSync(join(folder, listName), 'utf8'));
    const files = isPlainObject(list) && isPlainObject(list['files']) ? list['files'] : {};
    return new Map(Object.entries(files).filter(([path]) => isBelow(path)) as [string, string][]);
  } catch {
    return new Map();
  }
}

/** A list that someone bent must not lead out of its folder. */
function isBelow(path: string): boolean {
  return !path.startsWith('/') && !path.includes('\\') && !path.split('/').includes('..');
}

/** The digest of a file; `null` where nothing stands, and empty for what is no file. */
function digestAt(folder: string, path: string): string | null {
  const file = join(folder, path);
  if (!isTaken(file)) return null;
  // What stands there and is no file of its own, such as a link, is someone else's.
  return lstatSync(file).isFile() ? computeSha256(readFileSync(file, 'utf8')) : '';
}
