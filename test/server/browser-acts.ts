import type { Page } from 'playwright-core';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

/** Actions of a user in a real browser, by accessible names only. The user is Ada by default. */

export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

export async function nameIn(page: Page, userName = 'ada@example.test'): Promise<void> {
  await page.getByLabel('Username').fill(userName);
  await press(page, 'Next');
}

export async function signIn(page: Page, userName?: string): Promise<void> {
  await nameIn(page, userName);
  await page.getByLabel('Password').fill('correct horse');
  await press(page, 'Sign in');
  await page.getByLabel('Code').fill('123456');
  await press(page, 'Verify');
}

/** Waits until the page with this name is displayed. */
export async function shows(page: Page, name: string): Promise<void> {
  await page.locator(`main[data-page="${name}"]`).waitFor();
}

export async function inputs(sandbox: Sandbox): Promise<readonly string[]> {
  return (await sandbox.journal({ after: 0, limit: 100 })).map(({ event }) => event.type);
}

export async function countEvents(sandbox: Sandbox, type: string): Promise<number> {
  return (await inputs(sandbox)).filter((input) => input === type).length;
}
