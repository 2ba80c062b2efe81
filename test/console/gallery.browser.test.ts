import { beforeEach, describe, expect, it } from 'vitest';
import { PageGallery } from '../../src/gallery/page-gallery.ts';
import { pageRecipes } from '../../src/gallery/page-recipes.ts';
import { setConsoleStage } from './console-stage.ts';

const gallery = new PageGallery();
const stage = setConsoleStage({
  name: 'gallery',
  given: { users: [{ id: 'ada' }] },
  serverWith: () => ({ gallery }),
  afterServer: () => gallery.close(),
});

describe('gallery view in a browser', { timeout: 240_000 }, () => {
  beforeEach(async () => {
    await gallery.list();
  });

  it('086: it shows every state with its page, and a version by its address', async () => {
    const { page } = stage;
    await stage.open('gallery');
    await page.getByRole('heading', { level: 3 }).first().waitFor();
    expect(await page.getByRole('heading', { level: 3 }).count()).toBe(pageRecipes.length);
    await page.getByLabel('Page').selectOption('prompt');
    await page.getByLabel('Language').selectOption('ar');
    await page.getByLabel('Color scheme').selectOption('dark');
    await expect.poll(() => page.url()).toContain('page=prompt&language=ar&scheme=dark');
    const frame = page.frameLocator('iframe[title="prompt-app"]');
    await frame.locator('html[dir=rtl] main[data-page=prompt]').waitFor();
    const ground = await frame.locator('html').evaluate('getComputedStyle(document.documentElement).backgroundColor');
    expect(ground).toBe('rgb(15, 19, 24)');
  });

  it('086: it creates the sandbox of a state, and its first step opens', async () => {
    const { page } = stage;
    await stage.open('gallery?page=required');
    await page.getByRole('button', { name: 'Create sandbox for required-app' }).click();
    const link = page.getByRole('link', { name: 'Open the first step in' });
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await opened.getByLabel('Username').waitFor();
    expect(opened.url()).toMatch(/\/s\/[\w-]+\/sign-in\?os=windows&browser=chrome$/);
    await opened.close();
  });

  it('axe: the gallery has no findings in light and dark, wide and narrow', async () => {
    await stage.open('gallery?page=mfa');
    await stage.page.getByRole('heading', { level: 3 }).first().waitFor();
    await stage.findsNothing();
  });
});
