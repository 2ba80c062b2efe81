import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FreshProject } from '../generate/write/fresh-project.ts';

let project: FreshProject;
/** Running application, unlike the other clients, whose pages are only simulated. */
let application: Server;

beforeEach(async () => {
  project = new FreshProject();
  application = createServer((_request, response) => response.end('the application itself'));
  await new Promise<void>((resolve) => application.listen(0, 'localhost', resolve));
});

afterEach(() => {
  project.remove();
  application.close();
});

const specFor = (callback: string) => `import { expect, test } from 'nudgelab/playwright';

const shop = { extends: 'web-site', id: 'shop', consent: 'required' };
const phone = { extends: 'phone-app', id: 'phone', consent: 'granted' };
const local = { extends: 'web-site', id: 'local', redirectUris: ['${callback}'] };
const given = { tenant: 'app-enabled', users: { ada: 'sms-user', bob: {} }, clients: ['web-site', shop, phone, local] };
test.use({ given });

test('ends at the application', async ({ page, signIn, signOut, prompt, persona }) => {
  expect(await signIn(page, 'ada', { client: 'web-site' })).toEqual({ page: 'prompt', visitedPages: [] });
  await expect(page).toBePrompted();
  expect(await prompt(page).skip()).toEqual({ page: 'application', status: 200 });
  await expect(page).toBeAt('application');
  await expect(prompt(page).skip()).rejects.toThrow(/back at its application/);
  await expect(persona('ada')).toHaveNudgeStatus({ snoozes: 1 });
  expect(await signIn(page, 'ada', { client: 'web-site' })).toEqual({ page: 'application', visitedPages: [] });
  expect(await signOut(page, { from: 'application' })).toEqual({ page: 'signed-out', visitedPages: ['sign-out'] });
  expect(await signIn(page, 'ada', { client: 'web-site' })).toEqual({ page: 'application', visitedPages: [] });
  expect(await signOut(page)).toEqual({ page: 'signed-out', visitedPages: ['sign-out'] });
  expect(await signIn(page, 'ada')).toEqual({ page: 'not-nudged', visitedPages: [] });
  await expect(signOut(page)).rejects.toThrow(/did not start at an application/);
});

test('another tab of the browser has its session, another device has none', async ({ page, context, newDevice, signIn, prompt }) => {
  await signIn(page, 'ada', { client: 'web-site' });
  await prompt(page).skip();
  expect((await signIn(await context.newPage(), 'ada', { client: 'shop' })).visitedPages).toEqual(['consent']);
  expect((await signIn(await newDevice(), 'bob', { client: 'web-site' })).page).toBe('prompt');
});

test('prints the verdict and the journey with a failure', async ({ page, signIn, prompt, persona }) => {
  const failure = (check: Promise<void>) => check.then(() => 'passed', String);
  await signIn(page, 'ada');
  const required = await failure(expect(page).toBeRequired({ timeout: 200 }));
  expect(required).toContain('Verdict: Prompted; may skip');
  expect(required).toContain('Decided by R6: 0 of 3 snoozes used; 3 left.');
  await prompt(page).skip();
  await signIn(page, 'ada');
  const prompted = await failure(expect(page).toBePrompted({ timeout: 200 }));
  expect(prompted).toContain('Decided by R5: Snoozed less than a minute ago');
  expect(prompted).toMatch(/Journey of ada:[^]*sign-in started, .*prompt skipped/);
  expect(await failure(expect(page).toBeLetThrough('excluded', { timeout: 200 }))).toContain('Decided by R5');
  expect(await failure(expect(persona('ada')).toHaveSnoozesLeft(3, { timeout: 200 }))).toContain('1 of 3 snoozes used; 2 left.');
});

test('answers at the pages of the application', async ({ page, signIn, prompt }) => {
  await signIn(page, 'ada', { client: 'shop', consent: 'refuse' });
  expect(await prompt(page).skip()).toEqual({ page: 'application-refused', status: 200 });
  await expect(signIn(page, 'ada', { client: 'web-site', consent: 'accept' })).rejects.toThrow(/consent was never requested/);
});

test('chooses an account', async ({ page, signIn, prompt }) => {
  await signIn(page, 'ada', { client: 'web-site' });
  await prompt(page).skip();
  expect(await signIn(page, 'bob', { client: 'web-site', account: 'another' })).toEqual({
    page: 'prompt',
    visitedPages: ['account-picker'],
  });
});

test('an application with a scheme of its own is reached too', async ({ page, signIn, prompt }) => {
  await signIn(page, 'ada', { client: 'phone' });
  expect((await prompt(page).skip()).page).toBe('application');
});

test('stands in for the application no longer than the sign-in lasts', async ({ page, signIn, prompt }) => {
  await signIn(page, 'ada', { client: 'local' });
  await prompt(page).skip();
  await expect(page).toBeAt('application');
  await page.goto('${callback}');
  await expect(page.locator('body')).toHaveText('the application itself');
});

test('wrong words are named', async ({ page, signIn }) => {
  await expect(signIn(page, 'ada', { client: 'web-site', consent: 'perhaps' })).rejects.toThrow(/consent/);
});
`;

it('nudgelab/playwright: a sign-in started by an application ends at the application, in a real browser', async () => {
  const { port } = application.address() as AddressInfo;
  project.write([
    { path: 'e2e/clients.spec.ts', text: specFor(`http://localhost:${port}/callback`) },
    {
      path: 'playwright.config.js',
      text: "export default { testDir: 'e2e', reporter: [['json']], workers: 2, fullyParallel: true, timeout: 60_000 };\n",
    },
  ]);
  const ended = await project.run('@playwright/test/cli.js', ['test']);
  const { stats } = JSON.parse(ended.stdout) as { readonly stats: { readonly expected: number } };
  expect({ code: ended.code, passed: stats.expected }, ended.stdout).toEqual({ code: 0, passed: 8 });
}, 180_000);
