import type { ScenarioResult } from '../../contract/result.schema.ts';
import { errorTable } from '../../core/errors.ts';
import { failureLines } from '../../report/failure-text.ts';
import type { Palette } from '../../report/palette.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print, printJsonLines } from '../print.ts';
import type { ReplayResult } from '../queue/journey-jobs.ts';
import { runSequentially } from '../queue/run-sequentially.ts';
import type { ReplayArguments } from './replay-options.ts';
import { replayLines } from './replay-text.ts';
import { type RefusedJourney, toError } from './replayed-journey.ts';

type Replayed = ReplayResult[number];

/**
 * Prints the results of journeys in order as soon as they are available. A single journey is printed without
 * totals, and its failure ends the command. For several journeys, the totals follow the individual results.
 */
export class ReplayPrinter {
  readonly #single: boolean;
  readonly #json: boolean;
  readonly #context: CommandContext;
  readonly #palette: Palette;
  readonly #total = { journeys: 0, same: 0, different: 0, refused: 0 };
  readonly #inTurn = runSequentially<Replayed>((replayed) => {
    this.#print(replayed);
    return this.#taken();
  });
  #isBehind = false;
  #failure: RefusedJourney | null = null;

  constructor(single: boolean, { json, color }: Pick<ReplayArguments, 'json' | 'color'>, context: CommandContext) {
    this.#single = single;
    this.#json = json;
    this.#context = context;
    this.#palette = paletteFor(context.stdout, context, color);
  }

  /**
   * Accepts the result of a journey by its index in the list. Resolves when the reader has accepted all printed
   * output.
   */
  take(place: number, replayed: Replayed): Promise<void> {
    return this.#inTurn(place, replayed);
  }

  async #taken(): Promise<void> {
    if (this.#isBehind) await this.#context.stdout.drained();
    this.#isBehind = false;
  }

  /** Prints the totals. Returns the exit code. Throws the error of a single journey that could not be replayed. */
  async end(): Promise<ExitCode> {
    const { journeys, same, different, refused } = this.#total;
    if (this.#failure !== null) throw toError(this.#failure);
    if (!this.#single && this.#json) {
      const begin = journeys === 0 ? '{"journeys":[' : '';
      this.#writeJson(`${begin}],"total":${JSON.stringify(this.#total)},"same":${same === journeys}}\n`);
    } else if (!this.#single) {
      const counts = `${same} same, ${different} different, ${refused} that cannot be replayed`;
      this.#note(print(this.#context.stdout, {}, () => [`${journeys} journeys: ${counts}`]));
    }
    await this.#taken();
    if (refused > 0) return errorTable['journey-damaged'].exitCode;
    return different > 0 ? 1 : 0;
  }

  #print(replayed: Replayed): void {
    const first = this.#total.journeys === 0;
    this.#total.journeys += 1;
    if ('error' in replayed) this.#total.refused += 1;
    else if (replayed.same && !isViolated(replayed)) this.#total.same += 1;
    else this.#total.different += 1;
    const named =
      'results' in replayed ? { ...replayed, results: replayed.results.map((one) => this.#own(one)) } : replayed;
    if (this.#single && 'error' in named) this.#failure = named;
    else if (!this.#json) this.#note(print(this.#context.stdout, named, (visible) => this.#lines(visible)));
    else if (this.#single) this.#writeJson(`${JSON.stringify(named)}\n`);
    else this.#writeJson(`${first ? '{"journeys":[' : ','}${JSON.stringify(named)}`);
  }

  /** Replaces the program name in the commands of a result. */
  #own(result: ScenarioResult): ScenarioResult {
    return { ...result, command: result.command.replace(/^nudgelab /, `${this.#context.program} `) };
  }

  #lines(replayed: Replayed): readonly string[] {
    if ('error' in replayed) {
      const { file, error } = replayed;
      const { bad, strong } = this.#palette;
      return [`${bad('REFUSED')} ${strong(file)} ${error.code}: ${error.message}`];
    }
    return 'results' in replayed
      ? drivenLines(replayed, this.#palette)
      : [
          ...replayLines(replayed.file, replayed, this.#palette),
          ...(replayed.violations ?? []).map((sentence) => `${this.#palette.bad('VIOLATED')} ${sentence}`),
        ];
  }

  #writeJson(text: string): void {
    this.#note(printJsonLines(this.#context.stdout, text));
  }

  #note(keepsUp: boolean): void {
    this.#isBehind = !keepsUp || this.#isBehind;
  }
}

function isViolated(replayed: Replayed): boolean {
  return 'violations' in replayed && (replayed.violations ?? []).length > 0;
}

function drivenLines(
  { file, notRepeatable, results }: Extract<Replayed, { readonly results: unknown }>,
  palette: Palette,
): readonly string[] {
  const types = Object.entries(notRepeatable).map(([type, count]) => `${count} ${type}`);
  return [
    ...(types.length === 0 ? [] : [`Events that no driver can repeat, omitted: ${types.join(', ')}.`]),
    ...results.flatMap((result) =>
      result.status === 'passed'
        ? [
            `${palette.good('SAME')} ${file} on ${result.driver}: ${result.steps.length} steps, ${checked(result)} comparisons`,
          ]
        : failureLines(result, palette),
    ),
  ];
}

function checked({ steps }: ScenarioResult): number {
  return steps.reduce((total, step) => total + step.checked, 0);
}
