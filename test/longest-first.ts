import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const recorded = new URL('recorded-times.json', import.meta.url);

/**
 * Test sequencer that starts the longest files first, so both workers end at about the same time. It uses recorded
 * times, which `npm run test:record-times` updates. A file without a time comes last.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = JSON.parse(readFileSync(recorded, 'utf8')) as Readonly<Record<string, number>>;
    const getTime = ({ moduleId }: TestSpecification): number =>
      times[relative(this.ctx.config.root, moduleId).split(sep).join('/')] ?? 0;
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (one, other) =>
        Number(other.project.config.isolate) - Number(one.project.config.isolate) || getTime(other) - getTime(one),
    );
  }
}
