import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { comparisonHtml } from '../../src/report/comparison-html.ts';
import { comparisonLines } from '../../src/report/comparison-text.ts';
import { plainPalette } from '../../src/report/palette.ts';
import { nonEmpty } from '../non-empty.ts';
import { sampleComparison as comparison } from './sample-comparison.ts';

describe('comparison page', () => {
  const text = comparisonHtml(comparison);
  const page = parse(text);

  it('every chart has a title, a legend, and a table with the same values', () => {
    const figures = page.querySelectorAll('figure');
    expect(figures).toHaveLength(8);
    for (const figure of figures) {
      const [title, description] = ['title', 'desc'].map((tag) => figure.querySelector(`svg ${tag}`));
      expect(title?.text).toMatch(/\w+/);
      expect(figure.querySelector('svg')?.getAttribute('aria-labelledby')).toBe(`${title?.id} ${description?.id}`);
      const names = figure.querySelectorAll('thead th').slice(1);
      const drawn = figure.querySelectorAll('svg text').map((text) => text.text);
      for (const name of nonEmpty(names)) expect(drawn).toContain(name.text);
      expect(figure.querySelectorAll('tbody tr').length).toBeGreaterThan(0);
    }
    const rules = figures.find((figure) => figure.querySelector('svg title')?.text === 'Changes by rule');
    expect(rules?.querySelectorAll('tbody tr').map((row) => row.text)).toEqual(['R5 snoozed → prompted1,2345']);
    const days = figures.find((figure) => figure.querySelector('svg title')?.text === 'Prompts per day');
    const lines = days?.querySelectorAll('.legend li').map((line) => line.text.trim());
    expect(lines).toEqual(['baseline', 'variant', 'required']);
    // The chart has two bars, and the legend has two boxes.
    expect(rules?.querySelectorAll('rect')).toHaveLength(4);
  });

  it('names are escaped, and the page loads no resources and runs no scripts', () => {
    expect(text).not.toContain('<script');
    expect(text).not.toMatch(/<b>sales|src=|href="(?!data:text\/csv)/);
    expect(text).toContain("default-src 'none'");
    const ids = page.querySelectorAll('[id]').map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(page.querySelector('h1')?.text).toContain('passkeys');
  });

  it('the page supports both color schemes, declares its language, and skips no heading level', () => {
    expect(text).toContain('prefers-color-scheme:dark');
    expect(page.querySelector('html')?.getAttribute('lang')).toBe('en');
    const levels = page.querySelectorAll('h1,h2,h3,h4').map(({ rawTagName }) => Number(rawTagName.slice(1)));
    for (const [index, level] of nonEmpty(levels.slice(1).entries()))
      expect(level - (levels[index] ?? 0)).toBeLessThanOrEqual(1);
  });

  it('the terminal output contains the same numbers', () => {
    const lines = comparisonLines(comparison, plainPalette).join('\n');
    expect(lines).toMatch(/R5 snoozed → prompted +1,234 +5/);
    expect(lines).toMatch(/prompted, variant +9 +5/);
    expect(lines).toContain('warning campaign-reaches-nobody (C1): No one is asked.');
    expect(lines).toContain('Users required at their next sign-in: 7 if applied now, and 1 more after their snooze');
  });
});
