import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageGallery } from '../../src/gallery/page-gallery.ts';
import { pageRecipes } from '../../src/gallery/page-recipes.ts';
import { inMemory, planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import type { GalleryView } from '../../src/server/gallery-service.ts';
import { type RunningServer, startServer } from '../../src/server/start.ts';
import { parseOutput, runHere } from '../cli/command-context.ts';
import { suiteFolder } from '../cli/suite-folder.ts';
import { nonEmpty } from '../non-empty.ts';

describe('nudgelab gallery', { timeout: 240_000 }, () => {
  it('086: it writes the chosen versions, an index for each, and every page that the index shows', async () => {
    const cwd = suiteFolder({});
    const args = [
      'gallery',
      '--out',
      'pages',
      '--brand',
      'plain',
      '--language',
      'en',
      '--scheme',
      'light,dark',
      '--json',
    ];
    const result = await runHere(args, { cwd });
    expect(result.code).toBe(0);
    const states = pageRecipes.length;
    expect(parseOutput(result)).toEqual({ index: join('pages', 'index.html'), states, pages: 2 * states });
    expect(readdirSync(join(cwd, 'pages')).toSorted()).toEqual(['index.html', 'pages', 'plain.en.dark.html']);
    for (const file of ['index.html', 'plain.en.dark.html']) {
      const index = readFileSync(join(cwd, 'pages', file), 'utf8');
      const frames = [...index.matchAll(/<iframe src="([^"]+)"/g)].map(([, frame = '']) => frame);
      expect(frames).toHaveLength(states);
      expect(nonEmpty(frames).filter((frame) => !existsSync(join(cwd, 'pages', frame)))).toEqual([]);
    }
  });

  it.each([
    ['--brand', 'none', 'one of plain, dark-color, light-color'],
    ['--language', 'fr', 'one of en, ar'],
    ['--scheme', 'light,blue', '"blue" is not one of light, dark'],
  ])('usage-invalid: %s %s is rejected with the allowed values', async (option, value, message) => {
    const { code, stderr } = await runHere(['gallery', option, value]);
    expect(code).toBe(2);
    expect(stderr).toContain('usage-invalid');
    expect(stderr).toContain(message);
  });

  it('file-unreadable: a folder that cannot be created is rejected', async () => {
    const cwd = suiteFolder({ 'file.txt': '' });
    const { code, stderr } = await runHere(['gallery', '--out', 'file.txt/pages', '--scheme', 'light'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('file-unreadable')]);
  });
});

async function readCode(response: Response): Promise<string> {
  return ((await response.json()) as { readonly error: { readonly code: string } }).error.code;
}

describe('gallery of the control API', { timeout: 240_000 }, () => {
  const gallery = new PageGallery();
  let sandboxes: Sandboxes;
  let server: RunningServer;
  let bare: RunningServer;

  beforeAll(async () => {
    sandboxes = await Sandboxes.open(inMemory());
    await sandboxes.create('default', planSandbox({}));
    server = await startServer({ sandboxes, port: 0, gallery });
    bare = await startServer({ sandboxes, port: 0 });
  });

  afterAll(async () => {
    await server.close();
    await bare.close();
    await gallery.close();
    await sandboxes.close();
  });

  it('086: a listed sandbox can be created, and its start path has a page', async () => {
    const { states } = (await (await fetch(`${server.controlUrl}/gallery`)).json()) as GalleryView;
    expect(states).toHaveLength(pageRecipes.length);
    for (const { state, sandbox, path } of nonEmpty(states)) {
      const body = JSON.stringify({ ...sandbox, id: `own-${state}` });
      const headers = { 'content-type': 'application/json' };
      const created = await fetch(`${server.controlUrl}/sandboxes`, { method: 'POST', headers, body });
      expect([state, created.status]).toEqual([state, 201]);
      const page = await fetch(`${server.baseUrl}/s/own-${state}${path}`);
      expect([state, await page.text()]).toEqual([state, expect.stringContaining('data-page=')]);
      await sandboxes.remove(`own-${state}`);
    }
  });

  it('086: a page can be framed only by the console, and can run no script', async () => {
    const response = await fetch(`${server.controlUrl}/gallery/prompt-app?language=ar&scheme=dark`);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*frame-ancestors 'self'.*sandbox$/,
    );
    expect(await response.text()).toContain('<html lang="ar" dir="rtl">');
  });

  it.each([
    ['bad-request', '/gallery/prompt-app?scheme=blue', 400],
    ['not-found', '/gallery/nowhere', 404],
  ])('%s: %s is rejected', async (code, path, status) => {
    const response = await fetch(`${server.controlUrl}${path}`);
    expect([response.status, await readCode(response)]).toEqual([status, code]);
  });

  it.each(['/gallery', '/gallery/prompt-app'])(
    'gallery-missing: a server without a gallery rejects %s',
    async (path) => {
      const response = await fetch(`${bare.controlUrl}${path}`);
      expect([response.status, await readCode(response)]).toEqual([404, 'gallery-missing']);
    },
  );
});
