import type { ControlClient, ControlReply } from '../../client/control-client.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { listRowsMax } from '../../core/limits.ts';
import { describeUnknownName, endSentence } from '../../core/nearest-name.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { loadControlKey } from '../control-key.ts';
import { print, printJson } from '../print.ts';
import { serverClient } from '../server-client.ts';
import { addFiles } from './add-files.ts';
import type { DocumentsArguments } from './documents-options.ts';

export type DocumentView = ControlReply<'getDocument'>;

/**
 * Runs the document command named by the first operand. Returns the exit code. Throws `usage-invalid` for an
 * unknown command or a missing id, `server-unreachable`, `file-unreadable`, and any error of the server.
 */
export async function documents(args: DocumentsArguments, context: CommandContext): Promise<ExitCode> {
  const [word = 'list', ...rest] = args.operands;
  const controlKey = loadControlKey(args, context, await loadConfig(args.config, context.cwd));
  const server = serverClient(args.url, controlKey);
  const { sandbox } = args;
  switch (word) {
    case 'list':
      return listAll(server, sandbox, args, context);
    case 'show':
      return forEach(rest, args, context, (document) => server.getDocument({ sandbox, document }));
    case 'publish':
    case 'unpublish':
      return forEach(rest, args, context, (document) =>
        server.transitionDocument({ sandbox, document, body: { move: word } }),
      );
    case 'add':
      return addFiles(rest, args, context, server);
    default:
      throw new NudgeLabError('usage-invalid', {
        message: endSentence(describeUnknownName(word, ['list', 'show', 'add', 'publish', 'unpublish'])),
      });
  }
}

async function listAll(
  server: ControlClient,
  sandbox: string,
  { json }: DocumentsArguments,
  { stdout }: CommandContext,
): Promise<ExitCode> {
  let after: number | null = 0;
  while (after !== null) {
    const page: ControlReply<'listDocuments'> = await server.listDocuments({
      sandbox,
      query: { after, limit: listRowsMax },
    });
    for (const row of page.documents) {
      const keepsUp = json ? printJson(stdout, row) : print(stdout, row, (visible) => [line(visible)]);
      if (!keepsUp) await stdout.drained();
    }
    after = page.next;
  }
  return 0;
}

async function forEach(
  ids: readonly string[],
  { json }: DocumentsArguments,
  { stdout }: CommandContext,
  ask: (id: number) => Promise<DocumentView>,
): Promise<ExitCode> {
  if (ids.length === 0)
    throw new NudgeLabError('usage-invalid', {
      message: 'Name at least one document id; `documents list` prints them.',
    });
  for (const id of ids) {
    if (!/^\d{1,15}$/.test(id))
      throw new NudgeLabError('usage-invalid', {
        message: `"${id}" is not a document id; \`documents list\` prints them.`,
      });
    const found = await ask(Number(id));
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

/** Formats a document as lines with a name and a value. */
export function detailed(document: DocumentView): readonly string[] {
  return Object.entries(document).map(
    ([name, value]) => `${name.padEnd(nameCharacters)} ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  );
}
