import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { suitePageHtml } from '../../src/report/suite-page.ts';
import { chart, coverage, suite } from './sample-suite.ts';

describe('chart of a machine', () => {
  it('contains every state and transition of the machine and counts their executions by tests', () => {
    expect(chart.states.map(({ id }) => id)).toEqual(['closed', 'open', 'open.ajar', 'open.wide', 'locked', 'gone']);
    expect(chart.states.filter(({ times }) => times === 0).map(({ id }) => id)).toEqual(['gone']);
    expect(chart.states.filter(({ isFinal }) => isFinal).map(({ id }) => id)).toEqual(['gone']);
    const never = chart.transitions.filter(({ times }) => times === 0).map(({ from, event }) => `${from} ${event}`);
    expect(never.toSorted()).toEqual(['any state inspected', 'locked broken']);
    const taken = chart.transitions.reduce((sum, { times }) => sum + times, 0);
    expect(taken).toBe(suite.sizeProof.steps);
  });
});

describe('suite page', () => {
  const page = parse(suitePageHtml(coverage));

  it('shows the content of the chart in tables and loads no resources', () => {
    const rows = page.querySelectorAll('[aria-label="Transitions of door"] tbody tr');
    expect(rows).toHaveLength(chart.transitions.length);
    expect(rows.filter((row) => row.classNames.includes('not-taken'))).toHaveLength(2);
    expect(page.querySelectorAll('.pairs .part').map(({ text }) => text.trim())).toEqual(['✗ 2/3', '✗ 2/3']);
    expect(page.querySelectorAll('[src], [href], link, script, iframe')).toEqual([]);
    expect(page.querySelector('h1')?.innerHTML).toContain('&#60;transitions&#62;');
  });

  it('draws each state once, within the bounds of the chart', () => {
    const [, , width = 0, height = 0] = (page.querySelector('svg[role=img]')?.getAttribute('viewBox') ?? '')
      .split(' ')
      .map(Number);
    const boxes = page.querySelectorAll('rect.state');
    expect(boxes).toHaveLength(chart.states.length + 1);
    for (const box of boxes) {
      expect(Number(box.getAttribute('x')) + Number(box.getAttribute('width'))).toBeLessThanOrEqual(width);
      expect(Number(box.getAttribute('y')) + Number(box.getAttribute('height'))).toBeLessThanOrEqual(height);
    }
  });

  it('every scrollable part can be focused with the keyboard and has a name', () => {
    const parts = page.querySelectorAll('.board, .scroll');
    expect(parts.length).toBe(5);
    expect(parts.every((part) => part.getAttribute('tabindex') === '0' && part.hasAttribute('aria-label'))).toBe(true);
  });
});
