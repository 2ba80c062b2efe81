import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { AnalysisThreads } from '../../src/cli/serve/analysis-threads.ts';
import { planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { setConsoleStage } from './console-stage.ts';

const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
const tenant = {
  campaign: {
    state: 'enabled',
    includeTargets: [target],
    excludeTargets: [{ targetType: 'user', id: 'eve' }],
    snoozeDurationInDays: 2,
  },
  groups: { staff: [] },
};
const users = [
  { id: 'ada', groups: ['staff'] },
  { id: 'eve' },
  ...Array.from({ length: 48 }, (_, index) => ({ id: `user-${index}` })),
];

const analyses = new AnalysisThreads();
const stage = setConsoleStage({
  name: 'analyses',
  given: { tenant, users },
  serverWith: () => ({ analyses, about: { version: '9.8.7', store: 'memory' } }),
  afterServer: () => analyses.close(),
});
const { open, card, findsNothing } = stage;
let page: Page;
let sandbox: Sandbox;
beforeEach(() => {
  ({ page, sandbox } = stage);
});

async function signIn(user: string): Promise<string> {
  const { id } = await sandbox.signIns.start(user, {});
  await sandbox.signIns.acceptPassword(id);
  await sandbox.signIns.completeMfa(id);
  return id;
}

/** Clicks a button and returns the name and text of the downloaded file. */
async function saved(name: string): Promise<readonly [string, string]> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name }).click();
  const download = await waiting;
  return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
}

describe('forecasts in the console', { timeout: 240_000 }, () => {
  it('forecasts this sandbox with percentile bands and other policies as tables and CSV, and axe has no findings', async () => {
    await open('forecast');
    await page.getByText('its policy and exactly its 50 users.').waitFor();
    await page.getByLabel('Users', { exact: true }).fill('30');
    await page.getByText('1,000 users in the proportions of its 50 users').waitFor();
    await page.getByLabel('Compare with other policies').check();
    await page.getByLabel('Run sensitivity analysis').check();
    await page.getByRole('button', { name: 'Forecast', exact: true }).click();
    await card('Summary')
      .getByText('1,000 users, 90 days, random seed 1; in parentheses P5–P95 over 10 random seeds')
      .waitFor({ timeout: 60_000 });
    await page.getByRole('img', { name: /^Prompts and actions per day/ }).waitFor();
    await card('Sensitivity').getByRole('rowheader').first().waitFor();
    await card('Day by day').getByText('Show as table').first().click();
    const [name, csv] = await saved('Save as CSV: Prompts and actions per day');
    expect(name).toBe('forecast-days.csv');
    expect(csv.split('\n')[0]).toBe(
      'Day,Prompted,"Prompted, low","Prompted, high",Snoozed,"Snoozed, low","Snoozed, high",Required,Registered',
    );
    expect(csv.trimEnd().split('\n')).toHaveLength(91);
    const [never, whys] = await saved('Save as CSV: Users at the end, by their latest sign-in');
    expect([never, whys.split('\n')[0]]).toEqual(['forecast-never-prompted.csv', 'Reason,Users,Share']);
    const [moved, inputs] = await saved('Save as CSV: Effect of each input, largest first');
    expect([moved, inputs.split(',')[0]]).toEqual(['forecast-sensitivity.csv', 'Input']);
    await findsNothing();
    expect(await page.getByRole('button', { name: /^Apply Authenticator app/ }).count()).toBe(16);
  });

  it('S2: a forecast has exactly the users of the sandbox, and no count exceeds them', async () => {
    const few = [{ id: 'ada' }, { id: 'bob' }, { id: 'eve' }];
    const excludeTargets = [{ targetType: 'user', id: 'eve' }];
    const campaign = { state: 'enabled', includeTargets: [target], excludeTargets };
    const { id } = await stage.sandboxes.create(`few-${sandbox.id}`, planSandbox({ tenant: { campaign }, users: few }));
    await page.goto(`${stage.server.baseUrl}/_console/s/${id}/forecast`);
    await page.getByText('its policy and exactly its 3 users.').waitFor();
    await page.getByRole('button', { name: 'Forecast', exact: true }).click();
    await card('Summary').getByText('3 users, 90 days').waitFor({ timeout: 60_000 });
    const row = card('Never prompted, by reason').getByRole('row', { name: /^Excluded/ });
    expect(await row.innerText()).toMatch(/^Excluded\s+1\s+33\.3 %$/);
    await card('Day by day').getByText('Show as table').last().click();
    const [, csv] = await saved('Save as CSV: Users (cumulative)');
    const [, ...days] = csv.trimEnd().split('\n');
    expect(days).toHaveLength(90);
    for (const day of days) {
      const [, registered = 0, , , , , , never = 0, , high = 0] = day.split(',').map(Number);
      expect(registered + never).toBeLessThanOrEqual(3);
      expect(high).toBeLessThanOrEqual(3);
    }
  });

  it('a policy of the chart can be applied, and its URL restores the same forecast', async () => {
    await open('forecast');
    await page.getByLabel('Compare with other policies').check();
    await page.getByRole('button', { name: 'Forecast', exact: true }).click();
    await page
      .getByRole('button', { name: /^Apply Authenticator app, unlimited snoozes, 7 days/ })
      .click({ timeout: 60_000 });
    await expect.poll(() => page.getByLabel('Days allowed to snooze').inputValue()).toBe('7');
    expect(await page.getByLabel('Required after three snoozes').isChecked()).toBe(false);
    const shares = await card('Summary').innerText();
    await page.reload();
    await card('Summary').waitFor();
    expect(await card('Summary').innerText()).toBe(shares);
    expect(await page.getByLabel('Days allowed to snooze').inputValue()).toBe('7');
  });

  it('R11: settings that the provider manages are locked', async () => {
    await open('forecast');
    await page.getByLabel('State').selectOption('default');
    expect(await page.getByLabel('Days allowed to snooze').isDisabled()).toBe(true);
    expect(await page.getByLabel('Required after three snoozes').isDisabled()).toBe(true);
  });

  it('a long forecast shows its progress and can be canceled', async () => {
    await open('forecast?users=1000000&days=365&seeds=20');
    await page.getByRole('button', { name: 'Forecast', exact: true }).click();
    await page.getByRole('progressbar', { name: 'Progress of the analysis' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Analysis canceled.').waitFor();
    expect(await page.getByRole('button', { name: 'Forecast', exact: true }).isEnabled()).toBe(true);
  });

  it('bad-request: a tenant can be pasted as JSON, and its problems are shown with their location', async () => {
    await open('forecast');
    await page.getByText('Describe another tenant as JSON').click();
    await page.getByLabel('Description text').fill('{');
    await page.getByRole('alert').getByText('This is not a valid JSON description').waitFor();
    await page.getByLabel('Description text').fill('{"name": "Office", "days": 30, "users": 100}');
    await page.getByText('Office as described, with 100 users drawn at random by share.').waitFor();
    expect(await page.getByRole('group', { name: 'User behavior' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Forecast', exact: true }).click();
    await page.getByRole('alert').getByText('body.description.segments').first().waitFor();
  });
});

describe('comparisons in the console', { timeout: 240_000 }, () => {
  it('S2: shows which users another policy would have prompted, and the rule results of one of them', async () => {
    await sandbox.signIns.skip(await signIn('ada'));
    await signIn('eve');
    await open('compare');
    await page.getByText('Policy as JSON instead of the inputs').click();
    await page.getByLabel('Complete or partial policy, or tenant facts').fill('{"campaign": {"excludeTargets": []}}');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const totals = card('Sign-ins').getByRole('row');
    await totals.filter({ hasText: 'Newly prompted' }).getByText('1', { exact: true }).waitFor({ timeout: 60_000 });
    await card('Sign-ins').getByText('An action is assumed for 1 new prompt.').waitFor();
    await page.getByRole('img', { name: /^Prompts per day/ }).waitFor();
    await page.getByRole('button', { name: 'eve', exact: true }).click();
    const line = page.getByRole('region', { name: 'eve, sign-in by sign-in' });
    await line.getByText('Stopped: excluded → Passed').waitFor({ timeout: 60_000 });
    await line.getByText('assumed', { exact: true }).waitFor();
    const [name, csv] = await saved('Save as CSV: By group');
    expect([name, csv]).toEqual([
      'compare-groups.csv',
      'group,Sign-ins,Prompted before,Prompted now,Required now\nstaff,1,1,1,0\n',
    ]);
    await findsNothing();
    await page.reload();
    await line.getByText('Stopped: excluded → Passed').waitFor();
  });

  it('R6: several policies are compared side by side and in full, and the URL restores all of them', async () => {
    await sandbox.signIns.skip(await signIn('ada'));
    await signIn('eve');
    await open('compare');
    await page.getByLabel('State').selectOption('disabled');
    await page.getByRole('button', { name: 'Add another policy' }).click();
    expect(await page.getByLabel('State').inputValue()).toBe('');
    await page.getByText('Policy as JSON instead of the inputs').click();
    await page.getByLabel('Complete or partial policy, or tenant facts').fill('{"campaign": {"excludeTargets": []}}');
    await page.getByRole('button', { name: 'Compare 2 policies' }).click();
    const row = (name: string) => card('Side by side').getByRole('row', { name });
    await row('No longer prompted').waitFor({ timeout: 60_000 });
    expect(await row('No longer prompted').innerText()).toMatch(/1\s+0$/);
    expect(await row('Newly prompted').innerText()).toMatch(/0\s+1$/);
    await page.getByLabel('Selected policy').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'eve', exact: true }).click();
    const line = page.getByRole('region', { name: 'eve, sign-in by sign-in' });
    await expect.poll(() => line.getByRole('row').count(), { timeout: 60_000 }).toBe(2);
    await findsNothing();
    await page.reload();
    await row('Newly prompted').waitFor();
    await page.getByRole('button', { name: 'Remove Disabled' }).click();
    await page.getByRole('button', { name: 'Compare', exact: true }).waitFor();
  });

  it('R10.4: a comparison requires a changed setting, and a sandbox without sign-ins shows a notice', async () => {
    await open('compare');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('alert').getByText('This policy matches the current one').waitFor();
    await page.getByLabel('State').selectOption('disabled');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByText('No one has signed in to this sandbox yet').waitFor({ timeout: 60_000 });
    expect(sandbox.entryCount).toBe(1);
  });
});

describe('settings in the console', { timeout: 240_000 }, () => {
  it('shows the server and the sandbox, and axe has no findings', async () => {
    await open('settings');
    await card('Server').getByText('9.8.7').waitFor();
    await card('Server').getByText('In memory (lost when the server stops)').waitFor();
    await card('Sandbox').getByText('2026-01-05 09:00:00 UTC, frozen').waitFor();
    await card('Server').getByText('Limits').click();
    await findsNothing();
  });

  it('a selected theme is kept regardless of the system theme', async () => {
    await open('settings');
    const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const light = await ground();
    await page.getByLabel('Dark theme').check();
    await expect.poll(ground).not.toBe(light);
    await page.reload();
    await card('Server').waitFor();
    expect(await page.getByLabel('Dark theme').isChecked()).toBe(true);
    expect(await ground()).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByLabel('Light theme').check();
    await expect.poll(ground).toBe(light);
  });

  it('the name and color of the sign-in pages are saved and can be reset', async () => {
    await open('settings');
    await page.getByLabel('Name').fill('Example Works');
    await page.getByLabel('Color', { exact: true }).fill('#225533');
    await card('Branding').getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => sandbox.directory.settings().branding).toEqual({ name: 'Example Works', color: '#225533' });
    await page.getByRole('button', { name: 'Restore default branding' }).click();
    await expect.poll(() => sandbox.directory.settings().branding).toBeUndefined();
  });

  it('unauthenticated: a token works until it is revoked', async () => {
    await open('settings');
    await page.getByRole('button', { name: 'Issue token' }).click();
    const token = await card('Access tokens').locator('pre').innerText();
    const status = async () => {
      const headers = { authorization: `Bearer ${token}` };
      const address = `${stage.server.baseUrl}/s/${sandbox.id}/v1.0/policies/authenticationMethodsPolicy`;
      return (await fetch(address, { headers })).status;
    };
    expect(await status()).toBe(200);
    await page.getByLabel('Token to revoke').fill(token);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Token revoked.').waitFor();
    expect(await status()).toBe(401);
  });
});

describe('properties in the console', { timeout: 240_000 }, () => {
  it('PR27: shows proven properties, and a counterexample step by step on the statechart', async () => {
    await sandbox.signIns.skip(await signIn('ada'));
    await open('properties');
    await page.getByRole('button', { name: 'Check properties' }).click();
    await card('Results')
      .getByText(/^14 of 14 properties are proven/)
      .waitFor({ timeout: 40_000 });
    await card('Recorded sign-ins').getByText('No user of this sandbox has violated a property.').waitFor();
    await findsNothing();
    await page
      .getByLabel('Properties file (YAML)')
      .fill('properties: [{ id: once, title: No user snoozes twice, property: { never: { fact: snoozes, is: 2 } } }]');
    await page.getByRole('button', { name: 'Check properties' }).click();
    await card('Results').getByText('Violated').waitFor({ timeout: 40_000 });
    await page.getByRole('button', { name: 'Show counterexample' }).click();
    const counterexample = card('Counterexample');
    await counterexample.getByText('No user snoozes twice — 5 steps.').waitFor();
    await counterexample.getByRole('img', { name: /^Statechart of/ }).waitFor();
    await counterexample.getByText('After step 5: skips').waitFor();
    await counterexample.getByRole('button', { name: 'Previous step' }).click();
    await counterexample.getByText('After step 4: signs in').waitFor();
    await findsNothing();
    await page.reload();
    await counterexample.getByText('After step 5: skips').waitFor();
  });
});
