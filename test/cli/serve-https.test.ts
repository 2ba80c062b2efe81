import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, fetch as fetchBy } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { testContext } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

interface Announced {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly certificateAuthority: string;
}

async function serving(cwd: string, argv: readonly string[] = []) {
  const context = testContext({ cwd });
  const ended = runProgram(['serve', '--https', '--port', '0', ...argv], context);
  const stop = async () => {
    context.stop();
    await ended;
  };
  onTestFinished(stop);
  await Promise.race([context.stdout.until((text) => text.includes('\n')), ended]);
  return { text: context.stdout.text, stop };
}

describe('serve --https', () => {
  it('serves https://localhost only to clients that trust the printed test authority', async () => {
    const cwd = suiteFolder({});
    const { text } = await serving(cwd, ['--json']);
    const { baseUrl, controlUrl, certificateAuthority } = JSON.parse(text) as Announced;
    expect(baseUrl).toMatch(/^https:\/\/localhost:\d+$/);
    expect(controlUrl).toBe(`${baseUrl}/_control/v1`);
    expect(certificateAuthority).toBe(join(cwd, '.nudgelab', 'https', 'authority.pem'));
    const dispatcher = new Agent({ connect: { ca: readFileSync(certificateAuthority, 'utf8') } });
    onTestFinished(() => dispatcher.close());
    const discovery = await fetchBy(`${baseUrl}/.well-known/openid-configuration`, { dispatcher });
    expect(await discovery.json()).toMatchObject({ issuer: baseUrl, token_endpoint: `${baseUrl}/oauth2/token` });
    expect((await fetchBy(`${baseUrl}/sign-in`, { dispatcher })).status).toBe(200);
    await expect(fetch(baseUrl)).rejects.toThrow();
    await expect(fetch(baseUrl.replace('https:', 'http:'))).rejects.toThrow();
  });

  it('cookies that were set over HTTPS are sent only over HTTPS', async () => {
    const cwd = suiteFolder({});
    const { baseUrl, certificateAuthority } = JSON.parse((await serving(cwd, ['--json'])).text) as Announced;
    const dispatcher = new Agent({ connect: { ca: readFileSync(certificateAuthority, 'utf8') } });
    onTestFinished(() => dispatcher.close());
    const begin = { method: 'POST', headers: { origin: baseUrl }, dispatcher };
    const cookies = [
      ...(
        await fetchBy(`${baseUrl}/sign-in`, { ...begin, body: new URLSearchParams({ username: 'guest@example.test' }) })
      ).headers.getSetCookie(),
      ...(
        await fetchBy(`${baseUrl}/lookup/tokens`, {
          ...begin,
          body: new URLSearchParams({ action: 'sign-in', email: 'free@example.test', password: 'correct horse' }),
        })
      ).headers.getSetCookie(),
    ];
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
      `nudgelab-${new URL(baseUrl).port}-default-s2`,
      `nudgelab-${new URL(baseUrl).port}-default-lookup`,
    ]);
    for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; SameSite=(Lax|Strict); Secure$/);
  });

  it('stores its certificate beside the database or in --https-dir, restricts the key to its owner, and reuses both', async () => {
    const cwd = suiteFolder({});
    for (const [argv, folder] of [
      [['--db', 'kept.sqlite'], 'nudgelab-https'],
      [['--https-dir', 'trusted'], 'trusted'],
    ] as const) {
      const first = await serving(cwd, ['--json', ...argv]);
      const path = join(cwd, folder, 'authority.pem');
      expect((JSON.parse(first.text) as Announced).certificateAuthority).toBe(path);
      expect(statSync(join(cwd, folder, 'localhost-key.pem')).mode & 0o777).toBe(0o600);
      const authority = readFileSync(path, 'utf8');
      await first.stop();
      await (await serving(cwd, ['--json', ...argv])).stop();
      expect(readFileSync(path, 'utf8')).toBe(authority);
    }
  });

  it('covers the hosts of --allowed-host and --public-url, and creates a certificate only if one is missing', async () => {
    const cwd = suiteFolder({});
    const folder = join(cwd, '.nudgelab', 'https');
    const read = () => new X509Certificate(readFileSync(join(folder, 'localhost.pem'), 'utf8'));
    await (await serving(cwd)).stop();
    const plain = read();
    expect([plain.checkHost('localhost'), plain.checkHost('graph.example')]).toEqual(['localhost', undefined]);
    const hosts = ['--allowed-host', 'graph.example,192.0.2.7:4700,[2001:db8::7]:4700'];
    const argv = [...hosts, '--public-url', 'https://login.example'];
    const { text, stop } = await serving(cwd, argv);
    expect(text).toMatch(/OpenID issuer +https:\/\/login\.example\n/);
    await stop();
    const wider = read();
    for (const host of ['localhost', 'graph.example', 'login.example']) expect(wider.checkHost(host)).toBe(host);
    for (const address of ['127.0.0.1', '192.0.2.7', '2001:db8::7']) expect(wider.checkIP(address)).toBe(address);
    await (await serving(cwd, hosts)).stop();
    await (await serving(cwd)).stop();
    expect(read().fingerprint256).toBe(wider.fingerprint256);
  });

  it('prints the certificate to trust and the issuer', async () => {
    const { text } = await serving(suiteFolder({}));
    expect(text).toMatch(/Trust +\/.*authority\.pem\n/);
    expect(text).toMatch(/OpenID issuer +https:\/\/localhost:\d+\n/);
  });

  it('file-unreadable: a folder that cannot be created is reported', async () => {
    const context = testContext({ cwd: suiteFolder({ 'taken.txt': 'a file' }) });
    expect(await runProgram(['serve', '--https', '--https-dir', 'taken.txt/below', '--port', '0'], context)).toBe(2);
    expect(context.stderr.text).toContain('error file-unreadable:');
  });
});
