import type { z } from 'zod';
import { documentAnswer, documentOperations } from '../../contract/document-operations.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { controlKeyOf } from '../control-key.ts';
import { print, printJson } from '../print.ts';
import { addFiles } from './add-files.ts';
import { type DocumentServer, documentServer } from './document-server.ts';
import type { DocumentsArguments } from './documents-options.ts';

export type DocumentView = z.output<typeof documentAnswer>;

const listSchema = documentOperations.listDocuments.reply as z.ZodType<{
  readonly documents: readonly DocumentView[];
  readonly next: number | null;
  readonly count: number;
}>;

/**
 * Does what the first word says with the documents of a server. Returns the exit code. Throws `usage-invalid` for another word
 * or a missing id, `server-unreachable`, `file-unreadable`, and what the server refuses with.
 */
export async function documents(args: DocumentsArguments, context: CommandContext): Promise<ExitCode> {
  const [word = 'list', ...rest] = args.operands;
  const server = documentServer(args, controlKeyOf(args, context, await loadConfig(args.config, context.cwd)));
  switch (word) {
    case 'list':
      return listAll(server, args, context);
    case 'show':
      return forEach(rest, args, context, (id) => server.ask('GET', `/${id}`));
    case 'publish':
    case 'unpublish':
      return forEach(rest, args, context, (id) => server.ask('POST', `/${id}/moves`, { move: word }));
    case 'add':
      return addFiles(rest, server, args, context);
    default:
      throw new NudgeLabError('usage-invalid', {
        message: `"${word}" is none of list, show, add, publish, unpublish.`,
      });
  }
}

async function listAll(
  server: DocumentServer,
  { json }: DocumentsArguments,
  { stdout }: CommandContext,
): Promise<ExitCode> {
  let after: number | null = 0;
  while (after !== null) {
    const { documents: rows, next }: z.output<typeof listSchema> = listSchema.parse(
      await server.ask('GET', `?after=${after}&limit=1000`),
    );
    for (const row of rows) {
      const keepsUp = json ? printJson(stdout, row) : print(stdout, row, (shown) => [line(shown)]);
      if (!keepsUp) await stdout.drained();
    }
    after = next;
  }
  return 0;
}

async function forEach(
  ids: readonly string[],
  { json }: DocumentsArguments,
  { stdout }: CommandContext,
  ask: (id: number) => Promise<unknown>,
): Promise<ExitCode> {
  if (ids.length === 0) throw new NudgeLabError('usage-invalid', { message: 'Name the id of a document.' });
  for (const id of ids) {
    if (!/^\d{1,15}$/.test(id))
      throw new NudgeLabError('usage-invalid', { message: `"${id}" is no id of a document.` });
    const found = documentAnswer.parse(await ask(Number(id)));
    if (json) printJson(stdout, found);
    else print(stdout, found, detailed);
  }
  return 0;
}

const idDigits = 6;
const stateCharacters = 12;

function line({ id, title, state, public: isPublic, pages }: DocumentView): string {
  const visible = isPublic ? 'public ' : 'private';
  return `${String(id).padStart(idDigits)}  ${state.padEnd(stateCharacters)} ${visible}  ${pages} p.  ${title}`;
}

const nameCharacters = 12;

/** A document as lines of name and value. */
export function detailed(document: DocumentView): readonly string[] {
  return Object.entries(document).map(
    ([name, value]) => `${name.padEnd(nameCharacters)} ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  );
}
