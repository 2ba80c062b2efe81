import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import type { Changes, ComparedVariant, Comparison } from '../../src/contract/comparison.schema.ts';
import { comparisonHtml } from '../../src/report/comparison-html.ts';
import { comparisonLines } from '../../src/report/comparison-text.ts';
import { plainPalette } from '../../src/report/palette.ts';

const changes = (asked: number): Changes => ({
  attempts: 20,
  askedBefore: 4,
  askedAfter: asked,
  requiredBefore: 0,
  requiredAfter: 2,
  newlyAsked: asked - 4,
  noLongerAsked: 0,
  newlyRequired: 2,
  noLongerRequired: 0,
});
const split = { certain: changes(9), assumed: changes(5) };
const asked = { outcome: 'skippable', reason: null, rule: null } as const;
const stopped = { outcome: 'none', reason: 'snoozed', rule: 'R5' } as const;

function variant(name: string): ComparedVariant {
  return {
    name,
    ruleset: 'seed',
    totals: split,
    users: { all: 5, changed: 3, newlyAsked: 2, noLongerAsked: 0, newlyRequired: 1 },
    requiredNext: { ifSwitchedOnNow: { users: 7, insideSnooze: 1 }, hadItBeenOn: { users: 0, insideSnooze: 0 } },
    answers: { applied: 3, orphaned: 1, assumed: 2 },
    byRule: [
      { before: asked, after: asked, certain: 9, assumed: 0 },
      { before: stopped, after: asked, certain: 1_234, assumed: 5 },
    ],
    byPlatform: { 'windows-chrome': split, ios: split },
    byGroup: { '<b>sales</b>': split },
    byDay: { '2026-01-05': split, '2026-01-06': split },
    warnings: [{ code: 'campaign-reaches-nobody', rule: 'C1', message: 'Nobody is asked.' }],
  };
}

const comparison: Comparison = {
  source: 'tenant & co',
  kind: 'import',
  from: '2026-01-05T09:00:00.000Z',
  to: '2026-01-06T09:00:00.000Z',
  attempts: 40,
  users: 5,
  assume: 'skip',
  baseRuleset: 'seed',
  baseWarnings: [],
  variants: [variant('passkeys'), variant('<script>alert(1)</script>')],
};

describe('the page of a comparison', () => {
  const text = comparisonHtml(comparison);
  const page = parse(text);

  it('every chart has a name, a legend and a table with the same values behind it', () => {
    const figures = page.querySelectorAll('figure');
    expect(figures).toHaveLength(8);
    for (const figure of figures) {
      expect(figure.querySelector('svg')?.getAttribute('aria-label')).toMatch(/\w+\. \w+/);
      expect(figure.querySelectorAll('.legend li')).toHaveLength(figure.querySelectorAll('thead th').length - 1);
      expect(figure.querySelectorAll('tbody tr').length).toBeGreaterThan(0);
    }
    const rules = figures.find((figure) => figure.querySelector('h3')?.text === 'What changes, by rule');
    expect(rules?.querySelectorAll('tbody tr').map((row) => row.text)).toEqual(['R5 snoozed → asked1,2345']);
    expect(rules?.querySelectorAll('rect')).toHaveLength(2);
  });

  it('names are text, whatever stands in them, and nothing is loaded or run', () => {
    expect(text).not.toContain('<script');
    expect(text).not.toMatch(/<b>sales|src=|href=/);
    expect(text).toContain("default-src 'none'");
    expect(page.querySelectorAll('[id]')).toHaveLength(0);
    expect(page.querySelector('h1')?.text).toContain('passkeys');
  });

  it('both schemes and a language are there, and headings go down one by one', () => {
    expect(text).toContain('prefers-color-scheme:dark');
    expect(page.querySelector('html')?.getAttribute('lang')).toBe('en');
    const levels = page.querySelectorAll('h1,h2,h3,h4').map(({ rawTagName }) => Number(rawTagName.slice(1)));
    for (const [index, level] of levels.slice(1).entries()) expect(level - (levels[index] ?? 0)).toBeLessThanOrEqual(1);
  });

  it('the terminal is told the same numbers', () => {
    const lines = comparisonLines(comparison, plainPalette).join('\n');
    expect(lines).toMatch(/R5 snoozed → asked +1,234 +5/);
    expect(lines).toMatch(/asked after +9 +5/);
    expect(lines).toContain('warning campaign-reaches-nobody (C1): Nobody is asked.');
    expect(lines).toContain(
      'Users required at their next sign-in: 7 if it were switched on now, and 1 after their snooze',
    );
  });
});
