import type { ReporterOptions } from 'knip';

/**
 * Reports the number of files that Knip checked, so `npm run check` can distinguish a clean run from an empty one.
 */
export default function reportCount({ counters }: ReporterOptions): void {
  console.log(`${counters.processed} files read`);
}
