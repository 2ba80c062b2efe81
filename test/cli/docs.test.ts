import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { runHere, testContext } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

/** A folder with a small built site in `built`. */
function siteFolder(): string {
  const folder = suiteFolder({});
  mkdirSync(join(folder, 'built/guide'), { recursive: true });
  writeFileSync(join(folder, 'built/index.html'), '<title>First</title>');
  writeFileSync(join(folder, 'built/404.html'), '<title>Missing</title>');
  writeFileSync(join(folder, 'built/guide/start.html'), '<title>Start</title>');
  writeFileSync(join(folder, 'built/guide/app.js'), 'export {};'.repeat(100));
  writeFileSync(join(folder, 'secret.html'), '<title>Secret</title>');
  writeFileSync(join(folder, 'built/key.pem'), 'secret');
  return folder;
}

/** Serves that site until the test ends. Returns its address and the port. */
async function servedSite(): Promise<{ readonly baseUrl: string; readonly port: string; readonly cwd: string }> {
  const context = testContext({ cwd: siteFolder() });
  const ended = runProgram(['docs', '--folder', 'built', '--port', '0', '--json'], context);
  onTestFinished(async () => {
    context.stop();
    expect(await ended).toBe(0);
  });
  await context.stdout.until((text) => text.includes('\n'));
  const { baseUrl, folder } = JSON.parse(context.stdout.text) as { readonly baseUrl: string; readonly folder: string };
  expect(folder).toBe(join(context.cwd, 'built'));
  return { baseUrl, port: new URL(baseUrl).port, cwd: context.cwd };
}

describe('docs', () => {
  it.for([
    ['/', 200, 'First'],
    ['/guide/start.html', 200, 'Start'],
    ['/guide/start', 200, 'Start'],
    ['/guide/start?from=search', 200, 'Start'],
    ['/guide/', 404, 'Missing'],
    ['/%2e%2e/secret.html', 404, 'Missing'],
    ['/..%2fsecret.html', 404, 'Missing'],
    ['/%zz', 404, 'Missing'],
    ['/key.pem', 404, 'Missing'],
  ] as const)('084: GET %s returns %i with the page %s', async ([path, status, title]) => {
    const { baseUrl } = await servedSite();
    const response = await fetch(`${baseUrl}${path}`);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(title);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
  });

  it('084: a file is compressed for clients that accept it, and HEAD and other methods have no body', async () => {
    const { baseUrl } = await servedSite();
    const script = await fetch(`${baseUrl}/guide/app.js`);
    expect(script.headers.get('content-encoding')).toBe('gzip');
    expect(Number(script.headers.get('content-length'))).toBeLessThan(200);
    expect(await script.text()).toHaveLength(1_000);
    const whole = await fetch(`${baseUrl}/guide/app.js`, { headers: { 'accept-encoding': 'identity' } });
    expect(whole.headers.get('content-length')).toBe('1000');
    const head = await fetch(`${baseUrl}/`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const post = await fetch(`${baseUrl}/`, { method: 'POST', body: 'x' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('address-in-use: the port of another server ends the command with 2', async () => {
    const { port, cwd } = await servedSite();
    const { code, stderr } = await runHere(['docs', '--folder', 'built', '--port', port], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('address-in-use')]);
  });

  it('docs-missing: a folder without a site ends the command with 2 and says what to do', async () => {
    const { code, stderr } = await runHere(['docs', '--folder', 'nowhere'], { cwd: suiteFolder({}) });
    expect(code).toBe(2);
    expect(stderr).toContain('docs-missing');
    expect(stderr).toContain('npm run site');
  });
});
