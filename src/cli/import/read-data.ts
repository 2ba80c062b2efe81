import { resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { detectEncoding } from '../../replay/import/source-file.ts';
import { bytesAtMost, dataBytesMax, tooLarge } from '../../scenario/data-file.ts';
import { YamlSource } from '../../scenario/yaml-source.ts';

/** Reads and parses a YAML or JSON file. Throws `file-unreadable`. */
export function readData(file: string, cwd: string): unknown {
  const source = new YamlSource(file, readText(file, cwd, dataBytesMax));
  if (source.problems.length > 0) throw new NudgeLabError('file-unreadable', { problems: source.problems });
  return source.data;
}

/** Reads a text file in UTF-8 or UTF-16, up to a maximum size in bytes. Throws `file-unreadable`. */
export function readText(file: string, cwd: string, bytesMax: number): string {
  try {
    const bytes = bytesAtMost(resolve(cwd, file), bytesMax);
    if (bytes === null) throw new RangeError(tooLarge(bytesMax));
    return new TextDecoder(detectEncoding(bytes), { fatal: true }).decode(bytes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('file-unreadable', { message: `${file}: ${reason}`, cause });
  }
}

/** Runs a function and adds the file name to the location of each validation problem that it throws. */
export function namingFile<T>(file: string | null, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw namingFiles(cause, () => file);
  }
}

/**
 * Adds file names to the problems of an error. `fileOf` returns the file of a location; `null` if it belongs to no
 * file.
 */
export function namingFiles(cause: unknown, fileOf: (place: string) => string | null): unknown {
  if (!(cause instanceof NudgeLabError) || cause.problems.length === 0) return cause;
  const problems = cause.problems.map(({ location: place, message }) => {
    const file = fileOf(place);
    return { location: file === null ? place : `${file}: ${place}`, message };
  });
  return new NudgeLabError(cause.code, { problems, cause });
}
