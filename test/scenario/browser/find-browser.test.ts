import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBrowser } from '../../../src/scenario/drivers/browser/find-browser.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nudgelab-find-browser-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('browser lookup', () => {
  it('returns an executable browser, and the same one for concurrent callers', async () => {
    const found = await Promise.all([findBrowser(process.env), findBrowser(process.env), findBrowser(process.env)]);
    expect(new Set(found.map(({ executablePath }) => executablePath)).size).toBe(1);
    expect(statSync(found[0]?.executablePath ?? '').mode & 0o100).toBe(0o100);
  }, 60_000);

  it('leaves no partially unpacked files behind', async () => {
    const { executablePath } = await findBrowser();
    const beside = readdirSync(join(executablePath, '..', '..'));
    expect(beside.filter((name) => name.includes('-unpacking-'))).toEqual([]);
  }, 60_000);

  it('prefers the browser in NUDGELAB_BROWSER', async () => {
    const own = join(folder, 'own-browser');
    writeFileSync(own, '#!/bin/sh\n');
    chmodSync(own, 0o755);
    expect(await findBrowser({ NUDGELAB_BROWSER: own })).toMatchObject({ executablePath: own, args: [] });
  });

  it('browser-missing: a variable with a nonexistent file is an error, not ignored', async () => {
    const browser = findBrowser({ NUDGELAB_BROWSER: join(folder, 'no-browser') });
    await expect(browser).rejects.toMatchObject({ code: 'browser-missing', exitCode: 2 });
  });

  it('browser-missing: a file that is not executable is rejected', async () => {
    mkdirSync(join(folder, 'plain'));
    const plain = join(folder, 'plain', 'chromium');
    copyFileSync('package.json', plain);
    await expect(findBrowser({ NUDGELAB_BROWSER: plain })).rejects.toMatchObject({ code: 'browser-missing' });
  });
});
