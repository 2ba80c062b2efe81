import type { Run, RunRow } from '../control/suite.ts';

/** What states of a run are called. */
export const runLabels: Readonly<Record<Run['state'], string>> = {
  queued: 'Queued',
  running: 'Running',
  finished: 'Finished',
  canceled: 'Canceled',
  failed: 'Error',
};

/** What results are called, each with a sign beside its color. */
export const statusLabels: Readonly<Record<RunRow['status'], string>> = {
  passed: '✓ passed',
  failed: '✗ failed',
  skipped: '– skipped',
};

/** How many scenarios came to what. */
export function RunCounts({
  run: { passed, failed, skipped },
}: {
  readonly run: Pick<Run, 'passed' | 'failed' | 'skipped'>;
}) {
  return (
    <>
      <span className="passed">{passed.toLocaleString('en')} passed</span>,{' '}
      <span className={failed > 0 ? 'failed' : undefined}>{failed.toLocaleString('en')} failed</span>
      {skipped > 0 && `, ${skipped.toLocaleString('en')} skipped`}
    </>
  );
}
