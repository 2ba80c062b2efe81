import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Results of a test file in previous runs. */
interface FileRecord {
  /** Duration of the first run, without a mutant, in milliseconds. */
  readonly durationMs: number;
  kills: number;
}

/** Initial number of kills for a file that has not killed a mutant yet. */
const initialKills = 0.1;

const records = new Map<string, FileRecord>();

/** Runs the files with the most kills per time first, because a mutant is killed by its first failing test. */
export class KillersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    for (const file of files) this.#learn(file);
    return [...files].sort((a, b) => worth(b) - worth(a));
  }

  #learn(file: TestSpecification): void {
    const last = this.ctx.cache.getTestSpecificationResult(file);
    if (last === undefined) return;
    const record = records.get(file.moduleId) ?? { durationMs: last.duration, kills: 0 };
    if (last.failed) record.kills += 1;
    records.set(file.moduleId, record);
  }
}

/** Computes the kills per millisecond. Unknown files come first, because nothing is known about them yet. */
function worth({ moduleId }: TestSpecification): number {
  const record = records.get(moduleId);
  if (record === undefined) return Number.POSITIVE_INFINITY;
  return (record.kills + initialKills) / Math.max(1, record.durationMs);
}
