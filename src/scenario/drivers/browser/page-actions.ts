import type { Locator, Page } from 'playwright-core';
import { NudgeLabError } from '../../../core/errors.ts';
import { inTime } from './device-context.ts';
import { findPart, type PagePart, type PartSpot, type PartUse } from './page-parts.ts';

/**
 * User actions on a page with a real mouse and keyboard. A small function in the page finds parts that are visible
 * and ready. All other cases use the locators of Playwright, which wait for the part and report problems. Locators
 * add a large script to every document, which costs more than rendering the page.
 */
export class PageActions {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Presses a button, a link or an option. Throws Playwright's own error if it cannot be pressed in time. */
  async press(part: PagePart): Promise<void> {
    const spot = await this.#find(part, 'press');
    if (spot === null) await this.#locator(part).click({ noWaitAfter: true });
    else await inTime(`click on "${part.control}"`, this.#page.mouse.click(spot.x, spot.y));
  }

  /** Replaces the text of a field. Throws Playwright's own error if it cannot be filled in time. */
  async enter(part: PagePart, text: string): Promise<void> {
    const spot = text === '' ? null : await this.#find(part, 'enter');
    if (spot === null) await this.#locator(part).fill(text);
    else await inTime(`input into "${part.control}"`, this.#page.keyboard.insertText(text));
  }

  /** Selects an option of a list by its value. */
  async select(part: PagePart, value: string): Promise<void> {
    await this.#locator(part).selectOption(value);
  }

  /**
   * Finds a part that is ready. Throws `driver-failed` if it has no accessible name, because some users could not
   * find it.
   */
  async #find(part: PagePart, use: PartUse): Promise<PartSpot | null> {
    // A page that is being replaced is not ready.
    const looked = this.#page.evaluate(findPart, { ...part, use });
    const found = await inTime(`search for "${part.control}"`, looked).catch(() => null);
    if (found?.isNamed === false) {
      throw new NudgeLabError('driver-failed', { message: `The control "${part.control}" has no accessible name.` });
    }
    return found?.spot ?? null;
  }

  #locator({ control, value, first }: PagePart): Locator {
    const option = value === undefined ? '' : `[value="${value}"]`;
    const found = this.#page.locator(`[data-control="${control}"]${option}`);
    return first === true ? found.first() : found;
  }
}
