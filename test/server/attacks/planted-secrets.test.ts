import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { testContext } from '../../cli/command-context.ts';
import { suiteFolder } from '../../cli/suite-folder.ts';

/** Secrets that must not appear in any output. Each is long and unusual enough to be found everywhere. */
const secrets = {
  controlKey: 'planted-control-key-5f81c2',
  password: 'planted password 77ac',
  wrongPassword: 'planted-wrong-password-91be',
  code: '815624',
  wrongCode: '739158',
  clientSecret: 'planted-client-secret-a41d',
  wrongKey: 'planted-wrong-key-c09d7e',
} as const;

/** Personal data. It may appear in the journal, but not in logs or metrics. */
const personal = {
  userName: 'planted.person@planted.example',
  displayName: 'Planted Person',
  userId: 'planted-person',
  query: 'planted-query@elsewhere.example',
} as const;

interface Served {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly logFile: string;
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

async function served(): Promise<Served> {
  const cwd = suiteFolder({});
  const context = testContext({ cwd, env: { NUDGELAB_CONTROL_KEY: secrets.controlKey } });
  const argv = ['serve', '--port', '0', '--json', '--log-level', 'info', '--log', 'server.log'];
  const ended = runProgram(argv, context);
  const stop = async (): Promise<void> => {
    context.stop();
    await ended;
  };
  onTestFinished(stop);
  await context.stdout.until((text) => text.includes('\n'));
  const { baseUrl, controlUrl } = JSON.parse(context.stdout.text) as { baseUrl: string; controlUrl: string };
  const output = (): string => `${context.stdout.text}\n${context.stderr.text}`;
  return { baseUrl, controlUrl, logFile: join(cwd, 'server.log'), output, stop };
}

type Ask = (line: string, body?: object) => Promise<{ readonly status: number; readonly text: string }>;

/** Browser that stores every cookie it receives. */
class Browser {
  readonly #cookies = new Map<string, string>();
  html = '';
  status = 0;

  async load(address: string, fields?: Readonly<Record<string, string>>): Promise<void> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const formToken = /name="formToken" value="([^"]+)"/.exec(this.html)?.[1];
    const body = new URLSearchParams({ ...(formToken === undefined ? {} : { formToken }), ...fields });
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(fields === undefined ? {} : { method: 'POST', body }),
    });
    for (const sent of response.headers.getSetCookie()) {
      const [pair = ''] = sent.split(';');
      this.#cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    this.html = await response.text();
    this.status = response.status;
  }

  get action(): string {
    return /<form method="post" action="([^"]+)"/.exec(this.html)?.[1] ?? '';
  }

  get values(): readonly string[] {
    return [...this.#cookies.values()].filter((value) => value.length > 15);
  }
}

describe('secrets planted in every input', { timeout: 60_000 }, () => {
  it('appear in no log, metric, request log or page of another user, and in the journal only as [redacted]', async () => {
    const server = await served();
    const headers = { authorization: `Bearer ${secrets.controlKey}` };
    const ask: Ask = async (line, body) => {
      const [method = '', path = ''] = line.split(' ');
      const response = await fetch(path.startsWith('/_') ? `${server.baseUrl}${path}` : `${server.controlUrl}${path}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    };
    const { userName, displayName, userId } = personal;
    const { password, code } = secrets;
    const made = await ask('POST /sandboxes', {
      id: 'planted',
      tenant: { campaign: { state: 'disabled' } },
      users: {
        [userId]: { userPrincipalName: userName, displayName, password, code, methods: ['sms'] },
        app: { methods: ['authenticator-totp'] },
        other: {},
      },
    });
    expect(made.status).toBe(201);
    const pages = `${server.baseUrl}/s/planted`;
    const found: string[] = [];
    const browser = new Browser();
    await browser.load(`${pages}/sign-in?user=${userId}`);
    await browser.load(`${pages}/sign-in`, { username: userName });
    const address = `${server.baseUrl}${browser.action}`;
    await browser.load(address, { action: 'password', password: secrets.wrongPassword });
    await browser.load(address, { action: 'password', password });
    await browser.load(address, { action: 'code', code: secrets.wrongCode });
    await browser.load(address, { action: 'code', code });
    expect([browser.status, browser.html.includes('data-page="not-nudged"')]).toEqual([200, true]);
    await browser.load(`${pages}/security-info`);
    await browser.load(`${pages}/phone/${encodeURIComponent(userName)}`);
    const phone = await ask('GET /sandboxes/planted/users/app/phone');
    found.push(...(/"secret": ?"([^"]{8,})"/.exec(phone.text)?.slice(1) ?? []));
    const issued = await ask('POST /sandboxes/planted/tokens', { user: userId, permissions: ['Policy.Read.All'] });
    const token = (JSON.parse(issued.text) as { access_token: string }).access_token;
    await fetch(`${pages}/v1.0/policies/authenticationMethodsPolicy`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await fetch(`${pages}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`shop:${secrets.clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', client_secret: secrets.clientSecret }),
    });
    await fetch(`${pages}/oauth2/token?client_secret=${secrets.clientSecret}`, { method: 'POST' });
    const lookup = await ask('POST /sandboxes/planted/lookup/tokens', { account: 'free', name: 'a token' });
    const lookupToken = (JSON.parse(lookup.text) as { token: string }).token;
    const query = new URLSearchParams({ type: 'email', query: personal.query, tool: 'all', api_key: lookupToken });
    await fetch(`${pages}/api/v2/?${query}`);
    await fetch(`${server.controlUrl}/sandboxes`, { headers: { authorization: `Bearer ${secrets.wrongKey}` } });
    const administrator = new Browser();
    await administrator.load(`${server.baseUrl}/_console/sign-in`);
    await administrator.load(`${server.baseUrl}/_console/sign-in`, { key: secrets.wrongKey });
    await administrator.load(`${server.baseUrl}/_console/sign-in`, { key: secrets.controlKey });
    expect(administrator.status).toBe(303);
    found.push(token, lookupToken, ...browser.values, ...administrator.values);
    expect(found.length).toBeGreaterThanOrEqual(6);

    const requests = await ask('GET /sandboxes/planted/requests?limit=1000');
    const stranger = new Browser();
    const strangerPages: string[] = [];
    for (const path of ['/sign-in', '/security-info', '/phone/other@example.test', '/lookup/tokens', '/']) {
      await stranger.load(`${pages}${path}`);
      strangerPages.push(stranger.html);
    }
    const metrics = await ask('GET /_metrics');
    const journal = await ask('GET /sandboxes/planted/journal?limit=1000');
    const journey = await ask('GET /sandboxes/planted/journey');
    expect([requests.status, metrics.status, journal.status, journey.status]).toEqual([200, 200, 200, 200]);
    await server.stop();
    const log = readFileSync(server.logFile, 'utf8');
    const lines = log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.length).toBeGreaterThan(20);
    const allowedKeys = new Set(['level', 'time', 'id', 'sandbox', 'method', 'route', 'status', 'ms', 'msg']);
    for (const line of lines) expect(Object.keys(line).filter((key) => !allowedKeys.has(key))).toEqual([]);

    const everySecret = [...Object.values(secrets), ...found];
    const outputs: readonly (readonly [string, string, readonly string[]])[] = [
      ['log', log, [...everySecret, ...Object.values(personal)]],
      ['standard outputs', server.output(), [...everySecret, ...Object.values(personal)]],
      ['metrics', metrics.text, [...everySecret, ...Object.values(personal), 'planted']],
      ['request log', requests.text, [...everySecret, personal.query, personal.displayName]],
      ['pages of a stranger', strangerPages.join('\n'), [...everySecret, ...Object.values(personal)]],
      ['journal', journal.text, everySecret],
      ['journey', journey.text, everySecret],
    ];
    const leaks = outputs.flatMap(([name, text, planted]) =>
      planted
        .flatMap((secret) => [secret, encodeURIComponent(secret), btoa(secret), JSON.stringify(secret).slice(1, -1)])
        .filter((secret) => text.includes(secret))
        .map((secret) => `${name}: ${secret}`),
    );
    expect(leaks).toEqual([]);
  });

  it('control test: the search finds a password that the control API shows for its user', async () => {
    const server = await served();
    const headers = { authorization: `Bearer ${secrets.controlKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ id: 'planted', users: { [personal.userId]: { password: secrets.password } } });
    await fetch(`${server.controlUrl}/sandboxes`, { method: 'POST', headers, body });
    const shown = await fetch(`${server.controlUrl}/sandboxes/planted/users/${personal.userId}`, { headers });
    expect(await shown.text()).toContain(secrets.password);
  });
});
