import { describe, expect, it } from 'vitest';
import { coverageGaps } from '../../src/report/coverage-gaps.ts';
import { coverageMarkdown, coverageText } from '../../src/report/coverage-text.ts';
import { differencesBetween } from '../../src/report/differences.ts';
import { durationText } from '../../src/report/duration.ts';
import { failureHeadline } from '../../src/report/failure-text.ts';
import { junitXml } from '../../src/report/junit.ts';
import { type Palette, plainPalette } from '../../src/report/palette.ts';
import { failuresText, summaryText } from '../../src/report/summary-text.ts';
import { nonEmpty } from '../non-empty.ts';
import { sampleReport } from './sample-report.ts';

/** Palette that marks emphasis with characters, so golden files can contain it. */
const marking: Palette = {
  strong: (text) => `*${text}*`,
  faint: (text) => `~${text}~`,
  good: (text) => `+${text}+`,
  bad: (text) => `!${text}!`,
  doubtful: (text) => `?${text}?`,
};

const times = new Map([
  ['model', 1.3],
  ['http', 1_501],
]);

const [passed, failed] = sampleReport.results;
if (passed === undefined || failed === undefined) throw new RangeError('The sample has too few results.');

describe('text and XML reports', () => {
  it('the terminal output matches the golden file', async () => {
    const text = [
      failuresText(sampleReport, marking),
      coverageText(sampleReport.coverage, 60, marking),
      summaryText(sampleReport, times, marking),
    ].join('\n');
    await expect(text).toMatchFileSnapshot('../golden/report/terminal.txt');
  });

  it('the JUnit XML matches the golden file', async () => {
    await expect(junitXml(sampleReport)).toMatchFileSnapshot('../golden/report/junit.xml');
  });

  it('the JUnit XML uses only attributes that the published schemas share, and its counts are correct', () => {
    const allowed: Readonly<Record<string, readonly string[]>> = {
      testsuites: ['name', 'time', 'tests', 'failures', 'errors'],
      testsuite: ['name', 'time', 'tests', 'failures', 'errors', 'skipped'],
      testcase: ['name', 'classname', 'time'],
      failure: ['message', 'type'],
      skipped: [],
      'system-out': [],
    };
    const xml = junitXml(sampleReport).replaceAll(/<!\[CDATA\[.*?\]\]>/gs, '');
    const elements = [...xml.matchAll(/<([a-z-]+)((?: [a-z]+="[^"<]*")*)\/?>/g)];
    expect(elements).toHaveLength([...xml.matchAll(/<[a-z]/g)].length);
    for (const [, name = '', written = ''] of elements) {
      const attributes = [...written.matchAll(/ ([a-z]+)="/g)].map(([, attribute]) => attribute);
      expect({ name, unknown: attributes.filter((one = '') => !allowed[name]?.includes(one)) }).toEqual({
        name,
        unknown: [],
      });
    }
    for (const [, time = ''] of nonEmpty(xml.matchAll(/ time="([^"]*)"/g))) expect(time).toMatch(/^\d+(\.\d+)?$/);
  });

  it.each([
    [
      'failures and skips differ',
      ['failed', 'skipped', 'passed', 'failed', 'skipped', 'skipped', 'failed', 'skipped'],
      3,
      4,
    ],
    ['only skips', ['skipped', 'passed', 'skipped'], 0, 2],
    ['only failures', ['failed', 'passed'], 1, 0],
  ] as const)(
    'the JUnit XML counts failures and skips separately, per suite and in total: %s',
    (_what, statuses, failures, skips) => {
      const ofDriver = (driver: string) =>
        statuses.map((status) => ({ ...(status === 'failed' ? failed : passed), driver, status }));
      const xml = junitXml({
        ...sampleReport,
        results: [...ofDriver('model'), ...ofDriver('http'), { ...passed, driver: 'http' }],
      });
      const heads = [
        ...xml.matchAll(
          /<testsuites? name="(\w+)".*? tests="(\d+)" failures="(\d+)" errors="0"(?: skipped="(\d+)")?>/g,
        ),
      ];
      expect(heads.map(([, name, tests, failed, skipped]) => [name, tests, failed, skipped])).toEqual([
        ['nudgelab', String(2 * statuses.length + 1), String(2 * failures), undefined],
        ['model', String(statuses.length), String(failures), String(skips)],
        ['http', String(statuses.length + 1), String(failures), String(skips)],
      ]);
      expect([xml.split('<failure ').length - 1, xml.split('<skipped/>').length - 1]).toEqual([
        2 * failures,
        2 * skips,
      ]);
    },
  );

  it('the Markdown coverage page matches the golden file', async () => {
    await expect(coverageMarkdown(sampleReport.coverage)).toMatchFileSnapshot('../golden/report/coverage.md');
  });

  it('reports are deterministic', () => {
    expect(junitXml(sampleReport)).toBe(junitXml(structuredClone(sampleReport)));
    expect(summaryText(sampleReport, times, plainPalette)).toBe(
      summaryText(structuredClone(sampleReport), times, plainPalette),
    );
  });

  it('a passed run has no failure text', () => {
    expect(failuresText({ ...sampleReport, results: [passed] }, plainPalette)).toBe('');
  });

  it('shows 20 failures in full and only the commands of the others', () => {
    const results = Array.from({ length: 25 }, (_, index) => ({ ...failed, command: `repeat-${index}` }));
    const text = failuresText({ ...sampleReport, results }, plainPalette);
    expect(text.match(/^FAILED /gm)).toHaveLength(20);
    expect(text).toMatch(/5 more failed/);
    for (let index = 0; index < 25; index += 1) expect(text).toContain(`repeat-${index}\n`);
  });

  it('a scenario that ended outside a step names the unfinished step', () => {
    const [first, , last] = failed.steps;
    const stuck = { ...failed, steps: [first, last].filter((step) => step !== undefined), message: 'Too long.' };
    const text = failuresText({ ...sampleReport, results: [stuck] }, plainPalette);
    expect(text).toMatch(/Too long\.\n +scenarios\/snooze\/two\.yaml:9 skip did not finish\n/);
  });

  it('a headline names the step, the line, and the first mismatch', () => {
    expect(failureHeadline(failed)).toBe('patchPolicy, line 8: status: expected 204, got 400');
    expect(failureHeadline({ ...failed, steps: [], message: 'The scenario took longer than 5 ms.' })).toBe(
      'The scenario took longer than 5 ms.',
    );
    expect(failureHeadline({ ...failed, steps: [] })).toContain('R6');
  });

  it('coverage gaps are the outcomes that did not occur, except for stops of permissions', () => {
    expect(coverageGaps(sampleReport.coverage)).toEqual([
      { id: 'R1', missing: 'stopped' },
      { id: 'R5', missing: 'met' },
      { id: 'R2', missing: 'seen' },
    ]);
  });

  it('many coverage gaps are counted instead of named', () => {
    const rules = Array.from({ length: 30 }, (_, index) => ({
      ...(sampleReport.coverage.rules[4] ?? expect.fail()),
      id: `X${index}`,
    }));
    const text = coverageText({ ...sampleReport.coverage, rules }, 80, plainPalette);
    expect(text).toContain('30 rules and outcomes');
    expect(text).not.toContain('X7');
  });
});

describe('report helpers', () => {
  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [1_000, '1.0 s'],
    [59_900, '59.9 s'],
    [125_000, '2 min 5 s'],
  ])('formats %d ms as %s', (durationMs, text) => {
    expect(durationText(durationMs)).toBe(text);
  });

  it.each([
    [{ a: 1 }, { a: 1, b: 2 }, [{ path: '', expected: { a: 1 }, actual: { a: 1, b: 2 } }]],
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, [{ path: 'a.b.1', expected: 2, actual: 3 }]],
    [[1], [1, 2], [{ path: '', expected: [1], actual: [1, 2] }]],
    [{ a: null }, {}, [{ path: 'a', expected: null, actual: undefined }]],
    ['x', 'y', [{ path: '', expected: 'x', actual: 'y' }]],
  ])('lists the differences between %j and %j', (expected, actual, differences) => {
    expect(differencesBetween(expected, actual)).toEqual(differences);
  });
});
