import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunReport } from '../../src/contract/result.schema.ts';
import { parseOutput, runHere } from './command-context.ts';

/** Runs a suite, and returns the id and status of each result. */
export async function outcomes(cwd: string, ...argv: string[]): Promise<readonly string[]> {
  const report = parseOutput(await runHere(['run', '--json', ...argv], { cwd })) as RunReport;
  return report.results.map(({ id, status }) => `${id} ${status}`);
}

/** Returns the paths of the entries in the scenario cache of a suite. */
export function listCacheFiles(cwd: string): readonly string[] {
  return readdirSync(join(cwd, '.nudgelab', 'scenarios')).map((name) => join(cwd, '.nudgelab', 'scenarios', name));
}
