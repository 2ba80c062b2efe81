import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What is known of a test file from the runs before. */
interface FileRecord {
  /** Of its first run, which had no mutant. */
  readonly durationMs: number;
  kills: number;
}

/** A file that has not killed a mutant yet counts as one that killed this part of one. */
const initialKills = 0.1;

const records = new Map<string, FileRecord>();

/** Runs first what kills most mutants in the least time, since a mutant is dead at its first failing test. */
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

/** Kills in a ms of testing; unknown files come first, as there is nothing to learn from otherwise. */
function worth({ moduleId }: TestSpecification): number {
  const record = records.get(moduleId);
  if (record === undefined) return Number.POSITIVE_INFINITY;
  return (record.kills + initialKills) / Math.max(1, record.durationMs);
}
