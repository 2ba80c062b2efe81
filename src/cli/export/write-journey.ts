import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { foldDigest } from '../../journal/fold-digest.ts';
import { exportJourney } from '../../journal/journeys/export-journey.ts';
import { defaultSandboxId } from '../../sandbox/sandboxes.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { controlKeyOf, keyHeader } from '../control-key.ts';
import { jsonOf, refusalOf } from '../documents/document-server.ts';
import { openStoreThere } from '../open-store.ts';
import { portDefault } from '../serve/serve-options.ts';
import type { ExportArguments } from './export-options.ts';

/**
 * Writes a journey as the arguments say. Returns the exit code. Throws `server-unreachable`, `sandbox-unknown`, `user-unknown`,
 * `bad-request` for a part that is not there, `file-exists`, and what a store refuses with.
 */
export async function writeJourneyFile(args: ExportArguments, context: CommandContext): Promise<ExitCode> {
  const path = args.out === null ? null : resolve(context.cwd, args.out);
  if (path !== null && !args.force && existsSync(path)) {
    throw new NudgeLabError('file-exists', { message: `${args.out} exists already.` });
  }
  const source = await chunksOf(args, context);
  const file = path === null ? null : await open(path, 'w');
  try {
    const bytes = await copy(source.chunks, file, context);
    if (file !== null) tell(args, bytes, context);
  } finally {
    await file?.close();
    await source.close();
  }
  return 0;
}

interface JourneySource {
  readonly chunks: AsyncIterable<string>;
  close(): Promise<void>;
}

async function chunksOf(args: ExportArguments, context: CommandContext): Promise<JourneySource> {
  if (args.db !== null && args.url !== null) {
    throw new NudgeLabError('usage-invalid', { message: 'Name a server by --url or a file by --db, not both.' });
  }
  return args.db === null ? fromServer(args, context) : fromFile(args.db, args, context);
}

async function fromFile(db: string, args: ExportArguments, { cwd }: CommandContext): Promise<JourneySource> {
  const store = await openStoreThere(db, cwd);
  const { from, to, user } = sliceOf(args);
  const sandboxId = args.sandbox ?? defaultSandboxId;
  try {
    const lines = await exportJourney({ store, sandboxId, digest: foldDigest() }, { from, to, user });
    return { chunks: withLineEnds(lines), close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function fromServer(args: ExportArguments, context: CommandContext): Promise<JourneySource> {
  const config = await loadConfig(args.config, context.cwd);
  const server = (args.url ?? `http://localhost:${portDefault}`).replace(/(?<!\/)\/+$/, '');
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sliceOf(args))) if (value !== undefined) query.set(name, String(value));
  const path = `/_control/v1/sandboxes/${encodeURIComponent(args.sandbox ?? defaultSandboxId)}/journey`;
  const address = `${server}${path}?${query.toString()}`;
  const response = await fetch(address, { headers: keyHeader(controlKeyOf(args, context, config)) }).catch(
    (cause: unknown) => {
      throw new NudgeLabError('server-unreachable', { message: `Nothing answers at ${server}.`, cause });
    },
  );
  if (!response.ok) throw refusalOf(jsonOf(await response.text()), `${address} answered ${response.status}.`);
  const body = response.body?.pipeThrough(new TextDecoderStream());
  return { chunks: body ?? nothing(), close: async () => undefined };
}

function sliceOf({ from, to, user }: ExportArguments): { from?: number; to?: number; user?: string } {
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
    else if (!stdout.write(chunk)) await stdout.drained();
  }
  return bytes;
}

function tell({ out, json }: ExportArguments, bytes: number, { stdout, program }: CommandContext): void {
  stdout.write(
    json
      ? `${JSON.stringify({ file: out, bytes })}\n`
      : `Wrote ${out}, ${bytes} bytes.\nFold it again: ${program} replay ${out}\n`,
  );
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const line of lines) yield `${line}\n`;
}

async function* nothing(): AsyncGenerator<string, void> {
  // An answer without a body has nothing to give.
}
