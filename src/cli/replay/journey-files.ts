import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import type { CommandContext } from '../context.ts';

/** Journey file to replay. */
export interface JourneyFile {
  /** Name as specified, or the path below the specified folder. */
  readonly file: string;
  /** Absolute path; empty for standard input. */
  readonly path: string;
  /** Size in bytes; `null` if it is unknown, as for standard input and a missing file. */
  readonly bytes: number | null;
}

/**
 * Journeys named by the operands, in their order. The files of a folder are sorted by name and found at any depth.
 */
export interface RequestedJourneys {
  readonly files: readonly JourneyFile[];
  /** True if exactly one file and no folder was named. */
  readonly single: boolean;
}

/**
 * Finds journey files. Operands are files, folders, or `-` for standard input. Throws `usage-invalid` without
 * operands and for an empty folder.
 */
export function findJourneys(operands: readonly string[], cwd: string): RequestedJourneys {
  if (operands.length === 0)
    throw new NudgeLabError('usage-invalid', { message: 'Name a journey file, or a folder of journey files.' });
  let single = operands.length === 1;
  const files = operands.flatMap((operand): readonly JourneyFile[] => {
    if (operand === '-') return [{ file: operand, path: '', bytes: null }];
    const path = resolve(cwd, operand);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() !== true) return [{ file: operand, path, bytes: stat?.size ?? null }];
    single = false;
    return inFolder(operand, path);
  });
  return { files, single };
}

function inFolder(operand: string, path: string): readonly JourneyFile[] {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ndjson'));
  const found = names.toSorted().flatMap((name): readonly JourneyFile[] => {
    const full = join(path, name);
    const stat = statSync(full, { throwIfNoEntry: false });
    return stat?.isDirectory() === true ? [] : [{ file: join(operand, name), path: full, bytes: stat?.size ?? null }];
  });
  if (found.length > 0) return found;
  throw new NudgeLabError('usage-invalid', {
    message: `The folder ${operand} contains no journey: no file ends in .ndjson.`,
  });
}

const chunkBytes = 1_048_576;

/** Reads a journey file in chunks. Throws the file system error if the file does not exist. */
export async function* readBytes({ path }: JourneyFile, { stdin }: CommandContext): AsyncGenerator<Uint8Array, void> {
  if (path === '') yield* stdin();
  else yield* createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Uint8Array>;
}
