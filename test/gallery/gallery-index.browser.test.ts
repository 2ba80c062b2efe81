import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../cli/command-context.ts';
import { nonEmpty } from '../non-empty.ts';
import { sharedBrowser } from '../shared-browser.ts';

describe('index of the gallery in a browser', { timeout: 240_000 }, () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nudgelab-gallery-'));
    const args = ['gallery', '--out', '.', '--brand', 'dark-color', '--language', 'ar'];
    expect((await runHere(args, { cwd: folder })).code).toBe(0);
  }, 120_000);

  it('axe: it has no findings in light and dark, wide and narrow, and does not scroll sideways', async () => {
    const page = await (await sharedBrowser()).newPage();
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    await page.evaluate(axe.source);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1_280, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        const found = await page.evaluate(
          `axe.run(document, { resultTypes: ['violations'], iframes: false }).then(({ violations }) =>
            violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
        );
        expect([colorScheme, width, found]).toEqual([colorScheme, width, []]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
    }
    await page.close();
  });

  it('086: the keyboard reaches the links and details of the index, and nothing inside the previews', async () => {
    const page = await (await sharedBrowser()).newPage();
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    const focused: string[] = [];
    for (let stop = 0; stop < 6; stop += 1) {
      await page.keyboard.press('Tab');
      focused.push(await page.evaluate('document.activeElement.tagName'));
    }
    expect(nonEmpty(focused).filter((name) => !['A', 'SUMMARY'].includes(name))).toEqual([]);
    await page.close();
  });

  it('086: a page has its scheme whatever the browser prefers', async () => {
    const page = await (await sharedBrowser()).newPage({ colorScheme: 'light' });
    const ground = async (scheme: string): Promise<string> => {
      const file = join(folder, `pages/dark-color.ar.${scheme}.prompt-app.html`);
      await page.goto(pathToFileURL(file).href);
      return page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    };
    expect([await ground('light'), await ground('dark')]).toEqual(['rgb(244, 245, 248)', 'rgb(15, 19, 24)']);
    await page.close();
  });
});
