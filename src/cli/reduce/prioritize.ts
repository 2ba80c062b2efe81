import { formatCount } from '../../core/format-count.ts';
import { type DetectionSpeed, type Priorities, prioritizeSuite } from '../../generate/reduction/prioritize-suite.ts';
import type { SuiteMatrix } from '../../generate/reduction/suite-matrix.ts';
import type { Palette } from '../../report/palette.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { readEarlier } from '../run/earlier-run.ts';
import { leftOutLines, measuredExitCode, measuredSuite, writeList } from './measured-suite.ts';
import type { PrioritizeArguments } from './reduce-options.ts';

/** Maximum number of scenarios that the text lists. The JSON contains all of them. */
const listedMax = 40;

/** Orders the scenarios of a suite by the faults that they detect per time. Returns the exit code. */
export async function prioritize(args: PrioritizeArguments, context: CommandContext): Promise<ExitCode> {
  const timeFor = args.times === null ? byStep : await readTimes(args.times, context.cwd);
  const matrix = await measuredSuite(args, context);
  const priorities = prioritizeSuite(matrix, timeFor);
  const ids = priorities.order.map(({ id }) => id);
  if (args.out !== null) writeList([...matrix.failing, ...ids], args.out, context.cwd);
  const unit = args.times === null ? 'steps' : 'ms';
  const { complete, failing, unmeasured } = matrix;
  if (args.json) printJson(context.stdout, { complete, unit, ...priorities, unmeasured, failing });
  else {
    const palette = paletteFor(context.stdout, context, args.color);
    print(context.stdout, { failing, order: priorities.order, out: args.out }, (escaped) =>
      prioritiesText({ complete, ...escaped }, { ...priorities, order: escaped.order }, unit, palette),
    );
  }
  return measuredExitCode(matrix);
}

/** Takes a step, and the sign-in page that precedes the first one, as the unit of time. */
function byStep(_id: string, steps: number): number {
  return steps + 1;
}

/** Reads the durations of a report. A scenario that it lacks takes the mean of the others. */
async function readTimes(file: string, cwd: string): Promise<(id: string) => number> {
  const { results } = await readEarlier(file, cwd, 'for durations');
  const times = new Map<string, number>();
  for (const { id, durationMs, status } of results) {
    if (status !== 'skipped') times.set(id, (times.get(id) ?? 0) + Math.max(durationMs, leastMs));
  }
  const mean = [...times.values()].reduce((sum, time) => sum + time, 0) / Math.max(1, times.size);
  return (id) => times.get(id) ?? Math.max(mean, leastMs);
}

/** Shortest duration that is distinguished, in milliseconds. */
const leastMs = 0.001;

function prioritiesText(
  matrix: Pick<SuiteMatrix, 'complete' | 'failing'> & { readonly out: string | null },
  { order, faults, before, after }: Priorities,
  unit: string,
  { strong, bad, faint }: Palette,
): string {
  const width = String(listedMax).length;
  const lines = [
    ...order
      .slice(0, listedMax)
      .map(({ id, newFaults }, at) => `${String(at + 1).padStart(width)}. ${id}  ${faint(`+${newFaults}`)}`),
    ...(order.length > listedMax ? [faint(`and ${order.length - listedMax} more; --json prints all of them`)] : []),
    '',
    `${strong(`${formatCount(faults, 'fault')} detected`)}, on average ${percent(after)} over the run, ${percent(before)} before`,
    ...([50, 90, 100] as const).map((share) => {
      const [now, then] = [after, before].map(({ timeTo }) => Math.ceil(timeTo[share]).toLocaleString('en-GB'));
      return `  ${String(share).padStart(3)} % after ${now} ${unit}, before ${then}`;
    }),
    ...leftOutLines(matrix).map(bad),
    ...(matrix.out === null ? [] : [`Run them in this order with: nudgelab run --list ${matrix.out}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function percent({ average }: DetectionSpeed): string {
  return `${(average * 100).toFixed(1)} %`;
}
