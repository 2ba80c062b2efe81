import type { ReporterOptions } from 'knip';

/** Knip's reporter that says how many files it went through, so that `npm run check` can tell a clean run from an idle one. */
export default function reportCount({ counters }: ReporterOptions): void {
  console.log(`${counters.processed} files read`);
}
