import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { type OpenedJourney, openJourney } from '../../replay/read-journey.ts';
import { replayJourney } from '../../replay/replay-journey.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { paletteFor } from '../palette.ts';
import type { ReplayArguments } from './replay-options.ts';
import { replayLines } from './replay-text.ts';

/** Replays a journey as the arguments say. Returns the exit code. Throws what the caller can mend. */
export async function replay(args: ReplayArguments, context: CommandContext): Promise<ExitCode> {
  const [file, ...more] = args.operands;
  if (file === undefined || more.length > 0) throw new NudgeLabError('usage-invalid', { message: 'Name one journey.' });
  const journey = await openJourney(bytesOf(file, context));
  if (args.walk) return (await import('./walk.ts')).walk(journey, file, context);
  if (args.step !== null) return (await import('./walk.ts')).showStep(journey, args.step, args, context);
  if (args.driver.length > 0)
    return (await import('./replay-on-drivers.ts')).replayOnDrivers(journey, file, args, context);
  return fold(journey, file, args, context);
}

async function fold(
  journey: OpenedJourney,
  file: string,
  { json, color }: ReplayArguments,
  context: CommandContext,
): Promise<ExitCode> {
  const report = await replayJourney(journey);
  const { stdout } = context;
  if (json) stdout.write(`${JSON.stringify({ file, ...report })}\n`);
  else stdout.write(`${replayLines(file, report, paletteFor(stdout, context, color)).join('\n')}\n`);
  return report.same ? 0 : 1;
}

const chunkBytes = 1_048_576;

async function* bytesOf(file: string, { cwd, stdin }: CommandContext): AsyncGenerator<Uint8Array, void> {
  if (file === '-') yield* stdin();
  else yield* createReadStream(resolve(cwd, file), { highWaterMark: chunkBytes }) as AsyncIterable<Uint8Array>;
}
