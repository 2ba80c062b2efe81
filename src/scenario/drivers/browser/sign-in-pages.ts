import type { Page } from 'playwright-core';
import { NudgeLabError } from '../../../core/errors.ts';
import type { ApplicationArrival } from './application-arrival.ts';
import { actionTimeoutMs, formatPlainMessage, inTime } from './device-context.ts';
import { PageActions } from './page-actions.ts';
import { type ReadPage, readDocument, sendForm, type Way } from './page-functions.ts';
import type { PagePart } from './page-parts.ts';

/**
 * The screens of a sign-in in one tab, each with what a person can do there. Everything is found by role and accessible name:
 * a page on which a person could not find it fails the step.
 */
export class SignInPages {
  readonly page: Page;
  readonly #arrival: ApplicationArrival | null;
  readonly #hands: PageActions;
  #status = 0;

  /** Takes the page, and what sees it come back to its application where one waits. */
  constructor(page: Page, arrival: ApplicationArrival | null = null) {
    this.page = page;
    this.#arrival = arrival;
    this.#hands = new PageActions(page);
  }

  /** The address at which the application was reached again; `null` before, and without one. */
  get arrivedAt(): string | null {
    return this.#arrival?.address ?? null;
  }

  /** Status of the latest document. */
  get status(): number {
    return this.#status;
  }

  /** Loads an address, as typed into the address bar. */
  async open(address: string): Promise<void> {
    const loading = this.page.goto(address, { waitUntil: 'domcontentloaded' });
    const [response] = await Promise.race([Promise.all([loading]), ...this.#outside(loading)]);
    this.#status = response?.status() ?? okStatus;
  }

  /** The page as it stands. Throws `driver-failed` for a document that is no page of a sign-in server. */
  async read(): Promise<ReadPage> {
    const read = await inTime('reading of the page', this.page.evaluate(readDocument));
    if (read !== null) return read;
    throw new NudgeLabError('driver-failed', {
      message: 'The answer is no page: it has no main part with a data-page.',
    });
  }

  readonly name = {
    enter: (userName: string) => this.fillAndPress({ 'User name': userName }, 'Next'),
    usePasskey: () => this.press('Sign in with a passkey'),
  };

  readonly password = {
    enter: (password: string) => this.fillAndPress({ Password: password }, 'Sign in'),
  };

  readonly code = {
    isShown: () => this.hasField('Code'),
    enter: (code: string) => this.fillAndPress({ Code: code }, 'Verify'),
  };

  /** The request in the authenticator app, answered on the simulated phone in a window of its own. */
  readonly push = {
    isShown: () => this.#hands.sees(phoneLink),
    approve: () => this.#approveOnPhone(),
    goOn: () => this.press('Continue'),
  };

  /** The other ways to give the second factor; the list of them is on a page of its own. */
  readonly otherWays = {
    areOffered: () => this.hasButton('Sign in another way'),
    open: () => this.press('Sign in another way'),
    /** The names of all that are offered. */
    labels: async () =>
      (await this.page.getByRole('radio').locator('xpath=..').allTextContents()).map((text) => text.trim()),
    choose: async (label: string) => {
      await this.page.getByRole('radio', { name: label, exact: true }).check();
      await this.press('Continue');
    },
  };

  readonly passkey = {
    useTestPasskey: () => this.press('Use the test passkey'),
    use: () => this.press('Use passkey'),
  };

  /** Pages that are only passed. */
  readonly between = {
    accept: () => this.press('Accept'),
    goOn: () => this.press('Continue'),
  };

  readonly prompt = {
    isSkippable: () => this.hasButton('Skip for now'),
    next: () => this.press('Next'),
    skip: () => this.press('Skip for now'),
  };

  readonly appSetup = {
    isShown: () => this.hasHeading('Set up the authenticator app'),
    next: () => this.press('Next'),
  };

  readonly appTest = {
    isShown: () => this.hasHeading('Let us try it out'),
    finish: () => this.press('Finish'),
  };

  readonly passkeySetup = {
    isShown: () => this.hasButton('Create passkey'),
    create: () => this.press('Create passkey'),
    /** Has the server make a passkey of a kind on a device. */
    useTestAuthenticator: async (kind: string, deviceId: string) => {
      await this.page.getByText('Use the test authenticator', { exact: true }).click();
      await this.page.getByRole('combobox', { name: 'Kind of passkey', exact: true }).selectOption(kind);
      await this.fillAndPress({ Device: deviceId }, 'Finish');
    },
  };

  readonly passkeyName = {
    isShown: () => this.hasHeading('Name your passkey'),
    /** Saves it under the name that is proposed, or under the given one where none is. */
    save: async (name: string) => {
      const field = this.page.getByLabel('Name', { exact: true });
      if ((await field.inputValue()) === '') await field.fill(name);
      await this.press('Save');
    },
  };

  readonly setup = {
    didNotWork: () => this.press('It did not work'),
  };

  readonly errorScreen = {
    isShown: () => this.hasButton('Try again'),
    tryAgain: () => this.press('Try again'),
    skip: () => this.press('Skip'),
  };

  /**
   * What came of the passkey that the browser creates by itself on this page: a state that its script notes; `null` where the page
   * asks for none.
   */
  async upgradeState(): Promise<string | null> {
    if ((await this.page.locator('[data-upgrade]').count()) === 0) return null;
    const done = this.page.locator('[data-upgrade][data-state]');
    await done.waitFor({ state: 'attached', timeout: actionTimeoutMs });
    return done.getAttribute('data-state');
  }

  /** Whether the page has a button with this name. */
  hasButton(name: string): Promise<boolean> {
    return this.#hands.sees({ kind: 'button', name });
  }

  /** Whether the page has a heading with this text. */
  hasHeading(name: string): Promise<boolean> {
    return this.#hands.sees({ kind: 'heading', name });
  }

  /** Whether the page has a field with this label. */
  hasField(label: string): Promise<boolean> {
    return this.#hands.sees({ kind: 'field', name: label });
  }

  /** Fills fields by their labels and presses a button. */
  async fillAndPress(typed: Readonly<Record<string, string>>, button: string): Promise<void> {
    for (const [label, text] of Object.entries(typed)) await this.#hands.enter({ kind: 'field', name: label }, text);
    await this.press(button);
  }

  /** Presses a button and waits for the page that answers it. Throws `driver-failed` when there is none in time. */
  async press(name: string): Promise<void> {
    await this.#navigating(`button "${name}"`, () => this.#hands.press({ kind: 'button', name }));
  }

  /** Sends a form that the page does not have, such as a skip of a required prompt (A1): what an older page would send. */
  async send({ address, formToken }: Way, action: string): Promise<void> {
    await this.#navigating(`action ${action}`, () => this.page.evaluate(sendForm, { address, formToken, action }));
  }

  async #navigating(what: string, act: () => Promise<unknown>): Promise<void> {
    const answered = this.page.waitForEvent('domcontentloaded', { timeout: actionTimeoutMs });
    const response = this.page.waitForResponse(isDocument, { timeout: actionTimeoutMs });
    try {
      const [answer] = await Promise.race([
        Promise.all([response, answered, act()]),
        ...this.#outside(response, answered),
      ]);
      this.#status = answer?.status() ?? okStatus;
    } catch (cause) {
      answered.catch(() => undefined);
      response.catch(() => undefined);
      const reason = cause instanceof Error ? formatPlainMessage(cause).split('\n')[0] : String(cause);
      throw new NudgeLabError('driver-failed', {
        message: `The ${what} led to no page within ${actionTimeoutMs} ms: ${reason}`,
        cause,
      });
    }
  }

  /** Ends a wait for a page where the application is none of the web: there is no page then. Takes what is waited for. */
  #outside(...waiting: readonly Promise<unknown>[]): readonly Promise<readonly []>[] {
    return this.#arrival === null ? [] : [endWaiting(this.#arrival, waiting)];
  }

  async #approveOnPhone(): Promise<void> {
    const number = (await this.page.locator('[data-number]').getAttribute('data-number')) ?? '';
    const opened = this.page.context().waitForEvent('page');
    await this.#hands.press(phoneLink);
    const phone = new SignInPages(await opened);
    await phone.page.waitForLoadState();
    // The newest request stands first, and it is this one's; one that never reached the phone cannot be approved there.
    if (await phone.hasField('Number on the sign-in page')) {
      await phone.#hands.enter({ kind: 'field', name: 'Number on the sign-in page', first: true }, number);
      await phone.#navigating('button "Approve"', () =>
        phone.#hands.press({ kind: 'button', name: 'Approve', first: true }),
      );
    }
    // At rest alone: the closing of a window that is about to show another page never ends in the headless shell.
    await inTime('closing of the phone', phone.page.close());
  }
}

/** Resolves when the application was reached outside of the web; what was waited for may fail then without a word. */
async function endWaiting({ outside }: ApplicationArrival, waiting: readonly Promise<unknown>[]): Promise<readonly []> {
  await outside;
  for (const one of waiting) one.catch(() => undefined);
  return [];
}

/** The answer to a navigation that is shown; a redirect only leads on to it. */
function isDocument(response: { status(): number; request(): { isNavigationRequest(): boolean } }): boolean {
  const isRedirect = response.status() >= firstRedirect && response.status() < firstError;
  return response.request().isNavigationRequest() && !isRedirect;
}

const phoneLink: PagePart = { kind: 'link', name: 'open the simulated phone' };
const okStatus = 200;
const firstRedirect = 300;
const firstError = 400;
