import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { setConsoleStage } from './console-stage.ts';

const numbered = Array.from({ length: 50 }, (_, index) => ({ id: `user-${index + 10}`, methods: [] }));
const given = [{ id: 'ada', methods: ['sms'] }, { id: 'ben', methods: ['authenticator-push'] }, ...numbered];
const stage = setConsoleStage({ name: 'registrations', given: { users: given } });
const { open, card } = stage;
let page: Page;
let sandbox: Sandbox;
beforeEach(() => {
  ({ page, sandbox } = stage);
});

describe('registration report in the console', { timeout: 240_000 }, () => {
  const count = (table: string, row: string): Promise<string> =>
    card(table)
      .getByRole('row', { name: new RegExp(`^${row} `) })
      .getByRole('cell')
      .nth(1)
      .innerText();

  it.each(['forecast', 'compare'])('the view %s leads to the registration report', async (view) => {
    await open(view);
    await page.getByRole('link', { name: 'Registration report' }).click();
    await page.getByRole('heading', { level: 1, name: 'Registration report' }).waitFor();
    await card('Users').getByText('52 users').waitFor();
    expect(page.url()).toContain(`/s/${sandbox.id}/registrations`);
  });

  it('users are counted by feature and method, listed page by page, and follow a registration', async () => {
    await open('registrations');
    await card('Users').getByText('52 users').waitFor();
    expect([await count('Users by method', 'mobilePhone'), await count('Users by feature', 'mfaCapable')]).toEqual([
      '1',
      '52',
    ]);
    const users = card('Users').locator('tbody tr');
    await expect.poll(() => users.count()).toBe(50);
    await card('Users').getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => users.count()).toBe(2);
    await card('Users').getByRole('button', { name: 'Next', disabled: true }).waitFor();
    await card('Users').getByRole('button', { name: 'Previous' }).click();
    const ben = card('Users').getByRole('row', { name: /^ben@/ });
    await ben.getByText('vendorAuthenticatorPush', { exact: false }).waitFor();
    await stage.findsNothing();
    await sandbox.directory.patchUser('ben', { methods: ['sms'] });
    await expect.poll(() => count('Users by method', 'mobilePhone')).toBe('2');
    await ben.getByText('mobilePhone').waitFor();
    await ben.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('ben@example.test');
  });

  it('a sandbox without users says so, and a failing API is reported', async () => {
    for (const { id } of given) await sandbox.directory.removeUser(id);
    await open('registrations');
    await card('Users').getByText('No users yet.', { exact: false }).waitFor();
    await sandbox.faults.set([{ kind: 'too-many-requests', endpoint: 'directory', retryAfterSeconds: 5 }]);
    await page.reload();
    await page.getByRole('alert').first().waitFor();
    expect(await card('Users').count()).toBe(0);
  });
});
