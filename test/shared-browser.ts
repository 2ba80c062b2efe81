import type { Browser } from 'playwright-core';
import { launchBrowser } from '../src/scenario/drivers/browser/browser-process.ts';
import { findBrowser } from '../src/scenario/drivers/browser/find-browser.ts';

/**
 * Timeout of a step on a page in milliseconds. It is long enough for a busy machine, so only a step that hangs
 * fails.
 */
export const stepTimeoutMs = 20_000;

let started: Promise<Browser> | null = null;

/**
 * Returns the single browser of this worker, which all of its test files share. It closes when the worker ends.
 * Each test opens and closes its own pages or contexts. A test that closes or configures a browser starts its own.
 *
 * @returns the browser, which the first call starts
 */
export function sharedBrowser(): Promise<Browser> {
  started ??= findBrowser(process.env).then(launchBrowser);
  return started;
}
