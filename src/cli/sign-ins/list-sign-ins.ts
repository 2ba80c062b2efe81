import type { ControlReply } from '../../client/control-client.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { createWords, fullTrace } from '../../report/trace-text.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { connect } from '../server-client.ts';
import type { SignInsArguments } from './sign-ins-options.ts';

type SignIn = ControlReply<'listSignIns'>['signIns'][number];

/** Lists sign-ins, or explains one. Throws `usage-invalid`, `server-unreachable`, and the errors of the server. */
export async function listSignIns(args: SignInsArguments, context: CommandContext): Promise<ExitCode> {
  const [signIn, ...others] = args.operands;
  if (others.length > 0) throw new NudgeLabError('usage-invalid', { message: 'Name one sign-in.' });
  if (signIn !== undefined) return explainSignIn(signIn, args, context);
  const { sandbox, user, limit } = args;
  const server = await connect(args, context);
  const { signIns } = await server.listSignIns({ sandbox, query: { limit, user: user ?? undefined } });
  for (const row of signIns) {
    if (args.json) printJson(context.stdout, row);
    else print(context.stdout, row, (visible) => [formatSignIn(visible)]);
  }
  if (!args.json && signIns.length === 0) print(context.stdout, {}, () => ['No sign-ins yet.']);
  return 0;
}

async function explainSignIn(signIn: string, args: SignInsArguments, context: CommandContext): Promise<ExitCode> {
  const server = await connect(args, context);
  const detail = await server.getSignIn({ sandbox: args.sandbox, signIn });
  if (args.json) {
    printJson(context.stdout, detail);
    return 0;
  }
  const palette = paletteFor(context.stdout, context, args.color);
  print(context.stdout, detail, ({ signIn: view, verdict, headline, sentences, events }) => [
    palette.strong(headline ?? 'Not evaluated yet'),
    formatSignIn(view),
    ...(verdict === null ? [] : ['', ...fullTrace(verdict.rules, palette, createWords(sentences))]),
    '',
    ...events.map(({ at, event }) => `${at}  ${event.type}`),
  ]);
  return 0;
}

const userWidth = 20;
const outcomeWidth = 10;

function formatSignIn({ id, userId, startedAt, outcome, reason, screen }: SignIn): string {
  const verdict = reason ?? outcome ?? 'not evaluated';
  return `${startedAt}  ${id}  ${userId.padEnd(userWidth)} ${(outcome ?? '').padEnd(outcomeWidth)} ${verdict}, at ${screen}`;
}
