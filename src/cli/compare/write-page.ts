import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Comparison } from '../../contract/comparison.schema.ts';
import { comparisonHtml } from '../../report/comparison-html.ts';

/** Writes a comparison as an HTML page. Returns the file name as specified. */
export function writeComparisonPage(file: string, comparison: Comparison, cwd: string): string {
  writeFileSync(resolve(cwd, file), comparisonHtml(comparison));
  return file;
}
