/**
 * `node test/soak/administrator-tools-process.ts --cli 11.11.0 --sdk 1.0.0-preview.90`: installs CLI for Microsoft 365
 * and the typed SDK in an empty folder. It signs in with the program and runs its commands unchanged against a served
 * sandbox, as docs/how-to/administrator-tools.md shows. The hosts of the program are fixed, so the server has their
 * names, and a proxy connects them to the server. Then it executes the code of docs/how-to/typed-sdk.md. The exit code
 * is 1 if a command fails, or if anything other than the facts is read.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { parseArgs, promisify } from 'node:util';
import { Served } from './served.ts';
import { TunnelProxy } from './tunnel-proxy.ts';
import { checkTypedSdk, typedSdkPackages } from './typed-sdk.ts';

const run = promisify(execFile);
const hosts = ['login.microsoftonline.com', 'graph.microsoft.com'] as const;
const { values } = parseArgs({ options: { cli: { type: 'string' }, sdk: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'nudgelab-tools-'));
const home = join(folder, 'home');
mkdirSync(home);

const adaId = '11111111-2222-4333-8444-555555555555';
const clients = join(folder, 'tools.yaml');
const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/administrator-tools.md'), 'utf8');
const [, described = ''] = /<<'END'\n([^`]*)\nEND\n/.exec(page) ?? [];
writeFileSync(clients, described);
const read = (key: string) =>
  new RegExp(`^- ?${key}: (.*)$|^  ${key}: (.*)$`, 'm').exec(described)?.slice(1).join('') ?? '';

let commands = 0;

const httpsDir = join(folder, 'https');
const server = await Served.start({
  more: [
    ...['--dialect', 'entra', '--clients', clients, '--https', '--https-dir', httpsDir],
    ...['--public-url', `https://${hosts[0]}`, '--allowed-host', hosts[1]],
  ],
});
const authorityPath = join(httpsDir, 'authority.pem');
setDefaultCACertificates([...getCACertificates('default'), readFileSync(authorityPath, 'utf8')]);
const { port } = new URL(server.controlUrl);
const control = `https://localhost:${port}/_control/v1/sandboxes/default`;
const proxy = await TunnelProxy.start(hosts, Number(port));

try {
  if (values.cli === undefined) throw new Error('Name the version of the program with --cli.');
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await install(`@pnp/cli-microsoft365@${values.cli}`);
  await prepare();
  await m365('cli', 'config', 'set', '--key', 'disableTelemetry', '--value', 'true');
  const tenant =
    String((await get(control))['tenantUrl'])
      .split('/')
      .at(-1) ?? '';
  const secret = ['--secret', read('secret'), '--appId', read('id'), '--tenant', tenant];
  await m365('login', '--authType', 'secret', ...secret);
  for (const check of [checkDetails, checkFilters, checkPolicy, checkDirectory, checkSignIns]) await check();
  const blocks = await checkSdk(values.sdk);
  process.stdout.write(
    `CLI for Microsoft 365 ${values.cli} ran ${commands} commands by ${proxy.connected.length} connections, and the typed SDK ${values.sdk} ${blocks} code blocks\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
} finally {
  proxy.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Installs the typed SDK and executes its guide against a server of its own. Returns the number of code blocks. */
async function checkSdk(version: string | undefined): Promise<number> {
  if (version === undefined) throw new Error('Name the version of the SDK with --sdk.');
  await install(...typedSdkPackages.map((name) => `${name}@${version}`));
  const sandbox = await Served.start({ more: ['--dialect', 'entra'] });
  try {
    return await checkTypedSdk({ folder, baseUrl: sandbox.baseUrl, send: post });
  } finally {
    await sandbox.stop();
  }
}

async function install(...packages: readonly string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  await run('npm', ['install', ...quiet, ...packages], { cwd: folder });
}

/** Sets up the sandbox: 1,200 users need two pages. */
async function prepare(): Promise<void> {
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

async function get(url: string): Promise<Record<string, unknown>> {
  return (await (await fetch(url)).json()) as Record<string, unknown>;
}

async function post(url: string, method: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Runs a command of the program and returns what it prints as JSON. */
async function m365(...args: readonly string[]): Promise<unknown> {
  commands += 1;
  const program = join(folder, 'node_modules/@pnp/cli-microsoft365/dist/index.js');
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
      NODE_EXTRA_CA_CERTS: authorityPath,
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
