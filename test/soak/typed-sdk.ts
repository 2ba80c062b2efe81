import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Agent } from 'undici';
import { runGuide } from '../server/oidc/guide-code.ts';
import { PageClient } from './page-client.ts';

const guide = join(import.meta.dirname, '../../docs/how-to/typed-sdk.md');

/** Number of users whose names start with `pilot-`, for three pages of the guide. */
const pilotsCount = 25;

/** Modules that the guide imports. */
const moduleNames = [
  '@microsoft/msgraph-sdk',
  '@microsoft/msgraph-sdk-core',
  '@microsoft/msgraph-sdk-users',
  '@microsoft/msgraph-sdk/models/index.js',
  '@microsoft/msgraph-sdk/models/oDataErrors/index.js',
  '@microsoft/kiota-abstractions',
] as const;

/** Names of the packages that the guide installs. */
export const typedSdkPackages = ['@microsoft/msgraph-sdk', '@microsoft/msgraph-sdk-users'] as const;

type Fields = Readonly<Record<string, unknown>>;
type Rows = readonly Fields[];
type Send = (url: string, method: string, body?: object) => Promise<Fields>;

interface Client {
  readonly graph: {
    readonly users: {
      byUserId(id: string): { get(): Promise<unknown> };
      get(options: object): Promise<unknown>;
    };
  };
}

interface SdkSetup {
  /** Folder in which the packages are installed. */
  readonly folder: string;
  /** Base URL of a server whose default sandbox has the dialect `entra`. */
  readonly baseUrl: string;
  /** Sends JSON to the control API and returns the response. */
  readonly send: Send;
}

/**
 * Executes the guide of the typed SDK with the installed packages against a sandbox, and compares what the SDK reads
 * with the facts. Returns the number of code blocks.
 */
export async function checkTypedSdk({ folder, baseUrl, send }: SdkSetup): Promise<number> {
  const control = `${baseUrl}/_control/v1/sandboxes/default`;
  await prepare(control, send);
  await skipPrompt(baseUrl);
  const { access_token: token } = await send(`${control}/tokens`, 'POST', {
    app: 'tool',
    permissions: [
      ...['User.Read.All', 'Directory.Read.All', 'AuditLog.Read.All'],
      ...['UserAuthenticationMethod.ReadWrite.All', 'Policy.ReadWrite.AuthenticationMethod'],
    ],
  });
  const modules = await importModules(folder);
  const values = { 'the printed token': String(token), 'http://localhost:4700': baseUrl };
  const client = await runGuide<Client>(guide, 'createGraphServiceClient(adapter)', modules, values);
  let blocks = 1;
  const run = (text: string) => {
    blocks += 1;
    return runGuide<Fields>(guide, text, { ...modules, './graph.js': client }, values);
  };
  checkUsers(await run('PageIterator(adapter'));
  // The report is read before the guide deletes a method.
  checkResources(await run('const registrations'));
  checkMethods(await run('softwareOathMethods'));
  checkPolicy(await run('const patch'), await send(`${control}/tenant`, 'GET'));
  await checkErrors(client);
  return blocks;
}

async function importModules(folder: string): Promise<Readonly<Record<string, object>>> {
  const { resolve } = createRequire(join(folder, 'package.json'));
  const load = async (name: string) => [name, (await import(pathToFileURL(resolve(name)).href)) as object] as const;
  return Object.fromEntries(await Promise.all(moduleNames.map(load)));
}

/** Adds the users of the guide. The default sandbox has users of its own. */
async function prepare(control: string, send: Send): Promise<void> {
  for (let index = 0; index < pilotsCount; index += 1) {
    const methods = index === 1 ? ['sms', 'authenticator-totp'] : ['sms'];
    await send(`${control}/users/pilot-${index}`, 'PUT', { methods, groups: ['pilots'] });
  }
}

/** Signs in a user who skips the prompt, for a row of the sign-in log. */
async function skipPrompt(baseUrl: string): Promise<void> {
  const agent = new Agent();
  const browser = new PageClient(baseUrl, agent);
  await browser.begin('pilot-2');
  await browser.act('password', { password: 'correct horse' });
  assert.equal((await browser.act('code', { code: '123456' })).name, 'prompt');
  await browser.act('skip');
  await agent.close();
}

function checkUsers({ page, users }: Fields): void {
  const { value, odataNextLink } = page as { readonly value: Rows; readonly odataNextLink?: string };
  assert.deepEqual([value.length, typeof odataNextLink], [10, 'string']);
  const names = (users as Rows).map(({ userPrincipalName }) => userPrincipalName);
  assert.deepEqual(names.toSorted(), listPilots());
  assert.deepEqual(Object.keys(value[0] ?? {}).toSorted(), ['id', 'userPrincipalName']);
}

function listPilots(): readonly string[] {
  return Array.from({ length: pilotsCount }, (_, index) => `pilot-${index}@example.test`).toSorted();
}

function checkResources({ groups, members, registrations, signIns }: Fields): void {
  const read = (list: unknown) => (list as { readonly value: Rows }).value;
  assert.deepEqual(
    read(groups).map(({ displayName, securityEnabled }) => [displayName, securityEnabled]),
    [['pilots', true]],
  );
  const people = read(members);
  assert.deepEqual(people.map(({ userPrincipalName }) => userPrincipalName).toSorted(), listPilots());
  assert.equal(
    people.every(({ odataType }) => odataType === '#microsoft.graph.user'),
    true,
  );
  const row = read(registrations).find(({ userPrincipalName }) => userPrincipalName === 'pilot-1@example.test');
  assert.deepEqual(row?.['methodsRegistered'], ['mobilePhone', 'softwareOneTimePasscode']);
  assert.deepEqual([row?.['isMfaRegistered'], row?.['userType']], [true, 'member']);
  const [signIn] = read(signIns);
  const status = signIn?.['status'] as Fields | undefined;
  assert.deepEqual([signIn?.['userPrincipalName'], status?.['errorCode']], ['pilot-2@example.test', 0]);
  assert.equal(signIn?.['createdDateTime'] instanceof Date, true);
}

function checkMethods({ methods, left }: Fields): void {
  const listTypes = (rows: unknown) => (rows as Rows).map(({ odataType }) => String(odataType).split('.').at(-1));
  const kept = ['passwordAuthenticationMethod', 'phoneAuthenticationMethod'];
  assert.deepEqual(listTypes(methods), [...kept, 'softwareOathAuthenticationMethod']);
  assert.deepEqual(listTypes(left), kept);
  const phone = (methods as Rows)[1];
  assert.equal(phone?.['phoneType'], 'mobile');
  assert.match(String(phone?.['phoneNumber']), /^\+1 55501\d{5}$/);
}

function checkPolicy({ policy, changed }: Fields, tenant: Fields): void {
  const { authenticationMethodConfigurations: configurations } = policy as {
    readonly authenticationMethodConfigurations: Rows;
  };
  const app = configurations.find(({ id }) => id === 'MicrosoftAuthenticator');
  assert.deepEqual([app?.['state'], app?.['isSoftwareOathEnabled']], ['enabled', true]);
  const { registrationEnforcement } = changed as { readonly registrationEnforcement: Readonly<Record<string, Fields>> };
  const campaign = registrationEnforcement['authenticationMethodsRegistrationCampaign'];
  assert.deepEqual([campaign?.['snoozeDurationInDays'], campaign?.['state']], [7, 'enabled']);
  assert.equal((tenant['campaign'] as Fields)['snoozeDurationInDays'], 7);
}

async function checkErrors({ graph: { users } }: Client): Promise<void> {
  await assert.rejects(users.byUserId('nobody').get(), isError(404, 'Request_ResourceNotFound'));
  const select = { queryParameters: { select: ['nothing'] } };
  await assert.rejects(users.get(select), isError(400, 'Request_UnsupportedQuery'));
}

function isError(status: number, code: string) {
  return (error: unknown): boolean => {
    const { responseStatusCode, errorEscaped } = error as Readonly<{
      responseStatusCode: number;
      errorEscaped: Fields & { readonly innerError: Fields };
    }>;
    assert.deepEqual([responseStatusCode, errorEscaped['code']], [status, code]);
    assert.equal(errorEscaped.innerError['date'] instanceof Date, true);
    return true;
  };
}
