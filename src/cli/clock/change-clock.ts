import type { ControlClient, ControlReply } from '../../client/control-client.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { endSentence, suggestName } from '../../core/nearest-name.ts';
import type { ArgumentsOf } from '../command.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printJson } from '../print.ts';
import { connect } from '../server-client.ts';
import type { serverOptions } from '../server-options.ts';

type ClockArguments = ArgumentsOf<typeof serverOptions>;
type Clock = ControlReply<'getClock'>;

/** Milliseconds of the units of a duration. */
const unitsMs: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
};

/** Shows or changes a virtual clock. Throws `usage-invalid`, `server-unreachable`, and the errors of the server. */
export async function changeClock(args: ClockArguments, context: CommandContext): Promise<ExitCode> {
  const change = parseChange(args.operands);
  const clock = await change(await connect(args, context), args.sandbox);
  if (args.json) printJson(context.stdout, clock);
  else print(context.stdout, clock, ({ now, running }) => [`${now}, ${running ? 'running' : 'frozen'}`]);
  return 0;
}

function parseChange(operands: readonly string[]): (server: ControlClient, sandbox: string) => Promise<Clock> {
  const [word = 'show', ...values] = operands;
  const [now] = values;
  if (word === 'advance' && values.length > 0) {
    const ms = values.reduce((sum, value) => sum + parseDuration(value), 0);
    return (server, sandbox) => server.advanceClock({ sandbox, body: { ms } });
  }
  if (word === 'set' && now !== undefined && values.length === 1) {
    return (server, sandbox) => server.putClock({ sandbox, body: { now } });
  }
  if (values.length === 0) {
    if (word === 'show') return (server, sandbox) => server.getClock({ sandbox });
    if (word === 'freeze') return (server, sandbox) => server.putClock({ sandbox, body: { running: false } });
    if (word === 'resume') return (server, sandbox) => server.putClock({ sandbox, body: { running: true } });
  }
  throw new NudgeLabError('usage-invalid', {
    message: endSentence(
      `"${operands.join(' ')}" is not one of show, advance <duration...>, set <instant>, freeze, resume` +
        suggestName(word, ['show', 'advance', 'set', 'freeze', 'resume']),
    ),
  });
}

function parseDuration(text: string): number {
  const [, number, unit = ''] = /^(\d{1,9}(?:\.\d{1,6})?)(d|h|m|s|ms)$/.exec(text) ?? [];
  const durationMs = Math.round(Number(number) * (unitsMs[unit] ?? Number.NaN));
  if (durationMs > 0) return durationMs;
  throw new NudgeLabError('usage-invalid', {
    message: `"${text}" is not a duration such as 7d, 12h, 30m, 10s or 500ms.`,
  });
}
