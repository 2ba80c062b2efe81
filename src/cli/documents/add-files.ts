import { createReadStream, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { ControlError, type ControlReply, type ControlRequest } from '../../client/control-client.ts';
import { passwordHeader } from '../../contract/document-operations.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { keyHeader } from '../control-key.ts';
import { print, printJson, printOver } from '../print.ts';
import { asOwnError, fetchFrom, serverClient } from '../server-client.ts';
import { showError } from '../show-error.ts';
import type { DocumentsArguments } from './documents-options.ts';

/** Line of the streamed response: the progress, then the document or the error at the end. */
type Line =
  | { readonly progress: { readonly page: number; readonly pages: number } }
  | { readonly document: ControlReply<'getDocument'> }
  | { readonly error: object };

/**
 * Adds a record for each file in sequence. A rejected file does not stop the remaining ones. Returns 0 if all files
 * were added, otherwise 1. Throws `usage-invalid` if no file is named, and `server-unreachable`.
 */
export async function addFiles(
  files: readonly string[],
  args: DocumentsArguments,
  context: CommandContext,
  controlKey?: string,
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
        const document = await addFile(file, { args, context, controlKey, signal: canceled.signal });
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
  readonly controlKey: string | undefined;
  readonly signal: AbortSignal;
}

async function addFile(file: string, { args, context, controlKey, signal }: Adding) {
  const path = resolve(context.cwd, file);
  refuseUnreadable(path);
  const address = serverClient(args.url).getUrl('uploadDocument', {
    sandbox: args.sandbox,
    query: createQuery(file, args),
  });
  const response = await fetchFrom(address, {
    method: 'POST',
    headers: {
      ...keyHeader(controlKey),
      'content-type': 'application/pdf',
      accept: 'application/x-ndjson',
      ...(args.password === null ? {} : { [passwordHeader]: encodeURIComponent(args.password) }),
    },
    body: createReadStream(path) as unknown as ReadableStream,
    duplex: 'half',
    signal,
  } as RequestInit);
  const asked = `POST ${address}`;
  if (!response.ok || response.body === null) {
    throw asOwnError(new ControlError(asked, response.status, await response.text()));
  }
  try {
    for await (const text of readLines(response.body)) {
      const line = JSON.parse(text) as Line;
      if ('document' in line) return line.document;
      if ('error' in line) throw asOwnError(new ControlError(asked, response.status, text));
      showProgress(file, line.progress, context);
    }
  } catch (error) {
    throw signal.aborted ? (signal.reason as NudgeLabError) : error;
  }
  throw new NudgeLabError('server-unreachable', {
    message: 'The server closed the connection before the file was added.',
  });
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
    secondsMax: args.timeout,
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

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
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
