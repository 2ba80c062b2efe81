import { basename, resolve } from 'node:path';
import type { Model } from '../../compiled/model.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { endSentence, suggestName } from '../../core/nearest-name.ts';
import { models } from '../../generate/exploration/explorations.ts';
import { givenModel } from '../../generate/exploration/given-model.ts';
import { type MachineScore, machineScore } from '../../generate/mutate/machine-score.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { loadUserModule } from '../user-module.ts';
import type { MutateArguments } from './mutate-options.ts';

/**
 * Measures the generated tests of one machine. Takes its name, or the path of a module that exports one. Returns 1 when too few of the killable mutants are killed. Throws `usage-invalid` for a machine that there is not.
 */
export async function mutateMachine(name: string, args: MutateArguments, context: CommandContext): Promise<ExitCode> {
  const elapsedMs = context.clock.stopwatch();
  const score = machineScore(await loadModel(name, context.cwd), args.maxStatePairs);
  const report = { score, name, elapsedMs: Math.round(elapsedMs()) };
  const palette = paletteFor(context.stdout, context, args.color);
  if (args.json) printJson(context.stdout, machineJson(report));
  else print(context.stdout, report, (visible) => machineText(visible, palette));
  return score.score * 100 >= args.threshold && score.undecided === 0 ? 0 : 1;
}

/**
 * Name of the lifecycle machine, which is not measured alone. It counts milliseconds, so it has more states than
 * tests can distinguish.
 */
const lifecycleMachine = 'nudge';

async function loadModel(name: string, cwd: string): Promise<Model> {
  if (name === lifecycleMachine) {
    throw new NudgeLabError('usage-invalid', {
      message:
        'The nudge machine cannot be measured separately. Run `nudgelab mutate`, which includes it in small test models.',
    });
  }
  const known = models.get(name)?.();
  if (known !== undefined) return known;
  if (/[./\\]/.test(name)) return givenModel(basename(name), await loadUserModule(resolve(cwd, name)));
  throw new NudgeLabError('usage-invalid', {
    message: endSentence(
      `"${name}" is not a machine. Use ${measured().join(', ')}, or a module path${suggestName(name, measured())}`,
    ),
  });
}

function measured(): readonly string[] {
  return [...models.keys()].filter((name) => name !== lifecycleMachine);
}

interface MachineReport {
  readonly score: MachineScore;
  readonly name: string;
  readonly elapsedMs: number;
}

function machineJson({ score, name, elapsedMs }: MachineReport): object {
  const { mutants, ...summary } = score;
  const summaries = mutants.map(({ machine: _machine, ...mutant }) => mutant);
  return { machine: name, summary: { mutants: mutants.length, ...summary }, mutants: summaries, elapsedMs };
}

function machineText({ score, name, elapsedMs }: MachineReport, palette: ReturnType<typeof paletteFor>): string {
  const { mutants, killed, survived, equivalent, undecided, tests, steps, gap } = score;
  const open = mutants.flatMap((mutant) => {
    if (mutant.verdict === 'survived') {
      return [`${palette.bad('SURVIVED')} ${mutant.id}`, ...mutant.killer.map((event) => `  ${JSON.stringify(event)}`)];
    }
    return mutant.verdict === 'undecided' ? [`${palette.bad('UNDECIDED')} ${mutant.id}`, `  ${mutant.message}`] : [];
  });
  // The score is rounded down, so 100% means all mutants.
  const percent = Math.floor(score.score * 1_000) / 10;
  const counts = `${killed} killed, ${survived} survived, ${equivalent} equivalent, ${undecided} undecided`;
  const lines = [
    ...open,
    `${palette.strong(`${name}: mutation score ${percent}%`)}: ${mutants.length} mutants: ${counts}`,
    palette.faint(
      `by a transition tour with distinguishing sequences: ${tests} tests, ${steps} events, gap ${gap}; ${elapsedMs} ms`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
