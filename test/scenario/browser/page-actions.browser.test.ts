import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PageActions } from '../../../src/scenario/drivers/browser/page-actions.ts';
import { sharedBrowser } from '../../shared-browser.ts';

/** What cannot be done is given up after this time, in ms; what can be done has the time that a busy machine needs. */
const shortMs = 300;
const longMs = 10_000;
const press = { kind: 'button', name: 'Go on' } as const;
const said = `onclick="document.title += this.id + event.isTrusted"`;

describe('hands at a page', () => {
  let browser: Browser;
  let page: Page;
  let hands: PageActions;

  beforeAll(async () => {
    browser = await sharedBrowser();
    page = await browser.newPage();
    hands = new PageActions(page);
  });
  afterAll(() => page.close());
  beforeEach(() => {
    page.setDefaultTimeout(longMs);
    return page.goto('about:blank');
  });

  it.each([
    ['a text', '<button>Go  on</button>', true],
    ['a label of its own', '<button aria-label="Go on">→</button>', true],
    ['a label elsewhere', '<p id="l">Go on</p><button aria-labelledby="l">→</button>', true],
    ['a button that sends', '<input type="submit" aria-label="Go on">', true],
    ['a longer text', '<button>Go on now</button>', false],
    ['another case', '<button>go on</button>', false],
    ['a label that hides the text', '<button aria-label="Stop">Go on</button>', false],
    ['no button', '<p>Go on</p>', false],
    ['a button that is not shown', '<button style="display: none">Go on</button>', false],
    ['a button in something closed', '<details><summary>More</summary><button>Go on</button></details>', false],
    ['an invisible button', '<button style="visibility: hidden">Go on</button>', false],
  ])('sees a button by its name alone, as Playwright does: %s', async (_what, body, there) => {
    await page.setContent(body);
    expect(await hands.sees(press)).toBe(there);
    expect(await page.getByRole('button', { name: 'Go on', exact: true }).first().isVisible()).toBe(there);
  });

  it('presses with a real mouse, below the edge of the window too', async () => {
    await page.setContent(`<div style="height: 5000px"></div><button id="far" ${said}>Go on</button>`);
    await hands.press(press);
    expect(await page.title()).toBe('fartrue');
  });

  it.each([
    ['is covered', `<div style="position: fixed; inset: 0"></div><button id="a" ${said}>Go on</button>`],
    ['is disabled', `<button id="a" disabled ${said}>Go on</button>`],
    ['is inert', `<div inert><button id="a" ${said}>Go on</button></div>`],
    ['is one of two', `<button id="a" ${said}>Go on</button><button id="b" ${said}>Go on</button>`],
    ['is not there', '<p>Go on</p>'],
  ])('driver-failed: refuses to press a button that %s', async (_what, body) => {
    await page.setContent(body);
    page.setDefaultTimeout(shortMs);
    await expect(hands.press(press)).rejects.toThrow();
    expect(await page.title()).toBe('');
  });

  it('presses the first of several where that is asked for', async () => {
    await page.setContent(`<button id="a" ${said}>Go on</button><button id="b" ${said}>Go on</button>`);
    await hands.press({ ...press, first: true });
    expect(await page.title()).toBe('atrue');
  });

  it('waits for a button that comes later', async () => {
    await page.setContent(
      `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button onclick="document.title = 1">Go on</button>'), 50)</script>`,
    );
    await hands.press(press);
    expect(await page.title()).toBe('1');
  });

  it('waits for the style of the page, which may move the button', async () => {
    const answered = Promise.withResolvers<void>();
    await page.route('**/late.css', async (route) => {
      await answered.promise;
      await route.fulfill({ contentType: 'text/css', body: 'button { margin-top: 400px }' });
    });
    await page.route('**/page', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<link rel="stylesheet" href="/late.css"><button id="a" ${said}>Go on</button>`,
      }),
    );
    await page.goto('http://localhost:1/page', { waitUntil: 'domcontentloaded' });
    const locators = vi.spyOn(page, 'getByRole');
    const pressed = hands.press(press);
    answered.resolve();
    await pressed;
    await expect.poll(() => page.title()).toBe('atrue');
    expect(locators).not.toHaveBeenCalled();
    await page.unrouteAll();
  });

  it('types in place of what stands in a field, and tells the page', async () => {
    const heard = 'oninput="document.title += event.inputType"';
    await page.setContent(`<label>Name <input value="old" ${heard}></label><label>Name of it <input></label>`);
    await hands.enter({ kind: 'field', name: 'Name' }, 'new');
    expect(await page.locator('input').first().inputValue()).toBe('new');
    expect(await page.title()).toBe('insertText');
    await hands.enter({ kind: 'field', name: 'Name' }, '');
    expect(await page.locator('input').first().inputValue()).toBe('');
  });

  it.each([
    ['may not be changed', '<label>Name <input readonly value="old"></label>'],
    ['is disabled', '<label>Name <input disabled value="old"></label>'],
    ['has another label', '<label>Names <input value="old"></label>'],
  ])('driver-failed: refuses to type into a field that %s', async (_what, body) => {
    await page.setContent(body);
    page.setDefaultTimeout(shortMs);
    await expect(hands.enter({ kind: 'field', name: 'Name' }, 'new')).rejects.toThrow();
    expect(await page.locator('input').inputValue()).toBe('old');
  });
});
