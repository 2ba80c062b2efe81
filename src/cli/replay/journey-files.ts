import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import type { CommandContext } from '../context.ts';

/** A journey that is asked for. */
export interface JourneyFile {
  /** As it was named, or below the folder that was. */
  readonly file: string;
  /** Its full path; empty for the standard input. */
  readonly path: string;
  /** Its size; `null` when it is not known, for the standard input and for a file that is not there. */
  readonly bytes: number | null;
}

/** The journeys that operands name, in their order; those of a folder by name, at any depth. */
export interface AskedJourneys {
  readonly files: readonly JourneyFile[];
  /** Whether one file was named, and no folder. */
  readonly single: boolean;
}

/** Finds journeys. Takes files, folders, and `-` for the standard input. Throws `usage-invalid` for none at all and for an empty folder. */
export function findJourneys(operands: readonly string[], cwd: string): AskedJourneys {
  if (operands.length === 0)
    throw new NudgeLabError('usage-invalid', { message: 'Name a journey, or a folder of them.' });
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
    message: `The folder ${operand} holds no journey: no file ends in .ndjson.`,
  });
}

const chunkBytes = 1_048_576;

/** The bytes of a journey, in chunks. Reading one that is not there fails as files do. */
export async function* readBytes({ path }: JourneyFile, { stdin }: CommandContext): AsyncGenerator<Uint8Array, void> {
  if (path === '') yield* stdin();
  else yield* createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Uint8Array>;
}
