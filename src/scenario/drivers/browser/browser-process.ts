import type { Browser, LaunchOptions } from 'playwright-core';
import { NudgeLabError } from '../../../core/errors.ts';
import { chromiumType } from './chromium-type.ts';
import type { FoundBrowser } from './find-browser.ts';
import { leanStart } from './minimal-launch.ts';

/** How long the browser may take to start, in ms. */
const startTimeoutMs = 30_000;

/** An interrupt ends browser and program alike; the other signals end the program, and the browser goes with its pipe. */
const endings = { handleSIGTERM: false, handleSIGHUP: false } as const;

/** How a browser is started without a window: what it needs itself, and what spares it work that no page of a sign-in has use for. */
export function launchOptions({ executablePath, args }: FoundBrowser): LaunchOptions {
  const { args: lean, ignoreDefaultArgs } = leanStart();
  return { executablePath, args: [...args, ...lean], ignoreDefaultArgs: [...ignoreDefaultArgs] };
}

/**
 * Starts a browser without a window. Throws `package-missing`, and `browser-missing` when it does not start: a file that is no browser, or one that
 * lacks libraries.
 */
export async function launchBrowser(found: FoundBrowser): Promise<Browser> {
  const { executablePath, origin } = found;
  const chromium = await chromiumType();
  try {
    return await chromium.launch({ ...launchOptions(found), timeout: startTimeoutMs, ...endings });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('browser-missing', {
      message: `The browser of ${origin}, ${executablePath}, does not start: ${reason}`,
      cause,
    });
  }
}

/** The one browser process that all scenarios share: started at the first, and again after it has died. */
export class BrowserProcess {
  readonly #found: FoundBrowser;
  #starting: Promise<Browser> | null = null;

  constructor(found: FoundBrowser) {
    this.#found = found;
  }

  /** The browser, running. Throws `browser-missing`. */
  async running(): Promise<Browser> {
    const known = await this.#starting;
    if (known?.isConnected() === true) return known;
    // Several scenarios may find it dead at once; the first one starts it for all of them.
    if (this.#starting === null || known !== null) this.#starting = launchBrowser(this.#found);
    return this.#starting;
  }

  /** Ends the process. */
  async close(): Promise<void> {
    const browser = await this.#starting?.catch(() => null);
    this.#starting = null;
    await browser?.close();
  }
}
