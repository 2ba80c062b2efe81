import type { Page } from 'playwright-core';
import type { PageControl } from '../../../contract/page-controls.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import type { PageTransport, SignInForm } from '../pages/page-transport.ts';
import { type FormEntries, type ParsedPage, parsePage } from '../pages/parsed-page.ts';
import type { ApplicationArrival } from './application-arrival.ts';
import { actionTimeoutMs, formatPlainMessage, inTime } from './device-context.ts';
import { PageActions } from './page-actions.ts';
import { type PagePart, sendForm } from './page-parts.ts';

/** Pages of a sign-in in a tab of a real browser. */
export class BrowserPages implements PageTransport {
  readonly page: Page;
  readonly #arrival: ApplicationArrival | null;
  readonly #actions: PageActions;
  #status = 0;

  /** Creates the pages of a tab. `arrival` detects the return to an application, and is `null` if there is none. */
  constructor(page: Page, arrival: ApplicationArrival | null = null) {
    this.page = page;
    this.#arrival = arrival;
    this.#actions = new PageActions(page);
  }

  get arrivedAt(): string | null {
    return this.#arrival?.address ?? null;
  }

  get status(): number {
    return this.#status;
  }

  get url(): string {
    return this.page.url();
  }

  async open(url: string): Promise<void> {
    const loading = this.page.goto(url, { waitUntil: 'domcontentloaded' });
    const [response] = await Promise.race([Promise.all([loading]), ...this.#outside(loading)]);
    this.#status = response?.status() ?? okStatus;
  }

  async read(): Promise<ParsedPage> {
    const { html, hidden } = await inTime('page capture', this.page.evaluate(readDocument));
    return parsePage(html, new Set(hidden));
  }

  async press(control: PageControl, { texts = {}, choice, checks = [] }: FormEntries = {}): Promise<void> {
    for (const [field, text] of Object.entries(texts)) await this.#actions.enter({ control: field }, text);
    if (choice !== undefined) await this.#actions.press({ control: 'method', value: choice });
    for (const box of checks) await this.#actions.press({ control: box });
    await this.#navigate(`button "${control}"`, () => this.#actions.press({ control }));
  }

  async send({ url, formToken }: SignInForm, action: string): Promise<void> {
    await this.#navigate(`action ${action}`, () => this.page.evaluate(sendForm, { url, formToken, action }));
  }

  /** Creates a passkey of a type for a device with the server's test authenticator on the setup page. */
  async useTestAuthenticator(type: string, deviceId: string): Promise<void> {
    await this.#actions.press({ control: 'open-test-authenticator' });
    await this.#actions.select({ control: 'passkey-type' }, type);
    await this.press('finish', { texts: { device: deviceId } });
  }

  /**
   * Returns the result of the automatic passkey creation on this page, as recorded by its script. Returns `null` if
   * the page does not request one.
   */
  async upgradeState(): Promise<string | null> {
    if ((await this.page.locator('[data-upgrade]').count()) === 0) return null;
    const done = this.page.locator('[data-upgrade][data-state]');
    await done.waitFor({ state: 'attached', timeout: actionTimeoutMs });
    return done.getAttribute('data-state');
  }

  async approveOnPhone(): Promise<void> {
    const { number } = await this.read();
    const opened = this.page.context().waitForEvent('page');
    await this.#actions.press({ control: 'open-phone' });
    const phone = new BrowserPages(await opened);
    await phone.page.waitForLoadState();
    // The newest notification is the first one and belongs to this sign-in. An undelivered notification cannot be
    // approved.
    if (number !== null && (await phone.read()).forms.length > 0) {
      await phone.#actions.enter({ control: 'number', first: true }, number);
      const approve: PagePart = { control: 'approve', first: true };
      await phone.#navigate('button "approve"', () => phone.#actions.press(approve));
    }
    // The page is closed only when it is idle. In the headless shell, closing a window during a navigation never ends.
    await inTime('closing of the phone page', phone.page.close());
  }

  async #navigate(what: string, act: () => Promise<unknown>): Promise<void> {
    const loaded = this.page.waitForEvent('domcontentloaded', { timeout: actionTimeoutMs });
    const response = this.page.waitForResponse(isDocument, { timeout: actionTimeoutMs });
    try {
      const [document] = await Promise.race([
        Promise.all([response, loaded, act()]),
        ...this.#outside(response, loaded),
      ]);
      this.#status = document?.status() ?? okStatus;
    } catch (cause) {
      loaded.catch(() => undefined);
      response.catch(() => undefined);
      const reason = cause instanceof Error ? formatPlainMessage(cause).split('\n')[0] : String(cause);
      throw new NudgeLabError('driver-failed', {
        message: `The ${what} did not lead to a page within ${actionTimeoutMs} ms: ${reason}`,
        cause,
      });
    }
  }

  /** Returns promises that end the wait for a page if the application has no web page. */
  #outside(...waiting: readonly Promise<unknown>[]): readonly Promise<readonly []>[] {
    return this.#arrival === null ? [] : [endWaiting(this.#arrival, waiting)];
  }
}

interface DisplayedDocument {
  readonly documentElement: { readonly outerHTML: string };
  querySelectorAll(selector: string): Iterable<DisplayedElement>;
}

interface DisplayedElement {
  checkVisibility(options: { readonly visibilityProperty: boolean }): boolean;
}

/** Reads the current document and the positions of its hidden controls, and runs in the page. */
function readDocument(): { readonly html: string; readonly hidden: readonly number[] } {
  const { document } = globalThis as unknown as { document: DisplayedDocument };
  const controls = [...document.querySelectorAll('[data-control]')];
  const hidden = controls.flatMap((one, index) => (one.checkVisibility({ visibilityProperty: true }) ? [] : [index]));
  return { html: document.documentElement.outerHTML, hidden };
}

/** Resolves when the application was reached outside the web. A failure of the awaited promises is then ignored. */
async function endWaiting({ outside }: ApplicationArrival, waiting: readonly Promise<unknown>[]): Promise<readonly []> {
  await outside;
  for (const one of waiting) one.catch(() => undefined);
  return [];
}

/** Returns true if a response is the document of a navigation. A redirect is not. */
function isDocument(response: { status(): number; request(): { isNavigationRequest(): boolean } }): boolean {
  const isRedirect = response.status() >= firstRedirect && response.status() < firstError;
  return response.request().isNavigationRequest() && !isRedirect;
}

const okStatus = 200;
const firstRedirect = 300;
const firstError = 400;
