/**
 * `node test/soak/administrator-tools-process.ts --cli 11.11.0`: installs CLI for Microsoft 365 in an empty folder and
 * runs its commands unchanged against a served sandbox. Its host is fixed, so a proxy plays the host. It signs in with
 * a managed identity and requires a token that names the application in `app_displayname`; the proxy exchanges that
 * token for one of the sandbox. The exit code is 1 if a command fails or prints something other than the facts.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { directoryApiOperationList } from '../../src/contract/directory-api/directory-api-operations.ts';
import { HostProxy } from './host-proxy.ts';
import { Served } from './served.ts';

const run = promisify(execFile);
const host = 'graph.microsoft.com';
const { values } = parseArgs({ options: { cli: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'nudgelab-tools-'));
const home = join(folder, 'home');
mkdirSync(home);

const adaId = '11111111-2222-4333-8444-555555555555';
const permissions = ['AuditLog.Read.All', 'Directory.Read.All', 'Policy.Read.All', 'UserAuthenticationMethod.Read.All'];

let commands = 0;

const server = await Served.start({});
const control = `${server.controlUrl}/sandboxes/default`;
const { access_token: token } = await post(`${control}/tokens`, 'POST', { app: 'm365', permissions });
const proxy = await HostProxy.start({ host, target: server.baseUrl, folder, token: String(token) });
const identity = createServer((_request, response) => {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const own = `${encode({ alg: 'none' })}.${encode({ app_displayname: 'm365', idtyp: 'app', oid: adaId })}.none`;
  const lifetimeSeconds = 3000;
  const expires = Math.floor(Date.now() / 1000) + lifetimeSeconds;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ access_token: own, expires_on: String(expires), resource: `https://${host}` }));
});
identity.listen(0, '127.0.0.1');

try {
  if (values.cli === undefined) throw new Error('Name the version of the program with --cli.');
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  await run('npm', ['install', ...quiet, `@pnp/cli-microsoft365@${values.cli}`], { cwd: folder });
  await prepare();
  await m365('cli', 'config', 'set', '--key', 'disableTelemetry', '--value', 'true');
  await m365('login', '--authType', 'identity');
  const hasLogs = directoryApiOperationList.some(({ path }) => path === '/auditLogs/signIns');
  const checks = [checkDetails, checkFilters, checkPolicy, checkDirectory, ...(hasLogs ? [checkSignIns] : [])];
  for (const check of checks) await check();
  process.stdout.write(
    `CLI for Microsoft 365 ${values.cli} ran ${commands} commands with ${proxy.requests.length} requests\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.stderr.write(`${proxy.requests.slice(-5).join('\n')}\n`);
  process.exitCode = 1;
} finally {
  identity.close();
  proxy.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Sets up the sandbox: its words are those of the host, and 1,200 users need two pages. */
async function prepare(): Promise<void> {
  await post(`${control}/tenant/settings`, 'PATCH', {
    authenticatorWireName: 'microsoftAuthenticator',
    directory: { wireIds: 'guid', publicRoot: `https://${host}` },
  });
  for (let index = 0; index < 1200; index += 1) {
    await post(`${control}/users/user-${index}`, 'PUT', { methods: ['sms'], mfaCapable: true });
  }
  await post(`${control}/users/${adaId}`, 'PUT', {
    userPrincipalName: 'ada@contoso.test',
    displayName: 'Ada',
    methods: ['authenticator-push', 'authenticator-totp'],
    roles: ['Global Reader'],
    groups: ['sales'],
  });
}

async function post(url: string, method: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Runs a command of the program and returns what it prints as JSON. */
async function m365(...args: readonly string[]): Promise<unknown> {
  commands += 1;
  const program = join(folder, 'node_modules/@pnp/cli-microsoft365/dist/index.js');
  const { port } = identity.address() as AddressInfo;
  const { stdout } = await run(process.execPath, [program, ...args, '--output', 'json'], {
    cwd: folder,
    maxBuffer: 64_000_000,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      NO_UPDATE_NOTIFIER: '1',
      CI: '1',
      HTTPS_PROXY: proxy.url,
      NO_PROXY: '127.0.0.1,localhost',
      NODE_EXTRA_CA_CERTS: proxy.authorityPath,
      IDENTITY_ENDPOINT: `http://127.0.0.1:${port}/token`,
      IDENTITY_HEADER: 'none',
    },
  });
  return stdout.trim() === '' ? null : JSON.parse(stdout);
}

type Rows = readonly Readonly<Record<string, unknown>>[];

function details(...args: readonly string[]): Promise<Rows> {
  return m365('entra', 'user', 'registrationdetails', 'list', ...args) as Promise<Rows>;
}

async function checkDetails(): Promise<void> {
  const rows = await details();
  assert.ok(rows.length >= 1201, `the report has ${rows.length} rows`);
  const ada = rows.find(({ id }) => id === adaId);
  assert.deepEqual(ada?.['methodsRegistered'], ['microsoftAuthenticatorPush', 'softwareOneTimePasscode']);
  assert.deepEqual([ada?.['isAdmin'], ada?.['userPreferredMethodForSecondaryAuthentication']], [true, 'oath']);
}

async function checkFilters(): Promise<void> {
  const names = async (...args: readonly string[]) =>
    (await details('--properties', 'userPrincipalName', ...args))
      .map((row) => Object.values(row).join())
      // The default sandbox has users of its own.
      .filter((name) => name === 'ada@contoso.test' || name.startsWith('user-'));
  assert.deepEqual(await names('--isAdmin', 'true'), ['ada@contoso.test']);
  assert.deepEqual(await names('--methodsRegistered', 'microsoftAuthenticatorPush,email'), ['ada@contoso.test']);
  assert.deepEqual(await names('--userIds', adaId), ['ada@contoso.test']);
  assert.deepEqual(await names('--userPrincipalNames', 'ada@contoso.test,user-7@example.test'), [
    'ada@contoso.test',
    'user-7@example.test',
  ]);
  assert.deepEqual(await names('--systemPreferredAuthenticationMethods', 'push', '--userType', 'member'), [
    'ada@contoso.test',
  ]);
  assert.equal((await names('--userPreferredMethodForSecondaryAuthentication', 'sms,oath')).length >= 1201, true);
}

async function checkPolicy(): Promise<void> {
  const policy = JSON.stringify(await m365('entra', 'policy', 'list', '--type', 'authenticationMethods'));
  assert.match(policy, /"authenticationMethodsRegistrationCampaign"/);
}

async function checkDirectory(): Promise<void> {
  const user = (await m365('entra', 'user', 'get', '--id', adaId)) as Record<string, unknown>;
  assert.equal(user['displayName'], 'Ada');
  const groups = (await m365('entra', 'group', 'list')) as Rows;
  assert.ok(groups.some(({ displayName }) => displayName === 'sales'));
}

async function checkSignIns(): Promise<void> {
  const rows = (await m365('entra', 'user', 'signin', 'list', '--userId', adaId)) as Rows;
  assert.deepEqual(rows, []);
}
