import { html } from 'ghtml';
import type { RunReport, ScenarioResult } from '../contract/result.schema.ts';
import { failureHeadline, failureLines } from './failure-text.ts';
import { plainPalette } from './palette.ts';

/**
 * Formats a run as JUnit XML with a test suite per driver and a test case per scenario. The report must not contain
 * secrets. The output uses only the common subset of the published schemas. The schemas count skipped tests per
 * suite but not in total, and have no file attribute on a test case, so the name of a test case starts with the
 * file.
 */
export function junitXml({ results }: RunReport): string {
  const suites = [...Map.groupBy(results, ({ driver }) => driver)].map(([driver, ofDriver]) => suite(driver, ofDriver));
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nudgelab" time="${computeTime(results)}"!${formatCounts(results)}>
!${suites.join('')}</testsuites>`;
}

function suite(driver: string, results: readonly ScenarioResult[]): string {
  const counts = `${formatCounts(results)} skipped="${count(results, 'skipped')}"`;
  return html`  <testsuite name="${printable(driver)}" time="${computeTime(results)}"!${counts}>
!${results.map(element).join('')}  </testsuite>
`;
}

function element(result: ScenarioResult): string {
  const { id, name, durationMs } = result;
  const outcome = formatOutcome(result);
  const head = html`    <testcase name="${printable(`${id} ${name}`)}" classname="${printable(formatClassName(result))}" time="${toSeconds(durationMs)}"`;
  return outcome === '' ? `${head}/>\n` : `${head}>\n${outcome}    </testcase>\n`;
}

function formatOutcome(result: ScenarioResult): string {
  if (result.status === 'failed') {
    const details = failureLines(result, plainPalette).join('\n');
    return html`      <failure message="${printable(failureHeadline(result))}" type="failed">!${literal(details)}</failure>
!${formatTrace(result)}`;
  }
  if (result.status !== 'skipped') return formatTrace(result);
  return html`      <skipped/>
      <system-out>!${literal(result.message ?? '')}</system-out>
`;
}

/** Formats the trace as output, because not every schema allows properties of a test case. */
function formatTrace({ traceId }: ScenarioResult): string {
  return traceId === undefined ? '' : html`      <system-out>trace_id=${traceId}</system-out>\n`;
}

function formatClassName({ driver, file }: ScenarioResult): string {
  const path = file.replace(/\.ya?ml$/, '').replaceAll('.', '_');
  return `${driver}.${path.replaceAll('/', '.')}`;
}

function formatCounts(results: readonly ScenarioResult[]): string {
  return ` tests="${results.length}" failures="${count(results, 'failed')}" errors="0"`;
}

function count(results: readonly ScenarioResult[], status: ScenarioResult['status']): number {
  return results.filter((one) => one.status === status).length;
}

/** Wraps text in CDATA. A terminator inside the text is split over two sections. */
function literal(text: string): string {
  return `<![CDATA[${printable(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** Removes characters that XML cannot represent: control characters, lone surrogates, and the two noncharacters. */
function printable(text: string): string {
  return [...text]
    .filter((character) => character >= ' ' || character === '\n' || character === '\t')
    .filter((character) => !/^[\uD800-\uDFFF\uFFFE\uFFFF]$/.test(character))
    .join('');
}

function computeTime(results: readonly ScenarioResult[]): number {
  return toSeconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0));
}

function toSeconds(durationMs: number): number {
  return Math.round(durationMs) / 1_000;
}
