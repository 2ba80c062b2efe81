import type { Locator, Page } from 'playwright-core';
import { inTime } from './device-context.ts';
import { type FoundPart, findPart, type PagePart, type PartUse } from './page-parts.ts';

/**
 * What a person does at a page, with a real mouse and real keys: everything is found by its kind and its name. A small function
 * in the page finds what stands there ready. What it does not find is left to the locators of Playwright, which wait for it and
 * say what is wrong; they bring a large script to every document, which costs more than to show the page.
 */
export class PageActions {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Whether a part is there to be seen now; nothing is waited for. */
  async sees(part: PagePart): Promise<boolean> {
    return (await this.#find(part, 'see')) !== null;
  }

  /** Presses a button or a link. Throws Playwright's own error when it cannot be pressed in time. */
  async press(part: PagePart): Promise<void> {
    const spot = (await this.#findReady(part, 'press'))?.spot ?? null;
    if (spot === null) await this.#locator(part).click({ noWaitAfter: true });
    else await inTime(`press of "${part.name}"`, this.#page.mouse.click(spot.x, spot.y));
  }

  /** Types a text into a field, in place of what stands there. Throws Playwright's own error when it cannot be filled in time. */
  async enter(part: PagePart, text: string): Promise<void> {
    const isReady = text !== '' && ((await this.#findReady(part, 'enter'))?.spot ?? null) !== null;
    if (isReady) await inTime(`typing into "${part.name}"`, this.#page.keyboard.insertText(text));
    else await this.#locator(part).fill(text);
  }

  #find(part: PagePart, use: PartUse): Promise<FoundPart | null> {
    return inTime(`look for "${part.name}"`, this.#page.evaluate(findPart, { ...part, use }));
  }

  /** A page that goes away meanwhile is not ready. */
  #findReady(part: PagePart, use: PartUse): Promise<FoundPart | null> {
    return this.#find(part, use).catch(() => null);
  }

  #locator({ kind, name, first }: PagePart): Locator {
    // By label, because a password has no role.
    const found =
      kind === 'field'
        ? this.#page.getByLabel(name, { exact: true })
        : this.#page.getByRole(kind, { name, exact: true });
    return first === true ? found.first() : found;
  }
}
