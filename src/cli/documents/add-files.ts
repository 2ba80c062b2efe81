import { createReadStream, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { ControlClient, ControlReply, ControlRequest } from '../../client/control-client.ts';
import { documentSecondsMax } from '../../contract/document-limits.ts';
import { passwordHeader } from '../../contract/document-operations.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printJson, printOver } from '../print.ts';
import { showError } from '../show-error.ts';
import type { DocumentsArguments } from './documents-options.ts';

/**
 * Adds a record for each file in sequence. A rejected file does not stop the remaining ones. Returns 0 if all files
 * were added, otherwise 1. Throws `usage-invalid` if no file is named, and `server-unreachable`.
 */
export async function addFiles(
  files: readonly string[],
  args: DocumentsArguments,
  context: CommandContext,
  server: ControlClient,
): Promise<ExitCode> {
  if (files.length === 0) throw new NudgeLabError('usage-invalid', { message: 'Name at least one file to add.' });
  const canceled = new AbortController();
  const end = context.onStop(() =>
    canceled.abort(new NudgeLabError('document-canceled', { message: 'Canceled; no part of this file was stored.' })),
  );
  let refused = 0;
  try {
    for (const file of files) {
      try {
        const document = await addFile(file, { args, context, server, signal: canceled.signal });
        if (args.json) printJson(context.stdout, document);
        else print(context.stdout, document, ({ id, title, recordUrl }) => [`${id}  ${title}  ${recordUrl}`]);
      } catch (error) {
        if (!(error instanceof NudgeLabError) || error.code === 'server-unreachable') throw error;
        refused += 1;
        showError(withFile(error, file), context, { json: args.json, verbose: args.verbose });
        if (canceled.signal.aborted) break;
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
  readonly server: ControlClient;
  readonly signal: AbortSignal;
}

async function addFile(
  file: string,
  { args, context, server, signal }: Adding,
): Promise<ControlReply<'uploadDocument'>> {
  const path = resolve(context.cwd, file);
  refuseUnreadable(path);
  try {
    return await server.uploadDocument({
      sandbox: args.sandbox,
      query: createQuery(file, args),
      headers: args.password === null ? {} : { [passwordHeader]: encodeURIComponent(args.password) },
      file: ReadableStream.from(createReadStream(path)),
      onProgress: (progress) => showProgress(file, progress, context),
      signal,
    });
  } catch (error) {
    throw signal.aborted ? (signal.reason as NudgeLabError) : error;
  }
}

function refuseUnreadable(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() === true) return;
  throw new NudgeLabError('file-unreadable', {
    message: stat === undefined ? 'The file does not exist.' : 'The path is not a file.',
  });
}

function createQuery(file: string, args: DocumentsArguments): ControlRequest<'uploadDocument'>['query'] {
  return {
    name: basename(file),
    title: args.title ?? undefined,
    description: args.description ?? undefined,
    owner: args.owner ?? undefined,
    public: args.public ? 'true' : undefined,
    listed: args.unlisted ? 'false' : undefined,
    webp: args.webp ? undefined : 'false',
    tags: args.tag.length === 0 ? undefined : args.tag.join(),
    pagesMax: args.maxPages,
    secondsMax: args.timeout === null ? documentSecondsMax : Math.ceil(args.timeout / 1_000),
  };
}

/** Shows the progress of a file on one terminal line. Without a terminal, no progress is shown. */
function showProgress(
  file: string,
  { page, pages }: { readonly page: number; readonly pages: number },
  { stderr }: CommandContext,
): void {
  if (!stderr.isTty) return;
  printOver(stderr, file, (name) => `${name}: page ${page} of ${pages}${page === pages ? '\n' : ''}`);
}

function withFile(error: NudgeLabError, file: string): NudgeLabError {
  const { code, message, problems, headers } = error;
  return new NudgeLabError(code, { message: `${file}: ${message}`, problems, headers, cause: error });
}
