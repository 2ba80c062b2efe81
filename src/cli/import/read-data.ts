import { resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { detectEncoding } from '../../replay/import/source-file.ts';
import { bytesAtMost, dataBytesMax, tooLarge } from '../../scenario/data-file.ts';
import { YamlSource } from '../../scenario/yaml-source.ts';

/** What a file of YAML or JSON holds. Throws `file-unreadable`. */
export function readData(file: string, cwd: string): unknown {
  const source = new YamlSource(file, readText(file, cwd, dataBytesMax));
  if (source.problems.length > 0) throw new NudgeLabError('file-unreadable', { problems: source.problems });
  return source.data;
}

/** A file as text: UTF-8 or UTF-16. Takes the bytes that it may have. Throws `file-unreadable`. */
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
  const problems = cause.problems.map(({ location: place, message }) => {
    const file = fileOf(place);
    return { location: file === null ? place : `${file}: ${place}`, message };
  });
  return new NudgeLabError(cause.code, { problems, cause });
}
