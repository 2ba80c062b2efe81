import type { ControlReply } from '../../client/control-client.ts';
import { listRowsMax } from '../../core/limits.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printJson } from '../print.ts';
import { connect } from '../server-client.ts';
import type { UsersArguments } from './users-options.ts';

type User = ControlReply<'listUsers'>['users'][number];

/** Lists users or shows them in full. Throws `server-unreachable`, and the errors of the server. */
export async function listUsers(args: UsersArguments, context: CommandContext): Promise<ExitCode> {
  const { sandbox, search, state, reason, json } = args;
  const { stdout } = context;
  const server = await connect(args, context);
  for (const user of args.operands) printJson(stdout, await server.getUser({ sandbox, user }));
  if (args.operands.length > 0) return 0;
  let offset = 0;
  let total = 0;
  do {
    const query = { offset, limit: listRowsMax, search: search ?? undefined, state: state ?? undefined };
    const page: ControlReply<'listUsers'> = await server.listUsers({
      sandbox,
      query: { ...query, reason: reason ?? undefined },
    });
    for (const user of page.users) {
      const keepsUp = json ? printJson(stdout, user) : print(stdout, user, (shown) => [formatUser(shown)]);
      if (!keepsUp) await stdout.drained();
    }
    offset += page.users.length;
    total = page.users.length === 0 ? offset : page.total;
  } while (offset < total);
  if (!json && total === 0) print(stdout, {}, () => ['No users match.']);
  return 0;
}

const idWidth = 20;
const stateWidth = 22;

function formatUser({ id, nudgeStatus: { state, snoozes, snoozesLeft, nextPromptAt } }: User): string {
  const used =
    snoozesLeft === null ? `${snoozes} snoozes, unlimited` : `${snoozes} of ${snoozes + snoozesLeft} snoozes`;
  const next = nextPromptAt === null ? '' : `, next prompt from ${nextPromptAt}`;
  return `${id.padEnd(idWidth)} ${state.padEnd(stateWidth)} ${used}${next}`;
}
