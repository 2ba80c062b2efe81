import type { RunReport, ScenarioResult } from '../contract/result.schema.ts';
import { durationText } from './duration.ts';
import { failureLines } from './failure-text.ts';
import type { Palette } from './palette.ts';

/** Maximum number of failures shown in full. For further failures only the command to repeat them is shown. */
const failuresShownMax = 20;
const repeatsShownMax = 200;

/** Maximum number of skip reasons shown. */
const skipReasonsMax = 10;

/** Formats the failed and skipped scenarios as lines. Returns an empty text if all scenarios passed. */
export function failuresText({ results }: RunReport, palette: Palette): string {
  const failed = results.filter(({ status }) => status === 'failed');
  const whole = failed.slice(0, failuresShownMax).map((result) => `${failureLines(result, palette).join('\n')}\n`);
  const rest = failed.slice(failuresShownMax);
  const repeats = rest.slice(0, repeatsShownMax).map(({ command }) => `  ${command}`);
  const more = rest.length === 0 ? [] : [`${rest.length} more failed; repeat them with:`, ...repeats, ''];
  return [...whole, ...more, ...skipLines(results, palette)].join('\n');
}

/** Duration per driver, in milliseconds by driver name. */
export type DriverTimes = ReadonlyMap<string, number>;

/** Formats the results of each driver in one line. */
export function summaryText(report: RunReport, times: DriverTimes, palette: Palette): string {
  const drivers = [...new Set(report.results.map(({ driver }) => driver))];
  const width = Math.max(...drivers.map(({ length }) => length), 0);
  const lines = drivers.map((driver) => {
    const counts = countsText(
      report.results.filter((result) => result.driver === driver),
      palette,
    );
    const spentMs = times.get(driver);
    return `${driver.padEnd(width)}  ${counts}${spentMs === undefined ? '' : `  ${durationText(spentMs)}`}`;
  });
  return `${[...lines, `${palette.strong(formatVerdict(report))} in ${durationText(report.summary.durationMs)}`].join('\n')}\n`;
}

function formatVerdict({ summary: { passed, failed, skipped } }: RunReport): string {
  const total = passed + failed + skipped;
  if (failed > 0) return `${failed} of ${total} failed`;
  return skipped === 0 ? `All ${total} passed` : `${passed} of ${total} passed, ${skipped} skipped`;
}

function countsText(results: readonly ScenarioResult[], palette: Palette): string {
  const count = (status: ScenarioResult['status']): number =>
    results.filter((result) => result.status === status).length;
  const failed = `${count('failed')} failed`;
  const skipped = `${count('skipped')} skipped`;
  return [
    palette.good(`${count('passed')} passed`),
    count('failed') > 0 ? palette.bad(failed) : failed,
    count('skipped') > 0 ? palette.doubtful(skipped) : skipped,
  ].join('  ');
}

function skipLines(results: readonly ScenarioResult[], palette: Palette): readonly string[] {
  const byReason = Map.groupBy(
    results.filter(({ status }) => status === 'skipped'),
    ({ message }) => message ?? 'no reason given',
  );
  return [...byReason].slice(0, skipReasonsMax).map(([reason, skipped]) => {
    const [first] = skipped;
    return `${palette.doubtful('SKIPPED')} ${skipped.length}: ${reason} (the first: ${first?.id ?? ''})\n`;
  });
}
