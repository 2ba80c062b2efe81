import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { setConsoleStage } from './console-stage.ts';

const stage = setConsoleStage({ name: 'services', given: { users: [{ id: 'ada' }] } });
const { open, card } = stage;
let page: Page;
let sandbox: Sandbox;
beforeEach(() => {
  ({ page, sandbox } = stage);
});

describe('lookup and documents in the console', { timeout: 240_000 }, () => {
  it('L4: a lookup request reduces the quota, and a tool can be disabled', async () => {
    await open('lookup');
    await card('Quota of this token').getByText('0 of 30').waitFor();
    await page.getByLabel('Query').fill("o'hara@example.test");
    await card('Ask').getByText('query=o%27hara%40example.test').waitFor();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await card('Ask').getByText('Response with status 200').waitFor();
    await card('Ask').getByText('x-ratelimit-remaining: 29').waitFor();
    await card('Quota of this token').getByText('1 of 30').waitFor();
    const quorvex = page.getByRole('group', { name: 'email' }).getByRole('switch', { name: 'Quorvex' });
    await quorvex.click();
    await expect.poll(() => quorvex.isChecked()).toBe(false);
    await page.getByLabel('Tool', { exact: true }).selectOption('quorvex');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await card('Ask').getByText('Response with status 403').waitFor();
    expect(await card('Ask').getByText('"code": 403').isVisible()).toBe(true);
  });

  it('L7: a token is issued, shown once, used, and revoked', async () => {
    await open('lookup');
    await page.getByLabel('Token name').fill('nightly');
    await page.getByRole('button', { name: 'Issue token' }).click();
    const token = await card('Tokens').getByRole('status').locator('code').innerText();
    await page.getByLabel('Token', { exact: true }).fill(token);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await card('Ask').getByText('Response with status 200').waitFor();
    await page.getByRole('button', { name: /^Revoke nightly/ }).click();
    await expect.poll(() => page.getByRole('button', { name: /^Revoke nightly/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await card('Ask').getByText('Response with status 401').waitFor();
    expect(await page.getByText('Response with status 200').count()).toBe(0);
  });

  it('D5: a PDF becomes a document that can be hidden and removed, and an invalid PDF is rejected', async () => {
    await open('documents');
    const field = page.getByLabel('Choose or drop PDF files');
    await field.setInputFiles('fixtures/documents/tex-budget.pdf');
    await page.getByRole('link', { name: 'Budget of the parish' }).waitFor();
    await page.getByRole('cell', { name: 'everybody' }).waitFor();
    await page.getByRole('button', { name: 'Hide document 1' }).click();
    await page.getByRole('cell', { name: 'its owner' }).waitFor();
    await page.getByRole('button', { name: 'Remove document 1' }).click();
    await page.getByText('No documents yet').waitFor();
    const broken = { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no PDF') };
    const whole = { ...broken, name: 'budget.pdf', buffer: readFileSync('fixtures/documents/tex-budget.pdf') };
    await field.setInputFiles([broken, whole]);
    await field.setInputFiles({ ...broken, name: 'more.pdf' });
    await page.getByRole('alert').getByText('notes.pdf').waitFor();
    // A rejected file does not block other files, and files that are added meanwhile are queued.
    await page.getByRole('alert').getByText('more.pdf').waitFor();
    await page.getByRole('link', { name: 'Budget of the parish', exact: true }).waitFor();
    expect(sandbox.directory.userCount()).toBe(1);
  });

  it('D5: a dropped private PDF shows its cover, and a search finds words in its pages', async () => {
    await open('documents');
    await page.getByLabel('Visible to everyone').uncheck();
    const bytes = readFileSync('fixtures/documents/ghostscript-harbour.pdf').toString('base64');
    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      const file = Uint8Array.from(atob('${bytes}'), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([file], 'harbour.pdf', { type: 'application/pdf' }));
      return transfer;
    })()`);
    await page.getByText('Choose or drop PDF files').dispatchEvent('drop', { dataTransfer: dropped });
    const cover = page.getByRole('img', { name: 'Read page 1 of document 1' });
    await cover.waitFor({ timeout: 15_000 });
    await expect
      .poll(() => cover.evaluate((image) => (image as unknown as { readonly naturalWidth: number }).naturalWidth), {
        timeout: 10_000,
      })
      .toBeGreaterThan(50);
    await page.getByLabel('Words in pages').fill('tide');
    const found = card('Search').getByRole('link', { name: 'Report on the harbour, page 2' });
    await found.waitFor();
    await card('Search').getByText('1 page found').waitFor();
    await found.click();
    await page.getByText('Page 2 of 2').waitFor();
    await page.getByText('The highest tide stood at 4.8 metres.').first().waitFor();
  });
});
