import type { ScenarioResult } from '../../contract/result.ts';
import { scenarioOfJourney } from '../../replay/journey-scenario.ts';
import type { OpenedJourney } from '../../replay/read-journey.ts';
import { failureLines } from '../../report/failure-text.ts';
import { runScenario } from '../../scenario/run-scenario.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { chooseDrivers } from '../run/choose-drivers.ts';
import type { ReplayArguments } from './replay-options.ts';

/**
 * Does a journey again on drivers and compares what they show with what it saw. Returns the exit code. Throws what choosing
 * drivers throws.
 */
export async function replayOnDrivers(
  journey: OpenedJourney,
  file: string,
  args: ReplayArguments,
  context: CommandContext,
): Promise<ExitCode> {
  const config = await loadConfig(args.config, context.cwd);
  const { scenario, notRepeatable } = await scenarioOfJourney(journey, file);
  const { drivers, close } = await chooseDrivers(args.driver, {
    config,
    url: args.url,
    controlKey: args.controlKey,
    evidence: null,
    env: context.env,
  });
  const results: ScenarioResult[] = [];
  try {
    for (const driver of drivers) {
      const result = await runScenario(scenario, driver, null);
      results.push({ ...result, command: `${context.program} replay ${file} --driver ${driver.name}` });
    }
  } finally {
    await close();
  }
  const same = results.every(({ status }) => status === 'passed');
  if (args.json) context.stdout.write(`${JSON.stringify({ file, same, notRepeatable, results })}\n`);
  else context.stdout.write(`${textOf(file, results, notRepeatable, args, context).join('\n')}\n`);
  return same ? 0 : 1;
}

function textOf(
  file: string,
  results: readonly ScenarioResult[],
  notRepeatable: Readonly<Record<string, number>>,
  { color }: ReplayArguments,
  context: CommandContext,
): readonly string[] {
  const palette = paletteFor(context.stdout, context, color);
  const types = Object.entries(notRepeatable).map(([type, count]) => `${count} ${type}`);
  return [
    ...(types.length === 0 ? [] : [`No driver can repeat, and left out: ${types.join(', ')}.`]),
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
