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

/** Starts `serve` and waits for its first line. The server stops with the test at the latest. */
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
  it('--json prints one line with the URLs, and the server responds until it is stopped', async () => {
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

  it('--bind gives a sandbox a port of its own, and --dialect sets the names on the wire', async () => {
    const running = await serving(['--json', '--bind', 'default=0', '--bind', 'lab=0', '--dialect', 'entra']);
    const { bound, controlUrl } = announced(running) as unknown as {
      readonly bound: Readonly<Record<string, string>>;
      readonly controlUrl: string;
    };
    expect(Object.keys(bound)).toEqual(['default', 'lab']);
    expect((await fetch(`${bound['default']}/sign-in`)).status).toBe(200);
    expect((await fetch(`${bound['lab']}/sign-in`)).status).toBe(404);
    expect(await get(`${controlUrl}/sandboxes/default/tenant/settings`)).toMatchObject({ dialect: 'entra' });
    const metadata = await fetch(`${bound['default']}/v1.0/$metadata`);
    expect(await metadata.text()).toContain('Namespace="microsoft.graph"');
  });

  it('--dialect reads a file', async () => {
    const cwd = suiteFolder({ 'own.dialect.yaml': 'extends: entra\nwords: { vendorAuthenticator: acmeApp }\n' });
    const running = await serving(['--json', '--dialect', 'own.dialect.yaml'], cwd);
    const settings = await get(`${announced(running).controlUrl}/sandboxes/default/tenant/settings`);
    expect(settings).toMatchObject({ dialect: { extends: 'entra', words: { vendorAuthenticator: 'acmeApp' } } });
  });

  it.for<[string[], string]>([
    [['--bind', 'lab'], '"lab" is not a sandbox and a port'],
    [['--bind', 'lab=70000'], '"lab=70000" is not a sandbox and a port'],
    [['--bind', '../lab=1'], 'is not a sandbox and a port'],
    [['--advertise', 'http://10.0.0.5:4700/path'], 'is not a URL such as http://10.0.0.5:4700'],
    [['--advertise', 'ftp://10.0.0.5'], 'is not a URL such as http://10.0.0.5:4700'],
    [['--advertise', 'http://10.0.0.5:4700'], 'requires --db with a PostgreSQL database'],
    [['--advertise', 'http://10.0.0.5:4700', '--db', 'lab.sqlite'], 'requires --db with a PostgreSQL database'],
    [['--advertise', 'http://10.0.0.5:4700', '--db', 'postgres://db.test/lab'], 'requires --public-url'],
    [
      ['--advertise', `http://${'a'.repeat(48)}`, '--db', 'postgres://db.test/lab', '--public-url', 'https://lab.test'],
      'has 55 characters; at most 54 are allowed',
    ],
    [['--dialect', 'azure'], '"azure" is not seed, entra, nor a YAML or JSON file'],
    [['--dialect', 'missing.yaml'], 'missing.yaml'],
    [['--dialect', 'wrong.yaml'], 'wireIds'],
  ])('usage-invalid: %j', async ([argv, message]) => {
    const cwd = suiteFolder({ 'wrong.yaml': 'wireIds: uuid\n' });
    const { context, ended } = await serving(argv, cwd);
    expect(await ended).toBe(2);
    expect(context.stderr.text).toContain(message);
  });

  it('the text output shows the URLs, and the users with password and code', async () => {
    const { context } = await serving([]);
    expect(context.stdout.text).toMatch(/Sign-in pages {2}http:\/\/localhost:\d+\/sign-in\n/);
    expect(context.stdout.text).toMatch(/sms-user@example\.test +correct horse +123456/);
  });

  it('tenant, users, ruleset and clock match the options', async () => {
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

  it('synthetic users are added, and are the same for the same random seed', async () => {
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

  it('a database file restores the sandbox, and the output names the options that are ignored', async () => {
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

  it('clients and faults are fixtures by name, and a client file may reference fixtures', async () => {
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

  it('clients are read from a file, and an invalid client is reported', async () => {
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
      expect(context.stderr.text).toContain(String(file));
    }
  });

  it('address-in-use: a port that is already in use exits with 2', async () => {
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
  ])('the options %j lead to exit code 2 and the error %s', async (argv, error) => {
    const { context, ended } = await serving(argv);
    expect(await ended).toBe(2);
    expect(context.stderr.text).toContain(`error ${error}:`);
  });

  it.each(['0.0.0.0', '::', 'nudgelab.example.test'])(
    'control-key-required: %s is not a loopback address and requires a control key',
    async (host) => {
      const { context, ended } = await serving(['--host', host]);
      expect(await ended).toBe(2);
      expect(context.stdout.text).toBe('');
      expect(context.stderr.text).toContain('error control-key-required:');
    },
  );

  it('config-invalid: a control key that is too short is rejected', async () => {
    const { context, ended } = await serving(['--control-key', 'short']);
    expect(await ended).toBe(2);
    expect(context.stderr.text).toContain('error config-invalid:');
    expect(context.stderr.text).not.toContain('short');
  });

  it.each(['option', 'environment', 'configuration'])(
    'a control key from %s is required and never shown',
    async (by) => {
      const key = 'a-key-that-nobody-guesses';
      const cwd = suiteFolder(
        by === 'configuration' ? { 'nudgelab.config.json': JSON.stringify({ controlKey: key }) } : {},
      );
      const options = by === 'option' ? ['--control-key', key] : [];
      const env = by === 'environment' ? { NUDGELAB_CONTROL_KEY: key } : {};
      const { context } = await serving(['--host', '0.0.0.0', '--json', ...options], cwd, env);
      const { controlUrl } = JSON.parse(context.stdout.text);
      const getStatus = async (headers = {}) => (await fetch(`${controlUrl}/sandboxes`, { headers })).status;
      expect([await getStatus(), await getStatus({ authorization: `Bearer ${key}` })]).toEqual([401, 200]);
      expect(`${context.stdout.text}${context.stderr.text}`).not.toContain(key);
    },
  );
});
