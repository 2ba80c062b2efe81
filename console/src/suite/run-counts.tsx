import type { Run, RunRow } from '../control/suite.ts';

/** Display names of the run states. */
export const runLabels: Readonly<Record<Run['state'], string>> = {
  queued: 'Queued',
  running: 'Running',
  finished: 'Finished',
  canceled: 'Canceled',
  failed: 'Error',
};

/** Display names of the results, each with a symbol in addition to its color. */
export const statusLabels: Readonly<Record<RunRow['status'], string>> = {
  passed: '✓ passed',
  failed: '✗ failed',
  skipped: '– skipped',
};

/** Renders the number of scenarios per result. */
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
