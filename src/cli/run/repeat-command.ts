import type { RunReport, ScenarioResult } from '../../contract/result.ts';
import { optionWords, shellLine } from '../../core/shell-line.ts';
import type { RunArguments } from './run-options.ts';

/** A report whose commands repeat a scenario as it was run here: by this program's own name, with the options that count. */
export function withRepeatCommands(report: RunReport, args: RunArguments, program: string): RunReport {
  const { seed, timeout, url, language, config } = args;
  // Options that change what a scenario does.
  const options = shellLine('', optionWords({ seed, timeout, url, language, config }));
  const repeated = (result: ScenarioResult): ScenarioResult => ({
    ...result,
    command: `${result.command.replace(/^nudgelab /, `${program} `)}${options}`,
  });
  return { ...report, results: report.results.map(repeated) };
}
