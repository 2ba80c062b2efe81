import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { NudgeLabError } from '../../core/errors.ts';
import { encodingOf } from '../../replay/import/source-file.ts';

/** What a file of YAML or JSON holds. Throws `file-unreadable`. */
export function readData(file: string, cwd: string): unknown {
  try {
    return parse(textOf(readFileSync(resolve(cwd, file))));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('file-unreadable', { message: `${file}: ${reason}`, cause });
  }
}

/** A file as text: UTF-8 or UTF-16. Throws for bytes that are neither. */
export function textOf(bytes: Buffer): string {
  return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
}

/** Does what may find faults in what a file holds; each fault names the file then, before its place in it. Takes the file as it was named. */
export function namingFile<T>(file: string | null, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw namingFiles(cause, () => file);
  }
}

/** An error whose faults name their files. Takes the error, and of which file a place is; `null` for one of no file. */
export function namingFiles(cause: unknown, fileOf: (place: string) => string | null): unknown {
  if (!(cause instanceof NudgeLabError) || cause.problems.length === 0) return cause;
  const problems = cause.problems.map(({ place, message }) => {
    const file = fileOf(place);
    return { place: file === null ? place : `${file}: ${place}`, message };
  });
  return new NudgeLabError(cause.code, { problems, cause });
}
