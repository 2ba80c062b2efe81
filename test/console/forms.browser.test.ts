import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { setConsoleStage } from './console-stage.ts';

const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
const snoozedAtMs = Date.parse('2026-01-05T08:00:00.000Z');
const stage = setConsoleStage({
  name: 'forms',
  given: {
    tenant: { campaign: { state: 'enabled', includeTargets: [target] }, groups: { s: [], staff: [], sales: [] } },
    users: [
      { id: 'ada', displayName: 'Ada Lovelace', groups: ['sales'], snooze: { count: 1, snoozedAtMs } },
      { id: 'bob', userPrincipalName: 'bob@example.test' },
    ],
  },
});
const { open, card } = stage;
let page: Page;
let sandbox: Sandbox;
beforeEach(() => {
  ({ page, sandbox } = stage);
});

describe('user forms of the console', { timeout: 240_000 }, () => {
  it('a user is added with methods, groups, a passkey and a snooze, without JSON', async () => {
    await open('users');
    await page.getByRole('link', { name: 'Add user' }).click();
    const form = page.getByRole('form', { name: 'Add user' });
    await form.getByLabel('Id', { exact: true }).fill('grace hopper');
    await form.getByLabel('Username (UPN or email)').fill('grace@example.test');
    await form.getByLabel('Display name').fill('Grace Hopper');
    await form.getByLabel('Type', { exact: true }).first().selectOption('guest');
    // The first letter is a group of the tenant too, which must stay in the list.
    await form.getByLabel('Add to groups').pressSequentially('s');
    await form.getByLabel('Add to groups').press('Enter');
    await form.getByLabel('Add to groups').pressSequentially('staff');
    await form.getByLabel('Add to groups').press('Enter');
    const methods = form.getByRole('group', { name: 'Methods' });
    await methods.getByLabel('Push notification').check();
    await methods.getByLabel('Preferred').selectOption({ label: 'Push notification' });
    await form.getByRole('button', { name: 'Add passkey' }).click();
    await form.getByRole('group', { name: 'Passkey 1' }).getByLabel('Type').selectOption('keychain');
    await form.getByLabel('Snooze count').fill('2');
    await form.getByLabel('Latest snooze (UTC)').fill('2026-01-05T07:30:00');
    await form.getByLabel('Add to roles').fill('Global Administrator');
    await form.getByRole('button', { name: 'Add user' }).click();
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
    expect(sandbox.directory.user('grace hopper')).toMatchObject({
      userPrincipalName: 'grace@example.test',
      type: 'guest',
      groups: ['s', 'staff'],
      methods: ['authenticator-push', 'sms'],
      passkeys: [{ type: 'keychain', deviceId: 'device-1' }],
      mfaCapable: true,
      roles: ['Global Administrator'],
      snooze: { count: 2, snoozedAtMs: Date.parse('2026-01-05T07:30:00.000Z') },
    });
  });

  it('bad-request: problems are shown at their fields, the first has the focus, and nothing is added', async () => {
    await open('add-user');
    const form = page.getByRole('form', { name: 'Add user' });
    await form.getByRole('button', { name: 'Add user' }).click();
    await form.getByText('Enter an id, such as ada.').waitFor();
    await form.getByLabel('Id', { exact: true }).fill('ADA');
    await form.getByRole('button', { name: 'Add user' }).click();
    await form.getByText('A user with the id ADA exists already.').waitFor();
    await form.getByLabel('Id', { exact: true }).fill('eve');
    await form.getByLabel('One-time code').fill('12');
    await form.getByLabel('Snooze count').fill('-1');
    await form.getByRole('button', { name: 'Add user' }).click();
    await form.getByRole('alert').getByText('2 fields above have an invalid value.').waitFor();
    const code = form.getByLabel('One-time code');
    expect(await code.getAttribute('aria-invalid')).toBe('true');
    const [messageId = ''] = ((await code.getAttribute('aria-describedby')) ?? '').split(' ');
    expect(await page.locator(`[id="${messageId}"]`).innerText()).toContain('six digits');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true');
    await stage.findsNothing();
    await code.fill('123456');
    await form.getByLabel('Snooze count').fill('1');
    await form.getByLabel('Username (UPN or email)').fill('BOB@example.test');
    await form.getByRole('button', { name: 'Add user' }).click();
    await form.getByText('another user already has this name').waitFor();
    expect(sandbox.directory.userCount()).toBe(2);
  });

  it('a user beyond the first page of similar ids is not replaced', async () => {
    for (let number = 0; number < 1_001; number += 1) await sandbox.directory.putUser(`zed-${number}`, {});
    await sandbox.directory.putUser('zed', { displayName: 'Zed' });
    await open('add-user');
    const form = page.getByRole('form', { name: 'Add user' });
    await form.getByLabel('Id', { exact: true }).fill('zed');
    await form.getByRole('button', { name: 'Add user' }).click();
    await form.getByText('A user with the id zed exists already.').waitFor();
    expect(sandbox.directory.user('zed').displayName).toBe('Zed');
  });

  it('only what was changed is sent, so that a change made elsewhere meanwhile is kept', async () => {
    await open('users/ada');
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('form', { name: 'Edit user' });
    expect(await form.getByLabel('Latest snooze (UTC)').inputValue()).toBe('2026-01-05T08:00');
    expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await form.getByRole('button', { name: 'Remove sales from groups' }).click();
    await form.getByLabel('Display name').fill('Ada');
    await sandbox.directory.patchUser('ada', { code: '654321' });
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada', exact: true }).waitFor();
    const user = sandbox.directory.user('ada');
    expect([user.displayName, user.code, user.groups, user.snooze]).toEqual([
      'Ada',
      '654321',
      [],
      { count: 1, snoozedAtMs },
    ]);
  });

  it('a user is deleted after a confirmation, and JSON can be edited too', async () => {
    await open('users/bob/edit');
    const form = page.getByRole('form', { name: 'Edit user' });
    await form.getByText('Edit as JSON').click();
    const json = form.getByLabel('JSON', { exact: true });
    const value = JSON.parse(await json.inputValue()) as object;
    await json.fill('{');
    await form.getByRole('alert').getByText('This is not valid JSON').waitFor();
    await json.fill(JSON.stringify({ ...value, snooze: { count: 1, snoozedAtMs: 1e20 } }));
    expect(await form.getByLabel('Latest snooze (UTC)').inputValue()).toBe('');
    await json.fill(JSON.stringify({ ...value, passkeys: [null, 1], snooze: 'none' }));
    await form.getByRole('group', { name: 'Passkey 2' }).waitFor();
    await json.fill(JSON.stringify({ ...value, displayName: 'Robert' }));
    expect(await form.getByLabel('Display name').inputValue()).toBe('Robert');
    await form.getByRole('button', { name: 'Discard changes' }).click();
    await form.getByRole('button', { name: 'Delete user' }).click();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Keep user');
    expect(sandbox.directory.userCount()).toBe(2);
    await form.getByRole('button', { name: /^Confirm: delete/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await expect.poll(() => sandbox.directory.userCount()).toBe(1);
  });
});

describe('fault forms of the console', { timeout: 240_000 }, () => {
  it('faults are added from a form, listed with their scope, and removed', async () => {
    await open('faults');
    const form = page.getByRole('form', { name: 'Add fault' });
    await form.getByLabel('What fails').selectOption('push-denied');
    await form.getByText('The user denies the push notification').waitFor();
    await form.getByLabel('User').fill('ada');
    await form.getByLabel('How many times').fill('2');
    await form.getByRole('button', { name: 'Add fault' }).click();
    await card('Active faults')
      .getByRole('row', { name: /Push denied User: ada 2 times/ })
      .waitFor();
    await form.getByLabel('What fails').selectOption('lookup-delay');
    const latency = form.getByRole('group', { name: 'Latency' });
    await latency.getByLabel('Form').selectOption({ label: 'Median (ms)' });
    await latency.getByLabel('Median (ms)', { exact: true }).fill('250');
    await form.getByLabel('Probability').fill('0.5');
    await form.getByRole('button', { name: 'Add fault' }).click();
    await card('Active faults')
      .getByRole('row', { name: /Lookup delay .*median \(ms\): 250.* Always, with probability 0\.5/ })
      .waitFor();
    await stage.findsNothing();
    await page.getByRole('button', { name: 'Remove fault 1: Push denied' }).click();
    await expect.poll(() => sandbox.faults.list().map(({ fault }) => fault.kind)).toEqual(['lookup-delay']);
    await page.getByRole('button', { name: 'Clear all faults' }).click();
    await page.getByText('No faults. A fault defines what fails').waitFor();
    expect(sandbox.faults.list()).toEqual([]);
  });

  it('bad-request: problems of a fault are shown at their fields, and no fault is added', async () => {
    await open('faults');
    const form = page.getByRole('form', { name: 'Add fault' });
    await form.getByLabel('What fails').selectOption('delay');
    await form.getByLabel('Delay (ms)').fill('99999');
    await form.getByRole('button', { name: 'Add fault' }).click();
    await form.getByText('99999 is more than 20000').waitFor();
    expect(await form.getByLabel('Endpoint').getAttribute('aria-invalid')).toBe('true');
    await form.getByLabel('Endpoint').selectOption('token');
    await form.getByLabel('Delay (ms)').fill('300');
    await form.getByRole('button', { name: 'Add fault' }).click();
    await card('Active faults')
      .getByRole('row', { name: /Delay Endpoint: token; Delay \(ms\): 300 Always/ })
      .waitFor();
    expect(sandbox.entryCount).toBe(2);
  });
});
