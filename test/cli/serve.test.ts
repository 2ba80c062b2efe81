import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ExitCode } from '../../src/cli/context.ts';
import { runProgram } from '../../src/cli/program.ts';
import { runHere, type TestContext, testContext } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

interface Serving {
  readonly context: TestContext;
  readonly ended: Promise<ExitCode>;
}

/** Starts to serve and waits for the first line. It ends with the test, when the test did not end it. */
async function serving(argv: readonly string[], cwd = suiteFolder({}), env = {}): Promise<Serving> {
  const context = testContext({ cwd, env });
  const ended = runProgram(['serve', '--port', '0', ...argv], context);
  onTestFinished(async () => {
    context.stop();
    await ended;
  });
  await Promise.race([context.stdout.until((text) => text.includes('\n')), ended]);
  return { context, ended };
}

function announced({ context }: Serving): { baseUrl: string; controlUrl: string; sandbox: string; pid: number } {
  return JSON.parse(context.stdout.text);
}

async function get(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

describe('serve', () => {
  it('--json prints one line with the addresses, and the server answers there until it is stopped', async () => {
    const running = await serving(['--json']);
    const { baseUrl, controlUrl, sandbox, pid } = announced(running);
    expect(baseUrl).toMatch(/^http:\/\/localhost:\d+$/);
    expect({ controlUrl, sandbox, pid }).toEqual({
      controlUrl: `${baseUrl}/_control/v1`,
      sandbox: 'default',
      pid: 4_711,
    });
    expect(await get(`${controlUrl}/sandboxes/default/clock`)).toMatchObject({ running: true });
    expect((await fetch(`${baseUrl}/sign-in`)).status).toBe(200);
    running.context.stop();
    expect(await running.ended).toBe(0);
    await expect(fetch(`${controlUrl}/health`)).rejects.toThrow();
  });

  it('people are shown the addresses and who can sign in, with password and code', async () => {
    const { context } = await serving([]);
    expect(context.stdout.text).toMatch(/Sign-in pages {2}http:\/\/localhost:\d+\/sign-in\n/);
    expect(context.stdout.text).toMatch(/sms-user@example\.test +correct horse +123456/);
  });

  it('tenant, users, ruleset and clock are those that were asked for', async () => {
    const running = await serving([
      ...['--json', '--tenant', 'passkey-enabled', '--users', 'guest,voice-user', '--ruleset', '2026-09'],
      ...['--clock', '2026-02-03T04:05:06.000Z', '--frozen'],
    ]);
    const base = `${announced(running).controlUrl}/sandboxes/default`;
    expect(await get(base)).toMatchObject({
      ruleset: '2026-09',
      users: 2,
      clock: { now: '2026-02-03T04:05:06.000Z', running: false },
    });
    expect(await get(`${base}/users/voice-user`)).toMatchObject({ methods: ['voice'] });
  });

  it('synthetic users come besides, the same for the same seed', async () => {
    const people = await Promise.all(
      ['5', '5', '6'].map(async (seed) => {
        const running = await serving(['--json', '--users', 'guest', '--synthetic-users', '3', '--seed', seed]);
        return get(`${announced(running).controlUrl}/sandboxes/default/users`);
      }),
    );
    expect(people[0]).toMatchObject({ users: { length: 4 } });
    expect(people[1]).toEqual(people[0]);
    expect(people[2]).not.toEqual(people[0]);
  });

  it('a file keeps the sandbox, and options that it makes void are said to be', async () => {
    const cwd = suiteFolder({});
    const first = await serving(
      ['--json', '--db', 'kept.sqlite', '--users', 'guest', '--clock', '2026-02-03T04:05:06Z', '--frozen'],
      cwd,
    );
    await fetch(`${announced(first).controlUrl}/sandboxes/default/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"days": 2}',
    });
    first.context.stop();
    expect(await first.ended).toBe(0);
    const second = await serving(['--json', '--db', 'kept.sqlite', '--users', 'sms-user'], cwd);
    expect(second.context.stderr.text).toContain('already');
    const base = `${announced(second).controlUrl}/sandboxes/default`;
    expect(await get(`${base}/clock`)).toEqual({ now: '2026-02-05T04:05:06.000Z', running: false });
    expect(await get(`${base}/users/guest`)).toMatchObject({ type: 'guest' });
  });

  it('clients and faults are fixtures by name, and a file may name fixtures among its clients', async () => {
    const cwd = suiteFolder({ 'clients.yaml': '[web-site, { extends: web-site, id: other }]' });
    for (const clients of ['web-site,policy-reader', 'clients.yaml']) {
      const { baseUrl, controlUrl } = announced(
        await serving(['--json', '--clients', clients, '--faults', 'expired-token,push-denied'], cwd),
      );
      const answer = await fetch(`${baseUrl}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('web-site:test-secret')}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'none' }),
      });
      expect(await answer.json()).toMatchObject({ error: 'invalid_grant' });
      expect(await get(`${controlUrl}/sandboxes/default/faults`)).toMatchObject({
        faults: [{ kind: 'token', fault: 'expired' }, { kind: 'push-denied' }],
      });
    }
  });

  it('clients are those of a file, and a faulty one is told', async () => {
    const clients = '- { id: shop, secret: s, redirectUris: ["https://shop.example/callback"] }';
    const cwd = suiteFolder({ 'clients.yaml': clients, 'faulty.yaml': '- { id: shop }', 'none.yaml': 'shop: {}' });
    const { baseUrl } = announced(await serving(['--json', '--clients', 'clients.yaml'], cwd));
    const ask = (id: string) =>
      fetch(`${baseUrl}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: 'none',
          client_id: id,
          client_secret: 's',
        }),
      }).then((response) => response.json());
    expect(await ask('shop')).toMatchObject({ error: 'invalid_grant' });
    expect(await ask('test-web')).toMatchObject({ error: 'invalid_client' });
    for (const [file, error] of [
      ['faulty.yaml', 'bad-request'],
      ['none.yaml', 'file-unreadable'],
      ['nowhere.yaml', 'file-unreadable'],
    ]) {
      const { context, ended } = await serving(['--clients', String(file)], cwd);
      expect(await ended).toBe(2);
      expect(context.stderr.text).toContain(`error ${error}:`);
    }
  });

  it('address-in-use: a port that is taken is the mistake of the caller', async () => {
    const { port } = new URL(announced(await serving(['--json'])).baseUrl);
    const { code, stderr } = await runHere(['serve', '--port', port]);
    expect({ code, known: stderr.startsWith('error address-in-use') }).toEqual({ code: 2, known: true });
  });

  it.each([
    [['--tenant', 'nowhere'], 'fixture-not-found'],
    [['--users', 'nobody'], 'fixture-not-found'],
    [['--clients', 'web-site,nobody'], 'fixture-not-found'],
    [['--faults', 'bad-weather'], 'fixture-not-found'],
    [['--db', join(import.meta.dirname, 'serve.test.ts')], 'store-corrupt'],
    [['--host', '203.0.113.7', '--control-key', 'a-key-that-nobody-guesses'], 'usage-invalid'],
  ])('%j ends with 2 and %s', async (argv, error) => {
    const { context, ended } = await serving(argv);
    expect(await ended).toBe(2);
    expect(context.stderr.text).toContain(`error ${error}:`);
  });

  it.each(['0.0.0.0', '::', 'nudgelab.example.test'])(
    'control-key-required: %s is no loopback address, and nothing is served there without a key',
    async (host) => {
      const { context, ended } = await serving(['--host', host]);
      expect(await ended).toBe(2);
      expect(context.stdout.text).toBe('');
      expect(context.stderr.text).toContain('error control-key-required:');
    },
  );

  it('config-invalid: a key that can be guessed is none', async () => {
    const { context, ended } = await serving(['--control-key', 'short']);
    expect(await ended).toBe(2);
    expect(context.stderr.text).toContain('error config-invalid:');
    expect(context.stderr.text).not.toContain('short');
  });

  it.each(['option', 'environment', 'configuration'])(
    'an access key by %s is asked for, and is never shown',
    async (by) => {
      const key = 'a-key-that-nobody-guesses';
      const cwd = suiteFolder(
        by === 'configuration' ? { 'nudgelab.config.json': JSON.stringify({ controlKey: key }) } : {},
      );
      const options = by === 'option' ? ['--control-key', key] : [];
      const env = by === 'environment' ? { NUDGELAB_CONTROL_KEY: key } : {};
      const { context } = await serving(['--host', '0.0.0.0', '--json', ...options], cwd, env);
      const { controlUrl } = JSON.parse(context.stdout.text);
      const asked = async (headers = {}) => (await fetch(`${controlUrl}/sandboxes`, { headers })).status;
      expect([await asked(), await asked({ authorization: `Bearer ${key}` })]).toEqual([401, 200]);
      expect(`${context.stdout.text}${context.stderr.text}`).not.toContain(key);
    },
  );
});
