import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { toInstant } from '../../src/core/clock.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { setConsoleStage } from './console-stage.ts';

const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
const stage = setConsoleStage({
  name: 'controls',
  given: { tenant: { campaign: { state: 'enabled', includeTargets: [target] } }, users: [{ id: 'ada' }] },
});
const { open, card } = stage;
let page: Page;
let sandbox: Sandbox;
beforeEach(() => {
  ({ page, sandbox } = stage);
});

describe('clock and paths of the console', { timeout: 240_000 }, () => {
  const now = (): string => toInstant(sandbox.clock.nowMs());

  it('the clock is set to any date and time, and advanced by a week', async () => {
    await open('overview');
    const field = card('Clock').getByLabel('Date and time (UTC)');
    expect(await field.inputValue()).toBe('2026-01-05T09:00');
    await field.fill('2031-03-04T05:06:07');
    await field.press('Enter');
    await card('Clock').getByText('2031-03-04 05:06:07 UTC', { exact: true }).waitFor();
    expect(now()).toBe('2031-03-04T05:06:07.000Z');
    await page.getByRole('button', { name: '+1 week' }).click();
    await card('Clock').getByText('2031-03-11 05:06:07 UTC', { exact: true }).waitFor();
    await expect.poll(() => field.inputValue()).toBe('2031-03-11T05:06:07');
    await field.fill('1999-12-31T23:59:00');
    await page.getByRole('button', { name: 'Set clock' }).click();
    await card('Clock').getByText('1999-12-31 23:59:00 UTC', { exact: true }).waitFor();
    expect(sandbox.clock.running()).toBe(false);
  });

  it('a time that the clock does not allow is reported at the field, which keeps the focus, and nothing is sent', async () => {
    await open('overview');
    const field = card('Clock').getByLabel('Date and time (UTC)');
    for (const [text, message] of [
      ['12026-01-05T09:00', 'The year must be from 1970 to 9999.'],
      ['', 'Enter a date and a time, such as 2026-01-05 09:00.'],
    ] as const) {
      await field.fill(text);
      await page.getByRole('button', { name: 'Set clock' }).click();
      await card('Clock').getByRole('alert').getByText(message).waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(await page.evaluate('document.activeElement.type')).toBe('datetime-local');
    }
    await stage.findsNothing();
    expect([now(), sandbox.entryCount]).toEqual(['2026-01-05T09:00:00.000Z', 1]);
  });

  it.each([
    ['campaign', 'Campaign'],
    ['users?search=ada', 'Users'],
    ['overview', 'Overview'],
  ])('the view %s without a sandbox opens in the default sandbox', async (path, heading) => {
    await page.goto(`${stage.server.baseUrl}/_console/${path}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    expect(page.url()).toBe(`${stage.server.baseUrl}/_console/s/default/${path}`);
    expect(await page.getByRole('link', { name: heading, exact: true }).getAttribute('aria-current')).toBe('page');
  });
});

describe('requests in the console', { timeout: 240_000 }, () => {
  const paths = (): Promise<readonly string[]> => card('Received').locator('tbody code').allInnerTexts();

  it('requests to the sandbox are listed with user and status, and filtered by path, status and user', async () => {
    const site = `${stage.server.baseUrl}/s/${sandbox.id}`;
    const begin = `${site}/sign-in?user=ada`;
    await page.goto(begin);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForLoadState('networkidle');
    await fetch(`${site}/sign-in/s9`);
    await fetch(`${site}/nowhere/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl`);
    await open('requests');
    await expect.poll(paths).toEqual(['/nowhere/[redacted]', '/sign-in/s9', '/sign-in', '/sign-in']);
    await card('Received').getByRole('row', { name: /POST/ }).getByRole('link', { name: 'ada' }).waitFor();
    await page.getByLabel('Status').selectOption('4xx');
    await expect.poll(async () => (await paths()).length).toBe(2);
    await page.getByLabel('Path begins with').fill('/sign-in');
    await expect.poll(paths).toEqual(['/sign-in/s9']);
    await page.reload();
    await expect.poll(paths).toEqual(['/sign-in/s9']);
    await page.getByLabel('Status').selectOption('');
    await page.getByLabel('User').fill('ada');
    await expect.poll(paths).toEqual(['/sign-in']);
    await page.getByLabel('Path begins with').fill('/v1.0');
    await page.getByText('No requests match these filters.').waitFor();
    await stage.findsNothing();
  });

  it("the requests of administrators' tools are listed with their caller and lead to their journal entries", async () => {
    await open('requests?administration=true');
    await page.getByText('No requests of administrators’ tools yet.', { exact: false }).waitFor();
    const site = `${stage.server.baseUrl}/s/${sandbox.id}`;
    const { access_token: token } = await sandbox.tokens.issue({
      app: 'help-desk',
      permissions: ['UserAuthenticationMethod.ReadWrite.All'],
    });
    const mobile = '/v1.0/users/ada/authentication/phoneMethods/3179e48a-750b-4051-897c-87b9720928f7';
    await fetch(`${site}/sign-in/s9`);
    await fetch(`${site}${mobile}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
    await fetch(`${site}/v1.0/users`, { headers: { authorization: `Bearer ${token}` } });
    await fetch(`${site}/beta/users`);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(paths).toEqual(['/beta/users', '/v1.0/users', mobile]);
    const removal = card('Received').getByRole('row', { name: /DELETE/ });
    expect(await removal.getByRole('cell', { name: 'help-desk' }).count()).toBe(1);
    await stage.findsNothing();
    await page.getByLabel('Only tools of administrators').uncheck();
    await expect.poll(async () => (await paths()).length).toBe(4);
    await page.getByLabel('Only tools of administrators').check();
    await removal.getByRole('link', { name: /^Journal entry/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Journal' }).waitFor();
    await card('Entries').getByText('method.removed').waitFor();
  });

  it('CL61: a finding is below its request, over the whole width', async () => {
    const site = `${stage.server.baseUrl}/s/${sandbox.id}`;
    const body = new URLSearchParams({ client_id: 'test-public', grant_type: 'x' });
    await fetch(`${site}/oauth2/token`, { method: 'POST', headers: { origin: 'https://elsewhere.example' }, body });
    await open('requests');
    await expect.poll(paths).toEqual(['/oauth2/token']);
    const rows = card('Received').locator('tbody tr');
    expect(await rows.nth(1).innerText()).toContain('Origin https://elsewhere.example is not allowed');
    expect(await rows.nth(1).locator('td').getAttribute('colspan')).toBe(
      String(await card('Received').locator('thead th').count()),
    );
    await stage.findsNothing();
  });

  it('older requests are reached page by page', async () => {
    const site = `${stage.server.baseUrl}/s/${sandbox.id}`;
    for (let made = 1; made <= 150; made += 1) await (await fetch(`${site}/sign-in/s${made}`)).text();
    await open('requests');
    await card('Received').getByText('150 requests').waitFor();
    expect((await paths())[0]).toMatch(/\/s150$/);
    await page.getByRole('button', { name: 'Older' }).click();
    await expect.poll(async () => (await paths()).length).toBe(50);
    expect((await paths()).at(-1)).toMatch(/\/s1$/);
    await page.getByRole('button', { name: 'Older', disabled: true }).waitFor();
    await page.getByRole('button', { name: 'Newest' }).click();
    await expect.poll(async () => (await paths())[0]).toMatch(/\/s150$/);
  });
});
