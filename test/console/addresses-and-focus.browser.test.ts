import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { setConsoleStage } from './console-stage.ts';

const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
const stage = setConsoleStage({
  name: 'addresses',
  given: { tenant: { campaign: { state: 'enabled', includeTargets: [target] } }, users: [{ id: 'ada' }] },
});
const { open, card } = stage;
let page: Page;
let sandbox: Sandbox;
beforeEach(() => {
  ({ page, sandbox } = stage);
});

describe('URLs and focus in the console', { timeout: 240_000 }, () => {
  it.each(['x', 's/default/x', 's/default/users/ada/more'])(
    'not-found: the page for the unknown path %s names the path and links to existing views',
    async (path) => {
      await page.goto(`${stage.server.baseUrl}/_console/${path}`);
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
      await page.getByRole('main').getByText(`/_console/${path}`).waitFor();
      expect(await page.getByRole('main').getByRole('link').count()).toBeGreaterThan(10);
      await stage.findsNothing();
    },
  );

  it('the base URL of the console opens the overview', async () => {
    await page.goto(`${stage.server.baseUrl}/_console`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(page.url()).toBe(`${stage.server.baseUrl}/_console/s/default/overview`);
  });

  it('a short view starts directly below the navigation in a narrow window', async () => {
    await page.setViewportSize({ width: 820, height: 1_000 });
    await open('x');
    const top = async (role: 'navigation' | 'heading'): Promise<number> => {
      const box = await page.getByRole(role).first().boundingBox();
      return role === 'navigation' ? (box?.y ?? 0) + (box?.height ?? 0) : (box?.y ?? 0);
    };
    expect((await top('heading')) - (await top('navigation'))).toBeLessThan(60);
  });

  it('keyboard: after a campaign is saved, the confirmation has the focus', async () => {
    await open('campaign');
    await page.getByLabel('Days allowed to snooze').selectOption('5');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.getByText('Settings saved.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Settings saved.');
    await page.getByLabel('Days allowed to snooze').selectOption('6');
    expect(await page.getByText('Settings saved.').count()).toBe(0);
  });

  it('entries of one type are listed page by page with newest first, and none is missing', async () => {
    for (let day = 0; day < 130; day += 1) {
      await sandbox.clock.set({ nowMs: sandbox.clock.nowMs() + 1_000 });
      if (day % 50 === 0) await sandbox.signIns.start('ada', {});
    }
    const places = async (): Promise<readonly number[]> => {
      const cells = await card('Entries').locator('tbody td:first-child').allInnerTexts();
      return cells.map(Number);
    };
    await open('journal?type=clock.set');
    await expect.poll(async () => (await places()).length).toBe(100);
    const newest = await places();
    expect(newest).toEqual(newest.toSorted((one, other) => other - one));
    await card('Entries').getByRole('button', { name: 'Older' }).click();
    await expect.poll(async () => (await places()).length).toBe(30);
    const older = await places();
    expect(Math.max(...older)).toBeLessThan(Math.min(...newest));
    expect(await card('Entries').getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
    await open('journal?type=signIn.started');
    await expect.poll(async () => (await places()).length).toBe(3);
    expect(await places()).toEqual((await places()).toSorted((one, other) => other - one));
  });

  it('suite-missing: without scenarios, the console sends no request that fails', async () => {
    const failedUrls: string[] = [];
    page.on('response', (answer) => answer.status() >= 400 && failedUrls.push(answer.url()));
    await open('scenarios');
    await page.getByText('No scenarios are loaded').waitFor();
    await open('model');
    await page.getByText('Nothing is colored').waitFor();
    await stage.loaded();
    expect(failedUrls).toEqual([]);
  });

  it.each(['campaign', 'settings', 'lookup', 'forecast'])(
    'controls on %s are at least 24 pixels wide and high',
    async (view) => {
      await open(view);
      await stage.loaded();
      const small = await page.evaluate(`[...document.querySelectorAll('input, button, select, summary')]
      .map((element) => [element.outerHTML, element.getBoundingClientRect()])
      .filter(([, { width, height }]) => width > 0 && (width < 23.9 || height < 23.9)).map(([html]) => html)`);
      expect(small).toEqual([]);
    },
  );
});
