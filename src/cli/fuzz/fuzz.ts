import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { optionWords, shellLine } from '../../core/shell-line.ts';
import type { FuzzFailure, FuzzReport } from '../../generate/fuzz/fuzz.ts';
import { fuzz } from '../../generate/fuzz/fuzz.ts';
import { scenarioYaml } from '../../generate/write/scenario-yaml.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { countingProgress } from '../counting-progress.ts';
import { makeFolder } from '../make-folder.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { chooseDrivers } from '../run/choose-drivers.ts';
import type { FuzzArguments } from './fuzz-options.ts';

/** Difference that was found, with the saved file and the commands that reproduce it. */
interface SavedFailure extends FuzzFailure {
  readonly file: string;
  /** Command that reruns the shrunk journey. */
  readonly command: string;
  /** Command that reruns the same random walk. */
  readonly walkAgain: string;
}

/**
 * Runs random walks on a driver. Returns 1 if the driver differs from the model, or 2 if the driver crashed. Throws
 * `driver-not-found` and any error of the driver's startup.
 */
export async function fuzzDriver(args: FuzzArguments, context: CommandContext): Promise<ExitCode> {
  const elapsedMs = context.clock.stopwatch();
  const config = await loadConfig(args.config, context.cwd);
  const chosen = await chooseDrivers([args.driver], {
    config,
    url: args.url,
    controlKey: args.controlKey,
    evidence: null,
    properties: { files: args.properties, cwd: context.cwd },
    env: context.env,
  });
  const [driver] = chosen.drivers;
  const progress = countingProgress(context, args.color);
  const { seed } = args;
  const budgetMs = args.timeLimit ?? Number.POSITIVE_INFINITY;
  try {
    if (driver === undefined) return 2;
    const report = await fuzz(driver, {
      seed,
      path: args.path,
      walks: args.runs,
      stepsMax: args.maxSteps,
      triesMax: args.maxShrinks,
      canContinue: () => elapsedMs() < budgetMs,
      onProgress: (line) => progress.show(line),
    });
    progress.clear();
    const failure = report.failure === null ? null : saved(report.failure, args, context);
    printFuzz({ ...report, failure }, { driver: args.driver, seed, elapsedMs: Math.round(elapsedMs()) }, args, context);
    if (report.died !== null) return 2;
    return failure === null && report.complete ? 0 : 1;
  } finally {
    await chosen.close();
  }
}

function saved(
  failure: FuzzFailure,
  { driver, url, seed, maxSteps, config, out, properties: watched }: FuzzArguments,
  { cwd, program }: CommandContext,
): SavedFailure {
  const folder = resolve(cwd, out);
  const properties = watched.length === 0 ? null : watched.join();
  makeFolder(folder);
  const path = join(folder, `${driver}-${seed}-${failure.path.replaceAll(':', '-')}.yaml`);
  const walkAgain = shellLine(program, [
    'fuzz',
    ...optionWords({ driver, seed, path: failure.path, url, 'max-steps': maxSteps, config, properties }),
  ]);
  const { scenario } = failure.shrunk.difference;
  const named = {
    ...scenario,
    name: `The ${driver} driver differs from the model, random seed ${seed}, random walk ${failure.path}`,
  };
  writeFileSync(
    path,
    scenarioYaml(named, `Shrunk from a random walk of ${failure.steps} steps.\nRepeat the whole walk: ${walkAgain}`),
  );
  const file = relative(cwd, path);
  return {
    ...failure,
    file,
    command: shellLine(program, ['run', file, ...optionWords({ driver, url, config, properties })]),
    walkAgain,
  };
}

type Printed = Omit<FuzzReport, 'failure'> & { readonly failure: SavedFailure | null };

function printFuzz(
  report: Printed,
  about: { readonly driver: string; readonly seed: number; readonly elapsedMs: number },
  { json, color }: FuzzArguments,
  context: CommandContext,
): void {
  if (json) {
    const { passed, walks, steps, complete, failure, died } = report;
    const failureReport = failure === null ? null : failureJson(failure);
    printJson(context.stdout, { ...about, passed, walks, steps, complete, died, failure: failureReport });
    return;
  }
  const palette = paletteFor(context.stdout, context, color);
  print(context.stdout, { report, about }, (visible) => fuzzLines(visible.report, visible.about, palette));
}

function fuzzLines(
  { passed, walks, steps, complete, failure, died }: Printed,
  about: { readonly driver: string; readonly seed: number; readonly elapsedMs: number },
  { strong, good, bad, faint }: ReturnType<typeof paletteFor>,
): readonly string[] {
  return [
    `${strong(about.driver)}: ${good(`${passed} walks agree`)} with the model, ${steps} steps, seed ${about.seed}, ${faint(`${about.elapsedMs} ms`)}`,
    ...(died === null
      ? []
      : [
          `${bad('The driver stopped')} in walk ${passed + 1} of ${walks}: ${died}`,
          'Make sure that the tested system is running, then repeat the command. Results of earlier walks are valid.',
        ]),
    ...(failure === null ? [] : failureText(failure, bad)),
    ...(complete || died !== null ? [] : [bad('incomplete: the time limit was reached before all random walks ran')]),
  ];
}

function failureJson({ path, steps, shrunk, file, command, walkAgain }: SavedFailure): object {
  const { difference, tries, isMinimal } = shrunk;
  const { scenario, step, kind, mismatches, message } = difference;
  return {
    path,
    steps,
    shrunkTo: scenario.steps.length,
    tries,
    isMinimal,
    step,
    kind,
    mismatches,
    message,
    scenario,
    file,
    command,
    walkAgain,
  };
}

function failureText(
  { path, steps, shrunk, file, command, walkAgain }: SavedFailure,
  bad: (text: string) => string,
): readonly string[] {
  const { difference, tries, isMinimal } = shrunk;
  return [
    `${bad('DIFFERS')} walk ${path} of ${steps} steps, shrunk to ${difference.scenario.steps.length} in ${tries} tries${isMinimal ? '' : '; a shorter one may exist'}`,
    `  given ${JSON.stringify(difference.scenario.given)}`,
    ...difference.scenario.steps.map((step, at) => `    ${at + 1}. ${JSON.stringify(step)}`),
    ...difference.mismatches.map(
      ({ key, expected, actual }) =>
        `  ${key}: expected ${JSON.stringify(expected)} (model), got ${JSON.stringify(actual)} (driver)`,
    ),
    ...(difference.message === null ? [] : [`  ${difference.message}`]),
    `  saved as ${file}`,
    `  repeat it: ${command}`,
    `  repeat the whole walk: ${walkAgain}`,
  ];
}
