import junitModule, { type Builder } from 'junit-report-builder';
import type { RunReport, ScenarioResult } from '../contract/result.ts';
import { failureHeadline, failureLines } from './failure-text.ts';
import { plainPalette } from './palette.ts';

/** The package exports its builder itself, which its declarations do not say. */
const junit = junitModule as unknown as Builder;

/** The run as JUnit XML: a test suite for each driver, a test case for each scenario. Takes a report without secrets. */
export function junitXml({ results }: RunReport): string {
  const builder = junit.newBuilder().name('nudgelab');
  for (const [driver, ofDriver] of Map.groupBy(results, (result) => result.driver)) {
    const suite = builder
      .testSuite()
      .name(driver)
      .time(secondsOf(ofDriver.reduce((sum, one) => sum + one.durationMs, 0)));
    for (const result of ofDriver) {
      const element = suite
        .testCase()
        .name(printable(`${result.id} ${result.name}`))
        .className(
          printable(
            `${driver}.${result.file
              .replace(/\.ya?ml$/, '')
              .replaceAll('.', '_')
              .replaceAll('/', '.')}`,
          ),
        )
        .file(printable(result.file))
        .time(secondsOf(result.durationMs));
      if (result.status === 'failed')
        element.failure(printable(failureHeadline(result)), 'failed').stacktrace(details(result));
      if (result.status === 'skipped') element.skipped().standardOutput(printable(result.message ?? ''));
    }
  }
  return builder.build();
}

function details(result: ScenarioResult): string {
  return printable(failureLines(result, plainPalette).join('\n'));
}

/** Without the control characters that XML cannot carry. */
function printable(text: string): string {
  return [...text].filter((character) => character >= ' ' || character === '\n' || character === '\t').join('');
}

function secondsOf(durationMs: number): number {
  return Math.round(durationMs) / 1_000;
}
