import type { Browser } from 'playwright-core';
import { launchBrowser } from '../src/scenario/drivers/browser/browser-process.ts';
import { findBrowser } from '../src/scenario/drivers/browser/find-browser.ts';

/** How long a step on a page may take, in ms: long enough for a busy machine, so only a step that hangs fails. */
export const stepTimeoutMs = 20_000;

let started: Promise<Browser> | null = null;

/**
 * Returns the one browser of this worker, which all of its test files share; it ends with the worker. A test has pages or
 * contexts of its own and closes them; one that ends or configures a browser starts its own.
 *
 * @returns the browser, started by the first call
 */
export function sharedBrowser(): Promise<Browser> {
  started ??= findBrowser(process.env).then(launchBrowser);
  return started;
}
