import { createReadStream, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { documentAnswer, passwordHeader } from '../../contract/document-operations.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printJson, printOver } from '../print.ts';
import { showError } from '../show-error.ts';
import { type DocumentServer, jsonOf, refusalOf } from './document-server.ts';
import type { DocumentsArguments } from './documents-options.ts';

const lineSchema = z.union([
  z.strictObject({ progress: z.strictObject({ page: z.int(), pages: z.int() }) }),
  z.strictObject({ document: documentAnswer }),
  z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }) }),
]);

/**
 * Adds a record for each file, one after the other; a file that is refused does not keep the others from being added. Returns 0
 * when all were, 1 when one was not. Throws `usage-invalid` without a file, and `server-unreachable`.
 */
export async function addFiles(
  files: readonly string[],
  server: DocumentServer,
  args: DocumentsArguments,
  context: CommandContext,
): Promise<ExitCode> {
  if (files.length === 0) throw new NudgeLabError('usage-invalid', { message: 'Name the files to add.' });
  const cancelled = new AbortController();
  const end = context.onStop(() =>
    cancelled.abort(new NudgeLabError('document-cancelled', { message: 'Cancelled; nothing of this file was kept.' })),
  );
  let refused = 0;
  try {
    for (const file of files) {
      try {
        const document = await addFile(file, server, { args, context, signal: cancelled.signal });
        if (args.json) printJson(context.stdout, document);
        else print(context.stdout, document, ({ id, title, recordUrl }) => [`${id}  ${title}  ${recordUrl}`]);
      } catch (error) {
        if (!(error instanceof NudgeLabError) || error.code === 'server-unreachable') throw error;
        refused += 1;
        showError(withFile(error, file), context, { json: args.json, verbose: args.verbose });
        if (cancelled.signal.aborted) break;
      }
    }
  } finally {
    end();
  }
  return refused === 0 ? 0 : 1;
}

interface Adding {
  readonly args: DocumentsArguments;
  readonly context: CommandContext;
  readonly signal: AbortSignal;
}

async function addFile(file: string, server: DocumentServer, { args, context, signal }: Adding) {
  const path = resolve(context.cwd, file);
  refuseUnreadable(path, file);
  const response = await server.send(`/from/file?${queryOf(file, args)}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/pdf',
      accept: 'application/x-ndjson',
      ...(args.password === null ? {} : { [passwordHeader]: encodeURIComponent(args.password) }),
    },
    body: createReadStream(path) as unknown as ReadableStream,
    duplex: 'half',
    signal,
  } as RequestInit);
  if (response.body === null) throw refusalOf(null, `The server answered ${response.status}.`);
  if (!response.ok) throw refusalOf(jsonOf(await response.text()), `The server answered ${response.status}.`);
  try {
    for await (const text of linesOf(response.body)) {
      const line = lineSchema.parse(jsonOf(text));
      if ('document' in line) return line.document as z.output<typeof documentAnswer>;
      if ('error' in line) throw refusalOf(line, '');
      showProgress(file, line.progress as { readonly page: number; readonly pages: number }, context);
    }
  } catch (error) {
    throw signal.aborted ? (signal.reason as NudgeLabError) : error;
  }
  throw new NudgeLabError('server-unreachable', { message: 'The server broke off.' });
}

function refuseUnreadable(path: string, shown: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() === true) return;
  throw new NudgeLabError('file-unreadable', {
    message: `${shown} ${stat === undefined ? 'is not there' : 'is no file'}.`,
  });
}

function queryOf(file: string, args: DocumentsArguments): URLSearchParams {
  const said = {
    name: basename(file),
    title: args.title,
    description: args.description,
    owner: args.owner,
    public: args.public ? 'true' : null,
    listed: args.unlisted ? 'false' : null,
    webp: args.webp ? null : 'false',
    tags: args.tag.length === 0 ? null : args.tag.join(),
    pagesMax: args.pagesMax,
    secondsMax: args.secondsMax,
  };
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(said)) if (value !== null) given.set(name, String(value));
  return given;
}

/** How far a file is, on one line of a terminal; elsewhere progress would only be in the way. */
function showProgress(
  file: string,
  { page, pages }: { readonly page: number; readonly pages: number },
  { stderr }: CommandContext,
): void {
  if (!stderr.isTty) return;
  printOver(stderr, file, (name) => `${name}: page ${page} of ${pages}${page === pages ? '\n' : ''}`);
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
}

function withFile(error: NudgeLabError, file: string): NudgeLabError {
  const { code, message, problems, headers } = error;
  return new NudgeLabError(code, { message: `${file}: ${message}`, problems, headers, cause: error });
}
