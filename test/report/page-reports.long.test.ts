import { validate } from 'ctrf';
import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import type { RunReport, ScenarioResult, StepResult } from '../../src/contract/result.schema.ts';
import { workflowAnnotations } from '../../src/report/annotations.ts';
import { ctrfReport } from '../../src/report/ctrf.ts';
import { reportHtml } from '../../src/report/html-report.ts';
import { changesSince, flakyIn } from '../../src/report/run-changes.ts';
import { summaryMarkdown } from '../../src/report/summary-markdown.ts';
import { sampleReport } from './sample-report.ts';

const endedAtMs = Date.UTC(2026, 0, 5, 9);
const [passed, failed, skipped] = sampleReport.results;
if (passed === undefined || failed === undefined || skipped === undefined)
  throw new RangeError('The sample is too small.');

function createReport(results: readonly ScenarioResult[]): RunReport {
  const count = (wanted: ScenarioResult['status']): number => results.filter(({ status }) => status === wanted).length;
  const summary = { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), durationMs: 12 };
  return { ...sampleReport, summary, results };
}

describe('changes since an earlier run', () => {
  const other = { ...failed, id: 'other.yaml' };
  const earlier = createReport([passed, failed, { ...other, status: 'passed' }, { ...skipped, id: 'gone.yaml' }]);
  const now = createReport([passed, { ...failed, status: 'passed' }, other, { ...passed, id: 'new.yaml' }]);
  const ids = (results: readonly ScenarioResult[]): readonly string[] => results.map(({ id }) => id);

  it('reports new failures, fixed and still failing scenarios, and added and removed ones', () => {
    const { newlyFailed, fixed, stillFailed, added, removed } = changesSince(earlier, now);
    expect([ids(newlyFailed), ids(fixed), ids(stillFailed)]).toEqual([[other.id], [failed.id], []]);
    expect([added, removed]).toEqual([1, 1]);
    expect(ids(changesSince(now, now).stillFailed)).toEqual([other.id]);
  });

  it('treats the same scenario on another driver as a separate result', () => {
    const onModel = { ...failed, driver: 'model' };
    expect(ids(changesSince(createReport([onModel]), createReport([failed])).newlyFailed)).toEqual([failed.id]);
  });

  it('a scenario that both passed and failed in one run is flaky, in either order', () => {
    const green = { ...failed, status: 'passed' as const };
    expect(ids(flakyIn(createReport([green, failed, passed])))).toEqual([failed.id]);
    expect(ids(flakyIn(createReport([failed, failed, green])))).toEqual([failed.id]);
    expect(flakyIn(createReport([failed, failed, passed]))).toEqual([]);
  });
});

describe('CTRF', () => {
  it('the report is valid for the official CTRF validator and has the counts of the run', () => {
    const report = ctrfReport(sampleReport, endedAtMs);
    expect(validate(report)).toMatchObject({ valid: true });
    expect(report).toMatchObject({
      results: { summary: { tests: 3, passed: 1, failed: 1, skipped: 1, stop: endedAtMs }, tool: { name: 'nudgelab' } },
    });
  });

  it('the validator rejects an invalid report', () => {
    const report = ctrfReport(sampleReport, endedAtMs) as { results: object };
    expect(validate({ ...report, results: { ...report.results, summary: {} } }).valid).toBe(false);
  });

  it('the report contains the reason for a failure', () => {
    const { results } = ctrfReport(sampleReport, endedAtMs) as {
      results: { tests: { message?: string; trace?: string }[] };
    };
    expect(results.tests[1]?.message).toContain('expected 204, got 400');
    expect(results.tests[1]?.trace).toContain(failed.command);
  });
});

describe('workflow annotations', () => {
  it('name file and line and escape special characters in texts', () => {
    const odd = { ...failed, name: 'Ends: here, 100%\nand ::there::', file: 'a,b:c.yaml' };
    const [line = '', ...more] = workflowAnnotations([passed, odd]);
    expect(more).toEqual([]);
    expect(line).toMatch(
      /^::error file=a%2Cb%3Ac\.yaml,line=8,title=Ends%3A here%2C 100%25%0Aand %3A%3Athere%3A%3A \(http\)::/,
    );
    expect(line).not.toContain('\n');
  });

  it('annotates 50 failures and counts the others', () => {
    const lines = workflowAnnotations(Array.from({ length: 60 }, () => failed));
    expect([lines.length, lines.at(-1)]).toEqual([51, '::notice::10 more scenarios failed.']);
  });
});

describe('Markdown summary', () => {
  it('scenario texts cannot end a table cell or become markup', () => {
    const text = summaryMarkdown(createReport([{ ...failed, id: 'a|b<img>.yaml' }]), null);
    expect(text).toContain('a\\|b\\<img\\>.yaml');
    expect(text).toContain('# 1 of 1 scenarios failed');
  });
});

describe('HTML report', () => {
  it('contains no external URLs and shows every scenario', () => {
    const text = reportHtml(sampleReport, { changes: changesSince(sampleReport, sampleReport) });
    expect(parse(text).querySelector('.scenarios .filmstrip li')?.text).toBe('signIn not-nudged snoozed');
    expect(text).not.toMatch(/https?:\/\//);
    expect(parse(text).querySelectorAll('.scenarios tbody:not(.group)')).toHaveLength(sampleReport.results.length);
    expect(parse(text).querySelector('article.failed .command')?.text).toBe(failed.command);
  });

  it('groups scenarios by folder and driver, and counts each group', () => {
    const other = { ...passed, id: 'scenarios/scope/three.yaml', file: 'scenarios/scope/three.yaml' };
    const page = parse(reportHtml(createReport([passed, other, failed, { ...passed, id: 'x' }]), { changes: null }));
    const rows = page.querySelectorAll('.scenarios tbody');
    const shown = rows.map((row) => [row.getAttribute('class'), row.querySelector('code')?.text]);
    expect(shown).toEqual([
      ['group', 'scenarios/snooze'],
      ['passed', passed.id],
      ['passed', 'x'],
      ['group', 'scenarios/snooze'],
      ['failed', failed.id],
      ['group', 'scenarios/scope'],
      ['passed', other.id],
    ]);
    const headings = page.querySelectorAll('.group th').map(({ text }) => text);
    expect(headings).toEqual([
      'scenarios/snooze on model 2 passed',
      'scenarios/snooze on http 1 failed',
      'scenarios/scope on model 1 passed',
    ]);
  });

  it('states date, version and virtual clocks, if it knows them', () => {
    const [early, late] = [Date.UTC(2026, 0, 5, 9), Date.UTC(2026, 2, 1)];
    const textFor = (virtualMs: readonly number[]) =>
      parse(
        reportHtml(createReport([passed]), {
          changes: null,
          origin: { endedAtMs: Date.UTC(2026, 10, 23, 22, 31, 59), version: '1.2.3', virtualMs },
        }),
      ).querySelector('p.quiet')?.text;
    expect(textFor([late, early])).toContain('Run on 2026-11-23 22:31 UTC with NudgeLab 1.2.3.');
    expect(textFor([late, early])).toContain(
      'Virtual clocks start between 2026-01-05 09:00 UTC and 2026-03-01 00:00 UTC.',
    );
    expect(textFor([early, early])).toContain('Virtual clocks start at 2026-01-05 09:00 UTC.');
    expect(textFor([])).not.toContain('Virtual');
  });

  it('defines each screen and action once, and filmstrips use only these definitions', () => {
    const page = parse(reportHtml(sampleReport, { changes: null }));
    const drawn = page.querySelectorAll('symbol').map(({ id }) => id);
    const named = page.querySelectorAll('.filmstrip use').map((use) => use.getAttribute('href')?.slice(1) ?? '');
    expect(new Set(drawn)).toEqual(new Set(named));
    expect(drawn).toHaveLength(new Set(drawn).size);
    const frames = page.querySelectorAll('article .filmstrip li');
    expect(frames.map(({ text }) => text)).toEqual([
      'signIn account-picker, name, password, code, terms-of-use, prompt',
      'patchPolicy snoozed',
      'skip',
    ]);
    expect(frames.map((frame) => frame.querySelectorAll('use').length)).toEqual([6, 1, 0]);
  });

  it('the images of passkey prompts and app prompts differ', () => {
    const drawn = (['fido2', 'vendorAuthenticator'] as const).map((method) => {
      const steps = [{ ...passed.steps[0], kind: 'signIn', line: 5, page: 'prompt', method } as StepResult];
      return parse(reportHtml(createReport([{ ...passed, steps }]), { changes: null })).querySelector('symbol')
        ?.innerHTML;
    });
    expect(new Set(drawn).size).toBe(2);
  });

  it('contains screenshots of failures as long as the size limit allows', () => {
    const evidence = ['browser/x/tab-1.png', 'browser/x/tab-1.webp'];
    const results = Array.from({ length: 1_000 }, (_, index) => ({ ...failed, id: `${index}.yaml`, evidence }));
    const shotIn = (file: string): string | null =>
      file.endsWith('.webp') ? `data:image/webp;base64,${'A'.repeat(30_000)}` : null;
    const text = reportHtml(createReport(results), { changes: null, shotIn });
    expect(Buffer.byteLength(text)).toBeLessThan(2_000_000);
    const shots = parse(text).querySelectorAll('article .filmstrip img');
    expect(shots.length).toBeGreaterThan(5);
    expect(shots[0]?.getAttribute('src')).toBe(shotIn(evidence[1] ?? ''));
    expect(parse(text).querySelectorAll('article a')[0]?.getAttribute('href')).toBe(evidence[0]);
    expect(text).not.toContain('tab-1.webp');
  });

  it('stays below the size limit with 1,000 scenarios of 40 steps each', () => {
    const [step] = failed.steps;
    const steps = Array.from({ length: 40 }, () => step as StepResult);
    const results = Array.from({ length: 1_000 }, (_, index) => ({ ...passed, id: `${index}.yaml`, steps }));
    const page = reportHtml(createReport(results), { changes: null });
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
    const rows = parse(page).querySelectorAll('.scenarios tbody:not(.group)');
    expect(rows[0]?.querySelectorAll('.filmstrip li')).toHaveLength(40);
    expect(rows.at(-1)?.text).toContain('40 steps');
  });

  it('scenario texts cannot become markup', () => {
    const name = '"><script>alert(1)</script>';
    const text = reportHtml(createReport([{ ...failed, name, message: name, tags: [name], evidence: [name] }]), {
      changes: null,
    });
    expect(parse(text).querySelectorAll('script')).toHaveLength(1);
    expect(parse(text).querySelector('h3')?.text).toBe(name);
  });

  it('is smaller than 2 MB with 1,000 scenarios', () => {
    const results = Array.from({ length: 1_000 }, (_, index) => ({
      ...(index % 10 === 0 ? failed : passed),
      id: `scenarios/many-${index}.yaml`,
    }));
    expect(Buffer.byteLength(reportHtml(createReport(results), { changes: null }))).toBeLessThan(2_000_000);
  });

  it('stays below the size limit with 1,000 failed scenarios and contains the command of each', () => {
    const saw = { state: 'enabled', targets: ['all-users'], elapsedMs: 3_600_000, snoozeDays: 1 };
    const rules = Array.from({ length: 30 }, () => ({ id: 'R13.1' as const, outcome: 'met' as const, saw }));
    const results = Array.from({ length: 1_000 }, (_, index) => ({
      ...failed,
      id: `scenarios/many/${index}.yaml`,
      command: `nudgelab run scenarios/many/${index}.yaml --driver http`,
      steps: failed.steps.map((step) => (step.status === 'failed' ? { ...step, rules } : step)),
    }));
    const text = reportHtml(createReport(results), { changes: null });
    expect(Buffer.byteLength(text)).toBeLessThan(2_000_000);
    const articles = parse(text).querySelectorAll('article.failed');
    expect(articles.map((article) => article.querySelector('.command')?.text)).toEqual(
      results.map(({ command }) => command),
    );
    expect(articles.at(0)?.querySelector('.trace')).not.toBeNull();
    expect(articles.at(-1)?.querySelector('.trace')).toBeNull();
    expect(articles.at(-1)?.text).toContain('expected 204, got 400');
  });

  it('is deterministic', () => {
    expect(reportHtml(structuredClone(sampleReport), { changes: null })).toBe(
      reportHtml(sampleReport, { changes: null }),
    );
  });
});
