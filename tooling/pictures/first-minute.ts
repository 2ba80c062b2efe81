import type { Page } from 'playwright-core';
import { signIn, type TakeFrame } from './scene.ts';
import type { PictureStage } from './stage.ts';

/** Plays the first minute of a new user: start the server, sign in, skip the prompt, move the clock, ask why. */
export async function playFirstMinute(page: Page, stage: PictureStage, _id: string, take: TakeFrame): Promise<void> {
  const { baseUrl, serveCommand, serveOutput } = stage;
  const userName = 'sms-user@example.test';
  const show = (caption: string, seconds: number, part = page.locator('body')): Promise<void> =>
    take({ part, caption, seconds });
  const consoleUrl = `${baseUrl}/_console/s/default`;

  await page.setContent(showTerminal(serveCommand, await serveOutput()));
  await show('Start the mock server. It prints its addresses and the users to sign in with.', 4);

  await page.goto(`${baseUrl}/sign-in`);
  await page.getByLabel('Username').fill(userName);
  await show('Sign in as a user of the sandbox: username …', 1.5);
  await page.locator('[data-control=next]').click();
  await page.locator('[data-control=password]').fill('correct horse');
  await show('… password …', 1);
  await page.locator('[data-control=submit-password]').click();
  await page.locator('[data-control=code]').fill('123456');
  await show('… and a second factor.', 1.5);
  await page.locator('[data-control=verify-code]').click();
  await page.locator('[data-control=skip]').focus();
  await show('The campaign prompts the user to set up the authenticator app. Skip it.', 3.5);
  await page.locator('[data-control=skip]').click();
  await page.locator('[data-page=signed-in]').waitFor();
  await page.mouse.move(0, 0);
  await show('Skipping starts a snooze of 1 day, and the user is signed in.', 2.5);

  await page.goto(`${consoleUrl}/users/sms-user`);
  const stopped = page.locator('.stopped').last();
  await stopped.scrollIntoViewIfNeeded();
  await show('Why would the user not be prompted now? Each rule explains itself.', 4);

  await page.goto(`${consoleUrl}/overview`);
  const clock = page.getByRole('region', { name: 'Clock' });
  const day = page.getByRole('button', { name: '+1 day' });
  await day.focus();
  await show('Advance the virtual clock by 1 day.', 2, clock);
  await day.click();
  await page.getByText('No active snooze.').waitFor();
  await show('The snooze is over.', 2, clock);

  await signIn(page, `${baseUrl}/sign-in`, userName);
  await page.locator('[data-page=prompt]').waitFor();
  await page.mouse.move(0, 0);
  await show('The next sign-in prompts again. Two snoozes are left.', 4);
}

/** Returns a page that shows a command with its output as a terminal does. */
function showTerminal(command: string, output: string): string {
  const toHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html><title>Terminal</title><style>
:root { color-scheme: light dark; --ground: #f6f8fa; --text: #1f2328; --sign: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --text: #e6edf3; --sign: #3fb950; } }
body { margin: 0; padding: 28px 32px; background: var(--ground); color: var(--text); font: 15px/1.5 ui-monospace, monospace; }
pre { margin: 0; font: inherit; white-space: pre-wrap; }
b { color: var(--sign); }
</style><pre><b>$</b> ${toHtml(command)}

${toHtml(output)}</pre>`;
}
