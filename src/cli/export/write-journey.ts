import { type FileHandle, open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { shellLine } from '../../core/shell-line.ts';
import { exportJourney } from '../../journal/journeys/export-journey.ts';
import { computeModelDigest } from '../../journal/model-digest.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { loadControlKey } from '../control-key.ts';
import { isTaken } from '../is-taken.ts';
import { openStoreThere } from '../open-store.ts';
import { print, printFile, printJson } from '../print.ts';
import { serverClient } from '../server-client.ts';
import type { ExportArguments } from './export-options.ts';

/**
 * Writes a journey file. Returns the exit code. Throws `server-unreachable`, `sandbox-not-found`, `user-not-found`,
 * `bad-request` if the part does not exist, `file-exists`, and any error of the store.
 */
export async function writeJourneyFile(args: ExportArguments, context: CommandContext): Promise<ExitCode> {
  const path = args.out === null ? null : resolve(context.cwd, args.out);
  if (path !== null && !args.force && isTaken(path)) throw existing(args);
  const source = await openJourneySource(args, context);
  try {
    if (path === null) await copy(source.chunks, null, context);
    else tell(args, await copyTo(path, source.chunks, args, context), context);
  } finally {
    await source.close();
  }
  return 0;
}

/** Copies a stream to a file. A new file that could not be written completely is deleted. */
async function copyTo(
  path: string,
  chunks: AsyncIterable<string>,
  args: ExportArguments,
  context: CommandContext,
): Promise<number> {
  const isNew = !isTaken(path);
  const file = await open(path, args.force ? 'w' : 'wx').catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'EEXIST' ? existing(args) : cause;
  });
  try {
    return await copy(chunks, file, context);
  } catch (error) {
    if (isNew) await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

function existing({ out }: ExportArguments): NudgeLabError {
  return new NudgeLabError('file-exists', { message: `${out} already exists.` });
}

interface JourneySource {
  readonly chunks: AsyncIterable<string>;
  close(): Promise<void>;
}

async function openJourneySource(args: ExportArguments, context: CommandContext): Promise<JourneySource> {
  if (args.db !== null && args.url !== null) {
    throw new NudgeLabError('usage-invalid', { message: 'Specify --url or --db, not both.' });
  }
  return args.db === null ? fromServer(args, context) : fromFile(args.db, args, context);
}

async function fromFile(db: string, args: ExportArguments, { cwd }: CommandContext): Promise<JourneySource> {
  const store = await openStoreThere(db, cwd);
  const { from, to, user } = toSlice(args);
  try {
    const lines = await exportJourney(
      { store, sandboxId: args.sandbox, digest: computeModelDigest() },
      { from, to, user },
    );
    return { chunks: withLineEnds(lines), close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function fromServer(args: ExportArguments, context: CommandContext): Promise<JourneySource> {
  const config = await loadConfig(args.config, context.cwd);
  // A journey can be larger than memory, so it is streamed.
  const server = serverClient(args.url, loadControlKey(args, context, config));
  const chunks = await server.readText('exportJourney', { sandbox: args.sandbox, query: toSlice(args) });
  return { chunks, close: async () => undefined };
}

function toSlice({ from, to, user }: ExportArguments): { from?: number; to?: number; user?: string } {
  return { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }), ...(user === null ? {} : { user }) };
}

async function copy(
  chunks: AsyncIterable<string>,
  file: FileHandle | null,
  { stdout }: CommandContext,
): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += Buffer.byteLength(chunk);
    if (file !== null) await file.write(chunk);
    else if (!printFile(stdout, chunk)) await stdout.drained();
  }
  return bytes;
}

function tell({ out, json }: ExportArguments, bytes: number, { stdout, program }: CommandContext): void {
  if (json) printJson(stdout, { file: out, bytes });
  else {
    print(stdout, out, (file) => [
      `Wrote ${file}, ${bytes} bytes.`,
      `Replay it: ${shellLine(program, ['replay', file ?? ''])}`,
    ]);
  }
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const line of lines) yield `${line}\n`;
}
