import { expect, it } from 'vitest';
import { reportLines } from '../../src/cli/import/report-text.ts';
import type { Counted, ImportReport } from '../../src/contract/import-report.ts';
import { plainPalette } from '../../src/report/palette.ts';

const empty: Omit<ImportReport, 'skipped'> = {
  files: [],
  rows: 1,
  attempts: 1,
  users: 1,
  registrations: 1,
  policies: 1,
  from: null,
  to: null,
  anomalies: [],
  unknownValues: [],
  inferred: [],
  columns: {},
  unusedColumns: [],
};

/** Returns the line of a finding in the report. */
function lineFor(count: number, what: string): string | undefined {
  const skipped: readonly Counted[] = [{ what, count, places: ['row 4'] }];
  const lines = reportLines('out', { ...empty, skipped: [...skipped] }, plainPalette);
  return lines.find((line) => line.includes('row 4'))?.trim();
}

it.each([
  [1, 'rows without a time', '1 row without a time (row 4)'],
  [1, 'lines with unbalanced quotation marks', '1 line with unbalanced quotation marks (row 4)'],
  [1, 'snooze record rows without a user or a count', '1 snooze record row without a user or a count (row 4)'],
  [2, 'rows without a time', '2 rows without a time (row 4 and 1 more)'],
])('%i %s', (count, what, line) => {
  expect(lineFor(count, what)).toBe(line);
});
