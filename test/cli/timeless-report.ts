import type { RunReport } from '../../src/contract/result.schema.ts';

/** Removes times from the text of a report, because they differ between runs. */
export function timeless(text: string): string {
  return text
    .replaceAll(/"(durationMs|duration|start|stop)": ?[\d.]+/g, '"$1":0')
    .replaceAll(/ time="[\d.]+"/g, '')
    .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d UTC with/g, 'T with')
    .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, 'T');
}

/** Returns a report as JSON without times. */
export function timelessReport(report: RunReport): string {
  return timeless(JSON.stringify(report));
}
