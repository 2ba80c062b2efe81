import { describe, expect, it } from 'vitest';
import type { RunReport, ScenarioResult } from '../../src/contract/result.schema.ts';
import { workflowAnnotations } from '../../src/report/annotations.ts';
import { ctrfReport } from '../../src/report/ctrf.ts';
import { changesSince } from '../../src/report/run-changes.ts';
import { changesText, summaryMarkdown } from '../../src/report/summary-markdown.ts';
import { sampleReport } from './sample-report.ts';

const [, failed] = sampleReport.results;
if (failed === undefined) throw new RangeError('The sample is too small.');

function createResult(id: string, status: ScenarioResult['status'], driver = 'model'): ScenarioResult {
  return { ...(failed as ScenarioResult), id, status, driver };
}

function createReport(results: readonly ScenarioResult[]): RunReport {
  const count = (wanted: ScenarioResult['status']): number => results.filter(({ status }) => status === wanted).length;
  const summary = { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), durationMs: 1_500 };
  return { ...sampleReport, summary, results };
}

function failures(count: number): readonly ScenarioResult[] {
  return Array.from({ length: count }, (_, index) => createResult(`${index}.yaml`, 'failed'));
}

const mixed = createReport([
  ...['a', 'b', 'c', 'd'].map((id) => createResult(id, 'passed')),
  ...['e', 'f'].map((id) => createResult(id, 'failed')),
  createResult('g', 'skipped'),
  createResult('a', 'passed', 'http'),
  ...['b', 'c', 'd'].map((id) => createResult(id, 'skipped', 'http')),
]);

describe('run summary', () => {
  it('each driver has a row with its own counts', () => {
    const lines = summaryMarkdown(mixed, null).split('\n');
    expect(lines[0]).toBe('# 2 of 11 scenarios failed');
    expect(lines.slice(2, 6)).toEqual([
      '| Driver | Passed | Failed | Skipped |',
      '| --- | ---: | ---: | ---: |',
      '| model | 4 | 2 | 1 |',
      '| http | 1 | 0 | 3 |',
    ]);
  });

  it.each([
    [1, 1, null],
    [50, 50, null],
    [51, 50, 'And 1 more.'],
    [60, 50, 'And 10 more.'],
  ])('of %i failures, %i are named and the others are counted', (count, named, more) => {
    const lines = summaryMarkdown(createReport(failures(count)), null).split('\n');
    expect(lines.filter((line) => /^\| \d+\.yaml /.test(line))).toHaveLength(named);
    expect(lines.find((line) => line.startsWith('And ')) ?? null).toBe(more);
  });

  it.each([
    [49, 49, null],
    [50, 50, null],
    [51, 50, '::notice::1 more scenarios failed.'],
  ])('of %i failures, %i are annotated and the others are counted', (count, annotated, more) => {
    const lines = workflowAnnotations(failures(count));
    expect(lines.filter((line) => line.startsWith('::error '))).toHaveLength(annotated);
    expect(lines.find((line) => line.startsWith('::notice::')) ?? null).toBe(more);
  });

  it('CTRF: the start is the end minus the duration, and each status has its own count', () => {
    const { results } = ctrfReport(mixed, 10_000) as { results: { summary: object } };
    expect(results.summary).toMatchObject({
      tests: 11,
      passed: 5,
      failed: 2,
      skipped: 4,
      start: 8_500,
      stop: 10_000,
    });
  });
});

describe('changes since an earlier run', () => {
  it('added and removed scenarios are counted separately', () => {
    const earlier = createReport([createResult('a', 'passed'), createResult('b', 'failed')]);
    const now = createReport([createResult('a', 'failed'), ...['c', 'd', 'e'].map((id) => createResult(id, 'passed'))]);
    const changes = changesSince(earlier, now);
    expect([changes.added, changes.removed]).toEqual([3, 1]);
    expect(changesText(changes)).toBe(
      'Since the baseline: 1 newly failed, 0 fixed, 0 still failing, 3 added, 1 removed.',
    );
  });

  it.each([
    ['failed', 'passed'],
    ['passed', 'failed'],
  ] as const)(
    'a scenario whose repetitions %s and then %s counts as failed in both the earlier and the current run',
    (first, second) => {
      const repeated = createReport([createResult('a', first), createResult('a', second)]);
      const passed = createReport([createResult('a', 'passed')]);
      const counts = ({ newlyFailed, fixed, stillFailed }: ReturnType<typeof changesSince>) =>
        [newlyFailed, fixed, stillFailed].map(({ length }) => length);
      expect(counts(changesSince(passed, repeated))).toEqual([1, 0, 0]);
      expect(counts(changesSince(repeated, passed))).toEqual([0, 1, 0]);
      expect(counts(changesSince(repeated, repeated))).toEqual([0, 0, 1]);
    },
  );
});
