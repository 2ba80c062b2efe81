import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { setConsoleStage } from './console-stage.ts';

const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
const stage = setConsoleStage({
  name: 'first-steps',
  given: {
    tenant: { campaign: { state: 'enabled', includeTargets: [target] } },
    users: [{ id: 'ada', displayName: 'Ada Lovelace' }],
  },
});
const { open, card } = stage;
let page: Page;
let sandbox: Sandbox;
beforeEach(() => {
  ({ page, sandbox } = stage);
});

/** Waits until exactly these steps are done. */
async function waitUntilDone(...steps: readonly string[]): Promise<void> {
  const done = card('First steps').getByRole('listitem').filter({ hasText: '✓ Done' }).getByRole('heading');
  await expect.poll(async () => (await done.allInnerTexts()).map((text) => text.replace(' ✓ Done', ''))).toEqual(steps);
}

describe('first steps in the console', { timeout: 240_000 }, () => {
  it('each step is done by the event that it describes, and axe has no findings', async () => {
    // An event from before the first visit does not count.
    await sandbox.clock.advance({ hours: 1 });
    await open('overview');
    await card('First steps').getByText('The password is correct horse, the code 123456.').waitFor();
    await waitUntilDone();
    const { id } = await sandbox.signIns.start('ada', {});
    await waitUntilDone('Sign in as a user');
    await sandbox.signIns.acceptPassword(id);
    await sandbox.signIns.completeMfa(id);
    await waitUntilDone('Sign in as a user', 'See the prompt');
    await card('First steps').getByRole('button', { name: 'Go to the clock' }).press('Enter');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Resume');
    await page.getByRole('button', { name: '+1 day' }).click();
    await waitUntilDone('Sign in as a user', 'See the prompt', 'Move the clock');
    await stage.findsNothing();
    await card('First steps').getByRole('link', { name: 'Open Ada Lovelace' }).click();
    await card('Explain verdict').waitFor();
    await page.goBack();
    await card('First steps').getByRole('status').getByText('4 of 4 done').waitFor();
    await page.reload();
    await card('First steps').getByRole('status').getByText('4 of 4 done').waitFor();
    await card('First steps').getByRole('button', { name: 'Close first steps' }).waitFor();
  });

  it('keyboard: the steps are dismissed for this browser, and shown again from the navigation with the focus', async () => {
    await open('overview');
    await card('First steps').getByRole('button', { name: 'Dismiss first steps' }).press('Enter');
    await expect.poll(() => card('First steps').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('view');
    await page.reload();
    await card('Clock').waitFor();
    expect(await card('First steps').count()).toBe(0);
    await open('faults');
    await page.getByRole('button', { name: 'First steps' }).press('Enter');
    await card('First steps').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('first-steps');
    await waitUntilDone();
  });

  it('without users, the first step leads to the form that adds one', async () => {
    await sandbox.directory.removeUser('ada');
    await open('overview');
    await card('First steps').getByRole('link', { name: 'Add a user' }).click();
    await page.getByRole('heading', { level: 1, name: 'Add user' }).waitFor();
    expect(page.url()).toContain(`/s/${sandbox.id}/add-user`);
  });
});
