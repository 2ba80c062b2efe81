import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { computeSha256 } from '../../../core/digest.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import type { SavedFile, SuiteWriting } from '../../../server/suite-service.ts';

/**
 * Writes a scenario file inside a folder. `writer` is a number that no other running program uses. Throws
 * `bad-request` if the path points outside of the folder, and `precondition-failed` if the file has changed since
 * the writer read it.
 */
export function writeSuiteFile(
  root: string,
  { path, text, digest }: SuiteWriting,
  writer: number,
): SavedFile & { readonly isNew: boolean } {
  try {
    return written(root, { path, text, digest }, writer);
  } catch (cause) {
    throw unwritable(cause) ?? cause;
  }
}

/** Converts a file system error that an invalid path caused to a `bad-request` error; `null` for other errors. */
function unwritable(cause: unknown): NudgeLabError | null {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENAMETOOLONG') return badPath('it is longer than the file system allows');
  // A file exists at the path of a required folder.
  return code === 'ENOTDIR' || code === 'EEXIST' ? badPath('a part of it is a file') : null;
}

function written(
  root: string,
  { path, text, digest }: SuiteWriting,
  writer: number,
): SavedFile & { readonly isNew: boolean } {
  const target = resolvePath(root, path);
  const found = existsSync(target) ? computeSha256(readFileSync(target, 'utf8')) : null;
  if (found !== digest) {
    const message =
      found === null
        ? `${path} no longer exists.`
        : digest === null
          ? `${path} already exists.`
          : `${path} was changed since it was read.`;
    throw new NudgeLabError('precondition-failed', { message });
  }
  mkdirSync(dirname(target), { recursive: true });
  // The text is written to a temporary file first, so a concurrent reader sees either the old or the new text.
  const beside = join(dirname(target), `.nudgelab-${writer}`);
  rmSync(beside, { force: true });
  try {
    // If a file exists here now, it was created in the meantime as a target to write through.
    writeFileSync(beside, text, { flag: 'wx' });
    renameSync(beside, target);
  } catch (cause) {
    rmSync(beside, { force: true });
    throw cause;
  }
  return { path, digest: computeSha256(text), isNew: found === null };
}

/** Maximum length of a file name in characters that common file systems share. */
const nameCharactersMax = 255;

/**
 * Resolves a path inside the folder. Throws `bad-request` if the path points outside of it, either directly or
 * through a link.
 */
function resolvePath(root: string, path: string): string {
  const parts = path.split('/');
  const isPlain = parts.every((part) => /^[\w][\w. -]*$/.test(part));
  if (parts.some(({ length }) => length > nameCharactersMax)) {
    throw badPath(`each part must have at most ${nameCharactersMax} characters`);
  }
  if (!isPlain) throw badPath('each part must consist of letters, digits, dots, spaces, hyphens and underscores');
  if (parts[0] === 'fixtures') throw badPath('the folder fixtures/ is for fixtures, not for scenarios');
  const target = join(root, ...parts);
  const realRoot = realpathSync(root);
  const realFolder = realpathSync(nearest(dirname(target)));
  if (realFolder !== realRoot && !realFolder.startsWith(realRoot + sep))
    throw badPath('it must not lead out of the folder');
  if (existsSync(target) && !lstatSync(target).isFile()) throw badPath('it is not a file');
  if (!existsSync(target) && lstatSync(target, { throwIfNoEntry: false }) !== undefined)
    throw badPath('it is a symbolic link');
  return target;
}

/** Returns the nearest existing parent folder. */
function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder));
}

function badPath(message: string): NudgeLabError {
  return new NudgeLabError('bad-request', { problems: [{ location: 'body.path', message }] });
}
