import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { consoleRoute } from '../../src/server/console.route.ts';
import { pageErrors, pageNotFound } from '../../src/server/identity/page-errors.ts';

/** Creates a folder with the files of a console build. */
function builtFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>the document</title>');
  writeFileSync(join(folder, 'assets', 'index-abc.js'), 'export {};');
  writeFileSync(join(folder, 'built-from'), 'a digest');
  return `${folder}/`;
}

async function served(folder: string | null): Promise<(path: string) => Promise<Response>> {
  const app = express();
  app.use(consoleRoute({ folder }));
  app.use(pageNotFound);
  app.use(pageErrors());
  const server = createServer(app);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(() => void server.close());
  return (path) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
}

describe('console URLs', () => {
  it('every view URL returns the document with a strict content security policy', async () => {
    const get = await served(builtFolder());
    for (const path of ['/_console', '/_console/', '/_console/s/default/users/ada', '/_console/nowhere']) {
      const response = await get(path);
      expect([path, response.status, await response.text()]).toEqual([
        path,
        200,
        expect.stringContaining('the document'),
      ]);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(response.headers.get('cache-control')).toBe('no-cache');
    }
  });

  it('a file is cached as immutable because its name contains its digest', async () => {
    const response = await (await served(builtFolder()))('/_console/assets/index-abc.js');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('javascript');
    expect(response.headers.get('cache-control')).toContain('immutable');
  });

  it.each([
    '/_console/assets/index-def.js',
    '/_console/assets/',
    '/_console/assets/%2e%2e%2fbuilt-from',
    '/_console/assets/..%2fbuilt-from',
  ])('not-found: %s is not a file of the console', async (path) => {
    const response = await (await served(builtFolder()))(path);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.text()).not.toContain('a digest');
  });

  it('console-missing: without a build, every URL returns this error', async () => {
    const response = await (await served(null))('/_console/s/default/overview');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('console-missing');
  });
});
