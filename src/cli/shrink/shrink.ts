import { writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { optionWords, shellLine } from '../../core/shell-line.ts';
import { type ShrunkScenario, shrinkScenario } from '../../generate/fuzz/shrink-scenario.ts';
import type { ScenarioData } from '../../generate/journey.ts';
import { scenarioYaml } from '../../generate/write/scenario-yaml.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { countingProgress } from '../counting-progress.ts';
import { print, printJson } from '../print.ts';
import { chooseDrivers } from '../run/choose-drivers.ts';
import { locateSuite } from '../run/locate-suite.ts';
import { readScenarioData } from './read-scenario-data.ts';
import type { ShrinkArguments } from './shrink-options.ts';

/**
 * Shrinks a failing scenario. Returns 1 if the scenario does not fail. Throws `usage-invalid` unless exactly one
 * scenario is given, and any error of the driver's startup.
 */
export async function shrink(args: ShrinkArguments, context: CommandContext): Promise<ExitCode> {
  const elapsedMs = context.clock.stopwatch();
  const [operand, ...others] = args.operands;
  if (operand === undefined || others.length > 0) {
    throw new NudgeLabError('usage-invalid', {
      message: 'Name one scenario file, such as failing.yaml or failing.yaml#2.',
    });
  }
  const config = await loadConfig(args.config, context.cwd);
  const { fixtureFolders } = locateSuite([operand], config, context.cwd);
  const fixtures = new FixtureLibrary(fixtureFolders);
  const scenario = readScenarioData(operand, context.cwd);
  const chosen = await chooseDrivers([args.driver], {
    config,
    url: args.url,
    controlKey: args.controlKey,
    evidence: null,
    env: context.env,
  });
  const progress = countingProgress(context, args.color);
  const budgetMs = args.timeLimit ?? Number.POSITIVE_INFINITY;
  try {
    const [driver] = chosen.drivers;
    const shrunk =
      driver === undefined
        ? null
        : await shrinkScenario(scenario, driver, fixtures, {
            triesMax: args.maxShrinks,
            canContinue: () => elapsedMs() < budgetMs,
            onTry: (tries, steps) => progress.show(`${tries} tries, ${steps} steps`),
          });
    progress.clear();
    return tell(scenario, shrunk, { operand, driver: args.driver }, args, context);
  } finally {
    await chosen.close();
  }
}

function tell(
  scenario: ScenarioData,
  shrunk: ShrunkScenario | null,
  { operand, driver }: { readonly operand: string; readonly driver: string },
  args: ShrinkArguments,
  context: CommandContext,
): ExitCode {
  const { stdout, cwd, program } = context;
  if (shrunk === null) {
    if (args.json) printJson(stdout, { failed: false, driver });
    else {
      print(stdout, { operand, driver }, (visible) => [
        `${visible.operand} does not fail on the ${visible.driver} driver; there is nothing to shrink.`,
      ]);
    }
    return 1;
  }
  const path = resolve(cwd, args.out ?? `${operand.replace(/#(\d+)$/, '-$1').replace(/\.ya?ml/, '')}.shrunk.yaml`);
  const { difference, tries, isMinimal, isShortest, against } = shrunk;
  const comment = `Shrunk from ${operand}: ${scenario.steps.length} steps to ${difference.scenario.steps.length}.`;
  writeFileSync(path, scenarioYaml(difference.scenario, comment));
  const file = relative(cwd, path);
  const command = shellLine(program, ['run', file, '--driver', driver, ...optionWords({ url: args.url })]);
  const { mismatches, step } = difference;
  const from = scenario.steps.length;
  const to = difference.scenario.steps.length;
  if (args.json) {
    printJson(stdout, {
      failed: true,
      driver,
      against,
      from,
      to,
      tries,
      isMinimal,
      isShortest,
      step,
      mismatches,
      file,
      command,
      scenario: difference.scenario,
    });
    return 0;
  }
  const proof = isShortest
    ? 'proven shortest'
    : isMinimal
      ? 'no single step can be removed'
      : 'a shorter one may exist';
  print(stdout, { steps: difference.scenario.steps, mismatches, file, command }, (visible) => [
    `${from} steps shrunk to ${to} in ${tries} tries; ${proof}`,
    ...visible.steps.map((one, at) => `  ${at + 1}. ${JSON.stringify(one)}`),
    ...visible.mismatches.map(
      ({ key, expected, actual }) => `  ${key}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`,
    ),
    `saved as ${visible.file}`,
    `repeat it: ${visible.command}`,
  ]);
  return 0;
}
