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

describe('the browser that is found', () => {
  it('is one that can be run, and is the same for all who ask at once', async () => {
    const found = await Promise.all([findBrowser(process.env), findBrowser(process.env), findBrowser(process.env)]);
    expect(new Set(found.map(({ executablePath }) => executablePath)).size).toBe(1);
    expect(statSync(found[0]?.executablePath ?? '').mode & 0o100).toBe(0o100);
  }, 60_000);

  it('leaves nothing half unpacked beside it', async () => {
    const { executablePath } = await findBrowser();
    const beside = readdirSync(join(executablePath, '..', '..'));
    expect(beside.filter((name) => name.includes('-unpacking-'))).toEqual([]);
  }, 60_000);

  it('is the one that NUDGELAB_BROWSER names before any other', async () => {
    const own = join(folder, 'own-browser');
    writeFileSync(own, '#!/bin/sh\n');
    chmodSync(own, 0o755);
    expect(await findBrowser({ NUDGELAB_BROWSER: own })).toMatchObject({ executablePath: own, args: [] });
  });

  it('browser-missing: a variable that names nothing is not passed over in silence', async () => {
    const wish = findBrowser({ NUDGELAB_BROWSER: join(folder, 'no-browser') });
    await expect(wish).rejects.toMatchObject({ code: 'browser-missing', exitCode: 2 });
  });

  it('browser-missing: a file that cannot be run is no browser', async () => {
    mkdirSync(join(folder, 'plain'));
    const plain = join(folder, 'plain', 'chromium');
    copyFileSync('package.json', plain);
    await expect(findBrowser({ NUDGELAB_BROWSER: plain })).rejects.toMatchObject({ code: 'browser-missing' });
  });
});
