import type { RunReport, ScenarioResult } from '../contract/result.schema.ts';
import { failureHeadline, failureLines } from './failure-text.ts';
import { plainPalette } from './palette.ts';
import { flakyIn } from './run-changes.ts';

/** Version of the Common Test Report Format in the output. */
const specVersion = '0.0.0';

/**
 * Converts a run to a plain object in the Common Test Report Format.
 *
 * @param report - report without secrets
 * @param endedAtMs - end of the run, in milliseconds since the epoch
 */
export function ctrfReport(report: RunReport, endedAtMs: number): object {
  const { passed, failed, skipped, durationMs } = report.summary;
  const flaky = new Set(flakyIn(report));
  const stop = Math.round(endedAtMs);
  return {
    reportFormat: 'CTRF',
    specVersion,
    results: {
      tool: { name: 'nudgelab' },
      summary: {
        tests: passed + failed + skipped,
        passed,
        failed,
        skipped,
        pending: 0,
        other: 0,
        start: stop - Math.round(durationMs),
        stop,
      },
      tests: report.results.map((result) => toTest(result, flaky.has(result))),
    },
  };
}

function toTest(result: ScenarioResult, flaky: boolean): object {
  const { id, name, file, driver, status, durationMs, message, tags, steps } = result;
  const reason = status === 'failed' ? failureHeadline(result) : message;
  return {
    name: `${id} ${name}`,
    status,
    duration: Math.round(durationMs),
    suite: [driver],
    filePath: file,
    tags: [...tags],
    type: driver,
    flaky,
    ...(reason === undefined || reason === '' ? {} : { message: reason }),
    ...(status === 'failed' ? { trace: failureLines(result, plainPalette).join('\n') } : {}),
    steps: steps.map(({ kind, line, status: stepStatus }) => ({
      name: `${kind}, line ${line}`,
      status: stepStatus === 'not-run' ? 'skipped' : stepStatus,
    })),
  };
}
