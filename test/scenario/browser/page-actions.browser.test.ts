import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PageActions } from '../../../src/scenario/drivers/browser/page-actions.ts';
import { sharedBrowser } from '../../shared-browser.ts';

/**
 * Time limit in milliseconds for impossible actions. Possible actions keep the longer limit that a busy machine
 * needs.
 */
const shortMs = 300;
const longMs = 10_000;
const go = { control: 'go' } as const;
const said = `data-control="go" onclick="document.title += this.id + event.isTrusted"`;

describe('actions on a page', () => {
  let browser: Browser;
  let page: Page;
  let actions: PageActions;

  beforeAll(async () => {
    browser = await sharedBrowser();
    page = await browser.newPage();
    actions = new PageActions(page);
  });
  afterAll(() => page.close());
  beforeEach(() => {
    page.setDefaultTimeout(longMs);
    return page.goto('about:blank');
  });

  it('presses with real mouse events, including below the visible area', async () => {
    await page.setContent(`<div style="height: 5000px"></div><button id="far" ${said}>Go on</button>`);
    await actions.press(go);
    expect(await page.title()).toBe('fartrue');
  });

  it.each([
    ['is covered', `<div style="position: fixed; inset: 0"></div><button id="a" ${said}>Go on</button>`],
    ['is disabled', `<button id="a" disabled ${said}>Go on</button>`],
    ['is inert', `<div inert><button id="a" ${said}>Go on</button></div>`],
    ['is one of two', `<button id="a" ${said}>Go on</button><button id="b" ${said}>Go on</button>`],
    ['is hidden', `<button id="a" style="display: none" ${said}>Go on</button>`],
    ['is invisible', `<button id="a" style="visibility: hidden" ${said}>Go on</button>`],
    ['is in a closed part', `<details><summary>More</summary><button id="a" ${said}>Go on</button></details>`],
    ['has another name', `<button id="a" onclick="document.title = 1" data-control="going">Go on</button>`],
    ['is missing', '<p>Go on</p>'],
  ])('driver-failed: rejects pressing a button that %s', async (_what, body) => {
    await page.setContent(body);
    page.setDefaultTimeout(shortMs);
    await expect(actions.press(go)).rejects.toThrow();
    expect(await page.title()).toBe('');
  });

  it('presses the first of several matches if requested', async () => {
    await page.setContent(`<button id="a" ${said}>Go on</button><button id="b" ${said}>Go on</button>`);
    await actions.press({ ...go, first: true });
    expect(await page.title()).toBe('atrue');
  });

  it('presses the option with a value, and selects from a list', async () => {
    const option = (value: string) =>
      `<label><input type="radio" name="o" data-control="go" value="${value}"> ${value}</label>`;
    await page.setContent(
      `${option('a')}${option('b')}<select data-control="list"><option value="x"><option value="y"></select>`,
    );
    await actions.press({ ...go, value: 'b' });
    await actions.select({ control: 'list' }, 'y');
    expect(await page.locator('input:checked').inputValue()).toBe('b');
    expect(await page.locator('select').inputValue()).toBe('y');
  });

  it('waits for a button that appears later', async () => {
    await page.setContent(
      `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button data-control="go" onclick="document.title = 1">Go on</button>'), 50)</script>`,
    );
    await actions.press(go);
    expect(await page.title()).toBe('1');
  });

  it('waits for the stylesheet, which may move the button', async () => {
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
    const locators = vi.spyOn(page, 'locator');
    const pressed = actions.press(go);
    answered.resolve();
    await pressed;
    await expect.poll(() => page.title()).toBe('atrue');
    expect(locators).not.toHaveBeenCalled();
    await page.unrouteAll();
  });

  it('replaces the text of a field and fires its input events', async () => {
    const heard = 'oninput="document.title += event.inputType"';
    await page.setContent(
      `<label>Name <input data-control="name" value="old" ${heard}></label><label>Name of it <input></label>`,
    );
    await actions.enter({ control: 'name' }, 'new');
    expect(await page.locator('input').first().inputValue()).toBe('new');
    expect(await page.title()).toBe('insertText');
    await actions.enter({ control: 'name' }, '');
    expect(await page.locator('input').first().inputValue()).toBe('');
  });

  it.each([
    ['may not be changed', '<label>Name <input data-control="name" readonly value="old"></label>'],
    ['is disabled', '<label>Name <input data-control="name" disabled value="old"></label>'],
    ['has another name', '<label>Name <input data-control="names" value="old"></label>'],
  ])('driver-failed: rejects typing into a field that %s', async (_what, body) => {
    await page.setContent(body);
    page.setDefaultTimeout(shortMs);
    await expect(actions.enter({ control: 'name' }, 'new')).rejects.toThrow();
    expect(await page.locator('input').inputValue()).toBe('old');
  });
});
