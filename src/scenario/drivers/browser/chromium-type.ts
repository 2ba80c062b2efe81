import type { BrowserType } from 'playwright-core';
import { optionalPackage } from '../../../core/optional-package.ts';

/** Returns the Playwright type that starts Chromium. Throws `package-missing`. */
export async function chromiumType(): Promise<BrowserType> {
  const need = 'The browser driver requires';
  return (await optionalPackage('playwright-core', need, () => import('playwright-core'))).chromium;
}
