import type { RunReport, ScenarioResult } from '../../contract/result.schema.ts';
import { optionWords, shellLine } from '../../core/shell-line.ts';
import type { RunArguments } from './run-options.ts';

/**
 * Replaces the commands of a report with commands that rerun each scenario under the same conditions. They use this
 * program's name and the relevant options.
 */
export function withRepeatCommands(report: RunReport, args: RunArguments, program: string): RunReport {
  const { seed, timeout, url, language, config, ruleset, set } = args;
  // Only options that change the behavior of a scenario are included.
  const options = shellLine('', [
    ...optionWords({ seed, timeout: timeout === null ? null : `${timeout}ms`, url, language, config, ruleset }),
    ...set.flatMap(({ name, value }) => ['--set', `${name}=${value}`]),
  ]);
  const repeated = (result: ScenarioResult): ScenarioResult => ({
    ...result,
    command: `${result.command.replace(/^nudgelab /, `${program} `)}${options}`,
  });
  return { ...report, results: report.results.map(repeated) };
}
