import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { setConsoleStage } from './console-stage.ts';

const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
const tenant = {
  campaign: { state: 'enabled', includeTargets: [target], snoozeDurationInDays: 2 },
  groups: { staff: [] },
};
const snoozedAtMs = Date.parse('2026-01-05T08:00:00.000Z');
const graceId = '7a6e0d3c-52f1-4c7b-9a55-0c1d3f1f6b01';
const users = [
  { id: 'ada', displayName: 'Ada Lovelace', userPrincipalName: 'ada@example.test' },
  { id: 'bob', displayName: 'Bob', userPrincipalName: 'bob@example.test', snooze: { count: 1, snoozedAtMs } },
  { id: graceId, displayName: 'Grace Hopper', userPrincipalName: 'grace@example.test' },
  ...Array.from({ length: 997 }, (_, index) => ({
    id: `user-${index}`,
    displayName: `User ${index}`,
    userPrincipalName: `user-${index}@example.test`,
  })),
];
const views = [
  'overview',
  'campaign',
  'users',
  'users/ada',
  'journeys',
  'journeys/s1',
  'journeys/compare',
  'journal',
  'faults',
  'assumptions',
  'lookup',
  'documents',
];

const stage = setConsoleStage({ name: 'console', given: { tenant, users } });
const { open, card, complaints } = stage;
let page: Page;
let sandbox: Sandbox;
beforeEach(() => {
  ({ page, sandbox } = stage);
});

describe('console in a browser', { timeout: 240_000 }, () => {
  it('advances the clock and shows events when they occur', async () => {
    await open('overview');
    await card('Clock').getByText('2026-01-05 09:00:00 UTC', { exact: true }).waitFor();
    await page.getByRole('button', { name: '+1 day' }).click();
    await card('Clock').getByText('2026-01-06 09:00:00 UTC', { exact: true }).waitFor();
    await card('Recent activity').getByText('clock.set').waitFor();
    await page.getByRole('button', { name: 'Advance to next prompt' }).click();
    await card('Clock').getByText('2026-01-07 08:00:00 UTC', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Advance to next prompt', disabled: true }).waitFor();
    expect(new Date(sandbox.clock.nowMs()).toISOString()).toBe('2026-01-07T08:00:00.000Z');
  });

  it('R5: a change that was made elsewhere appears without a reload', async () => {
    await open('overview');
    await card('Users').getByText('999').waitFor();
    await sandbox.directory.setSnooze('ada', { count: 2, snoozedAtMs });
    await card('Users').getByText('998').waitFor();
    expect(await card('Users').getByRole('listitem').filter({ hasText: 'Snoozed' }).innerText()).toContain('2');
  });

  it('R5: a snooze that ends while the clock runs is over on the page', async () => {
    const { nextPromptAt } = await sandbox.directory.setSnooze('ada', { count: 1, snoozedAtMs });
    await open('users/ada');
    const snoozes = card('Snoozes');
    await snoozes.getByText('Snoozed', { exact: true }).waitFor();
    await sandbox.clock.set({ nowMs: Date.parse(nextPromptAt ?? '') - 2_000, running: true });
    await snoozes.getByText('Not prompted', { exact: true }).waitFor();
    await snoozes.getByText('1, 2 left').waitFor();
    expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'notPrompted', nextPromptAt: null });
  });

  it('R6: a campaign is previewed, saved by the policy API, and reverted from the history', async () => {
    await open('campaign');
    await page.getByLabel('Days allowed to snooze').selectOption('0');
    await card('Before you save').getByText('"snoozeDurationInDays": 0').waitFor();
    const row = card('Before you save').getByRole('row', { name: /Optional prompt/ });
    await expect.poll(() => row.innerText()).toMatch(/999\s+1,000/);
    expect(sandbox.directory.tenant().campaign.snoozeDurationInDays).toBe(2);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => sandbox.directory.tenant().campaign.snoozeDurationInDays).toBe(0);
    await card('History').getByText('by policy-api').waitFor();
    await page.getByRole('button', { name: 'Revert' }).click();
    await expect.poll(() => page.getByLabel('Days allowed to snooze').inputValue()).toBe('2');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => sandbox.directory.tenant().campaign.snoozeDurationInDays).toBe(2);
  });

  it('A19: a rollout switch is previewed, saved and listed in the history', async () => {
    await sandbox.directory.patchTenant({ campaign: { state: 'default' } }, 'control-api');
    // Two days ago is within the snooze duration before the rollout (3 days) and beyond the one after it (1 day).
    await sandbox.directory.setSnooze('bob', { count: 1, snoozedAtMs: sandbox.clock.nowMs() - 48 * 3_600_000 });
    await open('campaign');
    const rollout = card('Rollout');
    await rollout.getByRole('switch', { name: /^Snooze days/ }).press('Space');
    await rollout.getByText('1 user would be affected').waitFor();
    expect(sandbox.directory.tenant().rollout.snoozeDays).toBe(false);
    await rollout.getByRole('button', { name: 'Save rollout' }).click();
    await expect.poll(() => sandbox.directory.tenant().rollout.snoozeDays).toBe(true);
    await card('History').getByText('rollout: snoozeDays').waitFor();
  });

  it('R11: the page locks settings that the provider manages and explains why', async () => {
    await open('campaign');
    await page.getByLabel('State').selectOption('default');
    expect(await page.getByLabel('Days allowed to snooze').isDisabled()).toBe(true);
    expect(await page.getByLabel('Limited number of snoozes').isDisabled()).toBe(true);
    await page.getByText('The provider sets the snooze duration and limit (R11)').waitFor();
  });

  it('S2: users and groups are found by name and excluded', async () => {
    await open('campaign');
    const excluded = page.getByRole('group', { name: 'Excluded' });
    await excluded.getByLabel('User or group').fill(graceId);
    await excluded.getByRole('button', { name: 'Add' }).click();
    await excluded.getByRole('button', { name: `Remove ${graceId} from excluded` }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(() => sandbox.directory.tenant().campaign.excludeTargets)
      .toEqual([{ targetType: 'user', id: graceId }]);
    expect(sandbox.explain(graceId, {}).reason).toBe('excluded');
  });

  it('badRequest: an update that the policy API rejects is shown with its location and not saved', async () => {
    await open('campaign');
    const included = page.getByRole('group', { name: 'Included' });
    await included.getByLabel('User or group').fill('nobody');
    await included.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('includeTargets[1].id').first().waitFor();
    expect(sandbox.entryCount).toBe(1);
  });

  it('the server searches for users, and a link opens a user', async () => {
    await open('users');
    await page.getByLabel('Search').fill('lovelace');
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    expect(page.url()).toContain('/users/ada');
    await page.goBack();
    expect(await page.getByLabel('Search').inputValue()).toBe('lovelace');
  });

  it('S2: users are filtered by the reason that suppresses their next prompt, and the URL keeps the filter', async () => {
    const excludeTargets = [{ targetType: 'user', id: 'ada' }];
    await sandbox.directory.patchTenant({ campaign: { excludeTargets } }, 'control-api');
    await open('users');
    await page.getByLabel('At the next sign-in').selectOption({ label: 'Not prompted: excluded' });
    await page.getByText(/^1 user;/).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByLabel('At the next sign-in').selectOption({ label: 'Would be prompted' });
    await page.getByText('998 users').waitFor();
  });

  it('only the visible rows of a thousand users are rendered, and scrolling reaches the last user', async () => {
    await open('users');
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    const last = page.getByRole('link', { name: 'User 996' });
    await expect
      .poll(
        async () => {
          await page.getByRole('rowgroup').evaluate((box) => box.scrollTo(0, box.scrollHeight));
          return last.isVisible();
        },
        { timeout: 10_000 },
      )
      .toBe(true);
  });

  it('R5, R7: a user who skipped once has a snooze count, snoozes left and the time of the next prompt', async () => {
    await open('users/bob');
    const facts = card('Snoozes').locator('dl');
    await facts.getByText('Snoozed', { exact: true }).waitFor();
    const [words, values] = [await facts.locator('dt').allInnerTexts(), await facts.locator('dd').allInnerTexts()];
    expect(words.map((word, at) => [word, values[at]])).toEqual([
      ['State', 'Snoozed'],
      ['Snoozes', '1, 2 left'],
      ['Snoozed at', '2026-01-05 08:00:00 UTC'],
      ['Next prompt from', '2026-01-07 08:00:00 UTC'],
      ['Open prompts', '0'],
    ]);
    const { snoozes, snoozesLeft, nextPromptAt } = sandbox.directory.nudgeStatus('bob');
    expect([snoozes, snoozesLeft, nextPromptAt]).toEqual([1, 2, '2026-01-07T08:00:00.000Z']);
  });

  it('R11.4: the verdict is evaluated again for each setting and matches `explain`', async () => {
    await open('users/ada');
    const why = card('Explain verdict');
    await why.getByRole('status').getByText('Prompted; may skip (3 of 3 snoozes left)').waitFor();
    await why.getByLabel('SSO session').selectOption('yes');
    await why.getByRole('status').getByText('Not prompted: the user is already signed in through SSO.').waitFor();
    await why.getByRole('status').getByText('sso-session').waitFor();
    expect(sandbox.explain('ada', { ssoSession: true }).reason).toBe('sso-session');
    await why.getByLabel('SSO session').selectOption('');
    await why.getByLabel('System').selectOption('ios');
    await why.getByRole('status').getByText('mobile-not-supported').waitFor();
    const signIn = await why.getByRole('link', { name: /Sign in as .* with these settings/ }).getAttribute('href');
    expect(signIn).toContain(`/s/${sandbox.id}/sign-in?user=ada%40example.test&os=ios`);
  });

  it('R11.5: a user is evaluated under another ruleset and from a named location', async () => {
    await sandbox.directory.putSettings({ context: { namedLocations: ['office'] } }, 'control-api');
    await open('users/ada');
    const why = card('Explain verdict');
    await why.getByLabel('Ruleset').selectOption('2026-09');
    await expect.poll(() => why.getByText('M1', { exact: true }).count()).toBe(1);
    await why.getByLabel('Network').selectOption('office');
    const signIn = why.getByRole('link', { name: /Sign in as .* with these settings/ });
    await expect.poll(() => signIn.getAttribute('href')).toContain('network=office');
    await why.getByLabel('Ruleset').selectOption('');
    await expect.poll(() => why.getByText('M1', { exact: true }).count()).toBe(0);
    expect(sandbox.explain('ada', { network: 'office' }, '2026-09').ruleset).toBe('2026-09');
  });

  it('a journey is shown step by step with its verdict', async () => {
    const { id } = await sandbox.signIns.start('ada', {});
    await sandbox.signIns.acceptPassword(id);
    await sandbox.signIns.completeMfa(id);
    await sandbox.signIns.skip(id);
    await open('journeys');
    await page.getByRole('link', { name: id, exact: true }).click();
    await card('Verdict').getByText('Prompted; may skip').waitFor();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByText('2 of 4').waitFor();
    expect(await page.getByRole('button', { pressed: true }).innerText()).toContain('password.accepted');
    // The screen that the event led to is shown above it.
    expect(await page.getByRole('button', { pressed: true }).innerText()).toContain('Verify it is you');
    await page.getByRole('button', { pressed: true }).press('ArrowRight');
    await page.getByText('3 of 4').waitFor();
    await page.getByText('The step led to the screen prompt, evaluated skippable').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${sandbox.id}.journey.ndjson`);
  });

  it('events before the page was opened are shown, and journeys beyond the first page can be reached', async () => {
    for (let made = 0; made < 60; made += 1) await sandbox.signIns.start(made === 0 ? 'bob' : 'ada', {});
    const oldest = sandbox.signIns.list({ userId: 'bob', limit: 1 })[0]?.id ?? '';
    await open('overview');
    await expect.poll(() => card('Recent activity').getByText('signIn.started').count()).toBe(12);
    await open('journeys');
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByRole('link', { name: oldest, exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Older', disabled: true }).count()).toBe(1);
    await page.getByLabel('User').fill('bob');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(page.url()).toContain('user=bob');
  });

  it('two journeys are shown side by side with their differences', async () => {
    const { id: one } = await sandbox.signIns.start('ada', { os: 'windows' });
    const { id: other } = await sandbox.signIns.start('ada', { os: 'linux' });
    for (const id of [one, other]) {
      await sandbox.signIns.acceptPassword(id);
      await sandbox.signIns.completeMfa(id);
    }
    await sandbox.signIns.skip(one);
    await open(`journeys/${one}`);
    await page.getByRole('link', { name: 'Compare with another' }).click();
    await card(`Sign-in ${one}`).getByText('prompt.skipped').waitFor();
    await card(`Sign-in ${other}`).getByText('mfa.completed').waitFor();
    const parted = card('Differences');
    expect(await parted.getByRole('row', { name: /^Attempt os/ }).innerText()).toMatch(/windows\s+linux/);
    expect(await parted.getByRole('row', { name: /^Step 4/ }).innerText()).toMatch(/prompt\.skipped\s+–/);
    await page.getByLabel('Sign-in B').selectOption(one);
    await parted.getByText('No differences: attempt, verdict and steps are the same.').waitFor();
  });

  it('A9: an assumption can be switched', async () => {
    await open('assumptions');
    const box = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: /^A9 / }) })
      .getByRole('switch');
    expect(await box.isChecked()).toBe(false);
    await box.click();
    await expect.poll(() => sandbox.directory.tenant().options.strictDevice).toBe(true);
    await expect.poll(() => box.isChecked()).toBe(true);
  });

  it('keyboard: the command palette opens by its shortcut, finds a user and opens the user page', async () => {
    await open('overview');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('lovelace');
    await page.getByRole('option', { name: /Ada Lovelace/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    expect(page.url()).toContain('/users/ada');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('resume the clock');
    await page.getByRole('option', { name: 'Resume the clock', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => sandbox.clock.running()).toBe(true);
  });

  it('keyboard: a change of the clock does not move the focus', async () => {
    await open('overview');
    const button = page.getByRole('button', { name: 'Advance to next prompt' });
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false');
    await button.press('Enter');
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Advance to next prompt');
  });

  it('suite-missing: the page of a server without scenarios explains how to add them', async () => {
    await open('scenarios');
    await page.getByText('No scenarios are loaded').waitFor();
    await open('model');
    await page.getByText('Nothing is colored').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('sandbox-not-found: the page of an unknown sandbox shows this error', async () => {
    await page.goto(`${stage.server.baseUrl}/_console/s/nowhere/overview`);
    await page.getByRole('alert').getByText('Sandbox not found').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(complaints.splice(0)).not.toContain('');
  });

  it.each(views)('axe: %s has no findings in light and dark, wide and narrow', async (view) => {
    await sandbox.signIns.start('ada', {});
    await sandbox.signIns.start('bob', {});
    const { id } = sandbox.signIns.list({ limit: 1 })[0] ?? { id: 's1' };
    await open(view.replace('s1', id));
    await stage.findsNothing();
  });
});
