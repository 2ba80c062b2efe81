import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { launchBrowser } from '../../../src/scenario/drivers/browser/browser-process.ts';
import { killPage } from '../../../src/scenario/drivers/browser/device-context.ts';
import { findBrowser } from '../../../src/scenario/drivers/browser/find-browser.ts';
import { sharedBrowser } from '../../shared-browser.ts';
import { startTestServer, type TestServer } from '../../test-server.ts';
import { createScenario } from './signed-in-server.ts';

const { plan } = createScenario('app-enabled', '  - signIn: { user: ada }\n    expect: { page: prompt }\n');
let server: TestServer;
let browser: Browser;
let sandbox: Sandbox;
let context: BrowserContext;
let page: Page;
let made = 0;

beforeAll(async () => {
  server = await startTestServer();
  browser = await sharedBrowser();
}, 60_000);

afterAll(async () => {
  await server.close();
});

beforeEach(async () => {
  made += 1;
  sandbox = await server.sandboxes.create(`leaving-${made}`, plan);
  context = await browser.newContext();
  page = await context.newPage();
});

afterEach(() => context.close());

async function reachPrompt(target = page): Promise<void> {
  await target.goto(`${server.baseUrl}/s/${sandbox.id}/sign-in`);
  await target.getByLabel('Username').fill('ada@example.test');
  await target.getByRole('button', { name: 'Next' }).click();
  await target.getByLabel('Password').fill('correct horse');
  await target.getByRole('button', { name: 'Sign in', exact: true }).click();
  await target.getByLabel('Code').fill('123456');
  await target.getByRole('button', { name: 'Verify' }).click();
  await target.getByRole('button', { name: 'Skip for now' }).waitFor();
}

/** Counts the journal entries of an event type. */
async function noted(type: string): Promise<number> {
  const entries = await sandbox.journal({ after: 0, limit: 1_000 });
  return entries.filter((entry) => entry.event.type === type).length;
}

/** Returns whether the open prompt of the user has a pending close now. */
async function isMarked(): Promise<boolean> {
  return (await noted('browser.closed')) > (await noted('prompt.resumed'));
}

/** Waits until the server has handled all beacons, with a request from another browser context. */
async function beaconsSettle(): Promise<void> {
  // The server handles a beacon before any request that is sent after the page was closed.
  const other = await browser.newContext();
  const probe = await other.newPage();
  await probe.goto(`${server.baseUrl}/s/${sandbox.id}/sign-in`);
  await other.close();
}

describe('closing a prompt in a real browser', { timeout: 240_000 }, () => {
  it('A26: reloading a page that was the response to a form does not submit it again or start another sign-in', async () => {
    await page.goto(`${server.baseUrl}/s/${sandbox.id}/sign-in`);
    await page.getByLabel('Username').fill('ada@example.test');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Password').waitFor();
    await page.reload();
    await page.getByLabel('Password').waitFor();
    expect(await noted('signIn.started')).toBe(1);
  });

  it('A41: closing the page sends exactly one unload beacon, which counts once it is settled', async () => {
    await reachPrompt();
    await page.close();
    await expect.poll(() => noted('browser.closed')).toBe(1);
    await beaconsSettle();
    expect(await noted('browser.closed')).toBe(1);
    expect(sandbox.directory.nudgeStatus('ada').snoozes).toBe(0);
    await sandbox.clock.advance({ minutes: 15 });
    expect(sandbox.directory.nudgeStatus('ada').snoozes).toBe(1);
  });

  it('A41: completing the prompt sends no unload beacon', async () => {
    await reachPrompt();
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    await page.close();
    await beaconsSettle();
    expect(await noted('browser.closed')).toBe(0);
    expect(sandbox.directory.nudgeStatus('ada').snoozes).toBe(1);
  });

  it('A41: Next sends no unload beacon, and closing the page after it sends one (A11)', async () => {
    await reachPrompt();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'Set up the authenticator app' }).waitFor();
    await beaconsSettle();
    expect(await noted('browser.closed')).toBe(0);
    await page.close();
    await expect.poll(() => noted('browser.closed')).toBe(1);
  });

  it('A41: a reload leaves no pending close, regardless of the order of its two requests', async () => {
    await reachPrompt();
    for (let times = 0; times < 3; times += 1) {
      await page.reload();
      await page.getByRole('button', { name: 'Skip for now' }).waitFor();
    }
    await beaconsSettle();
    expect(await isMarked()).toBe(false);
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    expect(sandbox.directory.nudgeStatus('ada').snoozes).toBe(1);
  });

  it('A41: navigating away records a pending close, and the back button withdraws it', async () => {
    await reachPrompt();
    await page.goto(`${server.baseUrl}/s/${sandbox.id}/sign-in`);
    await expect.poll(() => isMarked()).toBe(true);
    await page.goBack();
    await page.getByRole('button', { name: 'Skip for now' }).waitFor();
    await beaconsSettle();
    await expect.poll(() => isMarked()).toBe(false);
  });

  it('A10: closing the error screen does not count', async () => {
    await reachPrompt();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'It did not work' }).click();
    await page.getByRole('heading', { name: 'Setup did not work' }).waitFor();
    await page.close();
    await beaconsSettle();
    await sandbox.clock.advance({ days: 2 });
    expect(sandbox.directory.nudgeStatus('ada').snoozes).toBe(0);
  });

  it('A25: a killed browser sends no beacon, and the prompt counts when its lifetime expires', async () => {
    const own = await launchBrowser(await findBrowser(process.env));
    const killed = await own.newPage();
    await reachPrompt(killed);
    const gone = new Promise<void>((resolve) => own.on('disconnected', () => resolve()));
    const protocol = await own.newBrowserCDPSession();
    await protocol.send('Browser.crash').catch(() => undefined);
    await gone;
    await beaconsSettle();
    expect(await noted('browser.closed')).toBe(0);
    await sandbox.clock.advance({ minutes: 15 });
    expect(sandbox.directory.nudgeStatus('ada').snoozes).toBe(1);
  }, 30_000);

  it('A25: a device that disappears without closing its page sends no beacon', async () => {
    await reachPrompt();
    await killPage({ page, protocol: await context.newCDPSession(page) });
    await context.close();
    await beaconsSettle();
    expect(await noted('browser.closed')).toBe(0);
  });
});
