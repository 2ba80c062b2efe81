import axe from 'axe-core';
import { parse } from 'node-html-parser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import type { SuiteCoverage } from '../../src/contract/suite-coverage.ts';
import { coveredMachine } from '../../src/generate/covered-charts.ts';
import { machineSuite } from '../../src/generate/machine-suite.ts';
import { suitePageHtml } from '../../src/report/suite-page.ts';
import { launchBrowser } from '../../src/scenario/drivers/browser/browser-process.ts';
import { findBrowser } from '../../src/scenario/drivers/browser/find-browser.ts';

const door = createMachine({
  id: 'door',
  initial: 'closed',
  on: { inspected: {} },
  states: {
    closed: { on: { opened: 'open', locked: 'locked' } },
    open: { on: { closed: 'closed' }, initial: 'ajar', states: { ajar: { on: { pushed: 'wide' } }, wide: {} } },
    locked: { on: { unlocked: 'closed', broken: 'gone' } },
    gone: { type: 'final' },
  },
});
const events = ['opened', 'closed', 'locked', 'unlocked', 'pushed', 'inspected'].map((type) => ({ type }));
const suite = machineSuite({ name: 'door', machine: door, events } as never, 'transitions', null);
const chart = coveredMachine(suite);

const coverage: SuiteCoverage = {
  title: 'door <transitions>',
  certificate: ['1 test, 5 steps'],
  complete: false,
  unreachable: ['the moon'],
  charts: [chart],
  array: {
    factors: ['os', 'browser', 'guest'],
    rows: [
      ['windows', 'edge', 'yes'],
      ['ios', 'safari', 'no'],
    ],
    pairs: [
      { one: 'os', other: 'browser', possible: 3, covered: 2 },
      { one: 'os', other: 'guest', possible: 2, covered: 2 },
      { one: 'browser', other: 'guest', possible: 2, covered: 2 },
    ],
  },
};

describe('the chart of a machine', () => {
  it('has every state and transition of the machine itself, and counts what tests took', () => {
    expect(chart.states.map(({ id }) => id)).toEqual(['closed', 'open', 'open.ajar', 'open.wide', 'locked', 'gone']);
    expect(chart.states.filter(({ times }) => times === 0).map(({ id }) => id)).toEqual(['gone']);
    expect(chart.states.filter(({ isFinal }) => isFinal).map(({ id }) => id)).toEqual(['gone']);
    const never = chart.transitions.filter(({ times }) => times === 0).map(({ from, event }) => `${from} ${event}`);
    expect(never.toSorted()).toEqual(['any state inspected', 'locked broken']);
    const taken = chart.transitions.reduce((sum, { times }) => sum + times, 0);
    expect(taken).toBe(suite.certificate.steps);
  });
});

describe('the page of a suite', () => {
  const page = parse(suitePageHtml(coverage));
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser(await findBrowser(process.env));
  }, 60_000);

  afterAll(() => browser.close());

  it('says in tables what the picture shows, and asks no network for anything', () => {
    const rows = page.querySelectorAll('[aria-label="Transitions of door"] tbody tr');
    expect(rows).toHaveLength(chart.transitions.length);
    expect(rows.filter((row) => row.classNames.includes('not-taken'))).toHaveLength(2);
    expect(page.querySelectorAll('.pairs .part').map(({ text }) => text.trim())).toEqual(['✗ 2/3', '✗ 2/3']);
    expect(page.querySelectorAll('[src], [href], link, script, iframe')).toEqual([]);
    expect(page.querySelector('h1')?.innerHTML).toContain('&#60;transitions&#62;');
  });

  it('draws each state once, inside of the picture', () => {
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

  it('axe: nothing is found, in light and dark, wide and narrow', async () => {
    const shown = await browser.newPage();
    await shown.setContent(suitePageHtml(coverage));
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1_280, 390]) {
        await shown.emulateMedia({ colorScheme });
        await shown.setViewportSize({ width, height: 900 });
        await shown.evaluate(axe.source);
        const found = await shown.evaluate(
          `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
            violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
        );
        expect([colorScheme, width, found]).toEqual([colorScheme, width, []]);
      }
    }
    await shown.close();
  }, 60_000);

  it('can be scrolled by keys: every part that scrolls takes the focus and has a name', () => {
    const parts = page.querySelectorAll('.board, .scroll');
    expect(parts.length).toBe(5);
    expect(parts.every((part) => part.getAttribute('tabindex') === '0' && part.hasAttribute('aria-label'))).toBe(true);
  });
});
