import type { Browser, LaunchOptions } from 'playwright-core';
import { NudgeLabError } from '../../../core/errors.ts';
import { chromiumType } from './chromium-type.ts';
import type { FoundBrowser } from './find-browser.ts';
import { leanStart } from './minimal-launch.ts';

/** Maximum start time of the browser, in milliseconds. */
const startTimeoutMs = 30_000;

/**
 * Signal handling of the browser. Signals other than an interrupt end the program, and the closed pipe ends the browser.
 */
const endings = { handleSIGTERM: false, handleSIGHUP: false } as const;

/**
 * Returns the options for a headless start: the arguments that the browser requires, and those that avoid work
 * irrelevant to sign-in pages.
 */
export function launchOptions({ executablePath, args }: FoundBrowser): LaunchOptions {
  const { args: lean, ignoreDefaultArgs } = leanStart();
  return { executablePath, args: [...args, ...lean], ignoreDefaultArgs: [...ignoreDefaultArgs] };
}

/**
 * Starts a headless browser. An interrupt ends both browser and program, unless the program handles it. Throws
 * `package-missing`, or `browser-missing` if the browser does not start, because the file is not a browser or because it
 * lacks libraries.
 */
export async function launchBrowser(browser: FoundBrowser, handlesInterrupts = false): Promise<Browser> {
  const { executablePath, origin } = browser;
  const chromium = await chromiumType();
  try {
    const handling = { ...endings, handleSIGINT: !handlesInterrupts };
    return await chromium.launch({ ...launchOptions(browser), timeout: startTimeoutMs, ...handling });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('browser-missing', {
      message: `The browser of ${origin}, ${executablePath}, could not be started: ${reason}`,
      cause,
    });
  }
}

/** Browser process shared by all scenarios, which starts with the first one and again after a crash. */
export class BrowserProcess {
  readonly #found: FoundBrowser;
  readonly #handlesInterrupts: boolean;
  #starting: Promise<Browser> | null = null;

  constructor(browser: FoundBrowser, handlesInterrupts = false) {
    this.#found = browser;
    this.#handlesInterrupts = handlesInterrupts;
  }

  /** Returns the running browser. Throws `browser-missing`. */
  async running(): Promise<Browser> {
    const known = await this.#starting;
    if (known?.isConnected() === true) return known;
    // Several scenarios can notice a crash at the same time. The first one restarts the browser for all of them.
    if (this.#starting === null || known !== null) this.#starting = launchBrowser(this.#found, this.#handlesInterrupts);
    return this.#starting;
  }

  /** Ends the browser process. */
  async close(): Promise<void> {
    const browser = await this.#starting?.catch(() => null);
    this.#starting = null;
    await browser?.close();
  }
}
