import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { launchOptions } from '../../../src/scenario/drivers/browser/browser-process.ts';
import { leanStart } from '../../../src/scenario/drivers/browser/minimal-launch.ts';

const megabyte = 2 ** 20;

/** Returns the arguments that a browser is started with. A script in its place records them and exits. */
async function startedWith(options: object): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-start-'));
  try {
    const executablePath = join(folder, 'browser');
    writeFileSync(executablePath, `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/args"\n`, { mode: 0o700 });
    await expect(chromium.launch({ ...options, executablePath })).rejects.toThrow();
    return readFileSync(join(folder, 'args'), 'utf8').trim().split('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function featuresOff(args: readonly string[]): readonly string[] {
  const name = '--disable-features=';
  return (
    args
      .findLast((arg) => arg.startsWith(name))
      ?.slice(name.length)
      .split(',') ?? []
  );
}

describe('minimal browser launch', () => {
  it('disables all features that Playwright disables, and one more', async () => {
    const known = featuresOff(await startedWith({}));
    const ours = featuresOff(await startedWith(launchOptions({ executablePath: '', args: [], origin: 'a test' })));
    expect(known.length).toBeGreaterThan(5);
    expect(ours.toSorted()).toEqual([...known, 'RenderDocument'].toSorted());
  });

  it.each([
    [0, []],
    [64 * megabyte, []],
    [512 * megabyte - 1, []],
    [512 * megabyte, ['--disable-dev-shm-usage']],
  ])('with %d bytes of shared memory, omits %j', (bytes, left) => {
    expect(leanStart(bytes).ignoreDefaultArgs).toEqual(left);
  });
});
