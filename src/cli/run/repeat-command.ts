import type { RunReport, ScenarioResult } from '../../contract/result.ts';
import type { RunArguments } from './run-options.ts';

/** A report whose commands repeat a scenario as it was run here: by this program's own name, with the options that count. */
export function withRepeatCommands(report: RunReport, args: RunArguments, program: string): RunReport {
  const options = countingOptions(args);
  const repeated = (result: ScenarioResult): ScenarioResult => ({
    ...result,
    command: `${result.command.replace(/^nudgelab /, `${program} `)}${options}`,
  });
  return { ...report, results: report.results.map(repeated) };
}

/** Options that change what a scenario does. */
function countingOptions({ seed, timeout, url, config }: RunArguments): string {
  const given = { seed, timeout, url, config };
  return Object.entries(given)
    .map(([name, value]) => (value === null ? '' : ` --${name} ${value}`))
    .join('');
}
