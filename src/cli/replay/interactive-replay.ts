import { verdictHeadline } from '../../../machines/verdict-sentences.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { JourneyWalk, type WalkedStep } from '../../replay/journey-walk.ts';
import type { OpenedJourney } from '../../replay/read-journey.ts';
import type { Palette } from '../../report/palette.ts';
import { fullTrace, valueText } from '../../report/trace-text.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson, printScreen } from '../print.ts';
import type { ReplayArguments } from './replay-options.ts';

/** Shows one step of a journey. Returns the exit code. Throws `usage-invalid` for a step after its end. */
export async function showStep(
  journey: OpenedJourney,
  step: number,
  { json, color }: ReplayArguments,
  context: CommandContext,
): Promise<ExitCode> {
  const walk = await JourneyWalk.of(journey);
  if (step > walk.length) {
    throw new NudgeLabError('usage-invalid', {
      message: `Step ${step} does not exist. The journey has ${walk.length} steps.`,
    });
  }
  const { stdout } = context;
  const shown = walk.goTo(step);
  const palette = paletteFor(stdout, context, color);
  if (json) printJson(stdout, shown);
  else print(stdout, shown, (visible) => stepLines(visible, palette));
  return 0;
}

type Move = (at: number, length: number) => number;

/** Key codes of the interactive replay, with the step that each one moves to. */
const moves: ReadonlyMap<string, Move> = new Map<string, Move>([
  ['\u001b[C', (at) => at + 1],
  ['\u001b[B', (at) => at + 1],
  ['n', (at) => at + 1],
  [' ', (at) => at + 1],
  ['\r', (at) => at + 1],
  ['\u001b[D', (at) => at - 1],
  ['\u001b[A', (at) => at - 1],
  ['p', (at) => at - 1],
  ['g', () => 0],
  ['\u001b[H', () => 0],
  ['G', (_at, length) => length],
  ['\u001b[F', (_at, length) => length],
]);

/** Key codes that end the interactive replay: q, Escape, Ctrl+C and Ctrl+D. */
const endKeys: readonly string[] = ['q', 'Q', '\u001b', '\u0003', '\u0004'];

/**
 * Steps through a journey by keyboard until the user quits. Returns the exit code. Throws `usage-invalid` without a
 * terminal.
 */
export async function walk(journey: OpenedJourney, file: string, context: CommandContext): Promise<ExitCode> {
  const { stdout } = context;
  if (!stdout.isTty) {
    throw new NudgeLabError('usage-invalid', {
      message: '--interactive requires a terminal. In scripts, use --step with --json.',
    });
  }
  const steps = await JourneyWalk.of(journey);
  const palette = paletteFor(stdout, context);
  let at = 0;
  const show = (): void => {
    const shown = steps.goTo(at);
    at = shown.step;
    const help = palette.faint('right next · left back · g first · G last · q quit');
    printScreen(stdout, { file, shown }, (visible) => [
      palette.strong(visible.file),
      ...stepLines(visible.shown, palette),
      '',
      help,
    ]);
  };
  const left = Promise.withResolvers<void>();
  const endings = [
    context.onStop(() => left.resolve()),
    context.onKey((key) => {
      if (endKeys.includes(key)) left.resolve();
      const move = moves.get(key);
      if (move === undefined) return;
      at = move(at, steps.length);
      show();
    }),
  ];
  show();
  await left.promise;
  for (const end of endings) end();
  return 0;
}

function stepLines({ step, of, at, place, event, outcome, verdict }: WalkedStep, palette: Palette): readonly string[] {
  const where = place === null ? 'the beginning' : `journal entry ${place}`;
  const { type, ...said } = event ?? { type: '' };
  const { nudgeStatus } = outcome;
  return [
    `${palette.strong(`step ${step} of ${of}`)}  ${at}  ${palette.faint(where)}`,
    ...(event === null ? [] : [`${palette.strong(type)} ${valueText(said)}`]),
    ...(outcome.user === undefined
      ? []
      : [`user ${outcome.user}${outcome.screen === undefined ? '' : `, screen ${outcome.screen}`}`]),
    ...(nudgeStatus === undefined || nudgeStatus === null
      ? []
      : [`lifecycle ${nudgeStatus.state}, ${nudgeStatus.count} snoozes`]),
    ...(verdict === null
      ? []
      : [
          `verdict ${verdict.outcome}${verdict.reason === null ? '' : `, ${verdict.reason}`}: ${verdictHeadline(verdict)}`,
          ...fullTrace(verdict.rules, palette).map((line) => `  ${line}`),
        ]),
  ];
}
