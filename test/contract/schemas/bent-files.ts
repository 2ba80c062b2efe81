import type { CheckedKind } from './schema-answers.ts';

/** A file that `lint` rejects, by what is wrong with it. */
export interface BentFile {
  readonly name: string;
  readonly kind: CheckedKind;
  readonly data: unknown;
}

/** Form of the values in the rows of `examples`. */
function rowValue(name: string): string {
  return `\${${name}}`;
}

const signIn = { signIn: { user: 'ada' }, expect: { page: 'prompt' } };
const sound = {
  name: 'A user is prompted',
  given: { tenant: 'app-enabled', users: { ada: 'sms-user' } },
  steps: [signIn],
};

function scenario(name: string, change: object): BentFile {
  return { name: `scenario: ${name}`, kind: 'scenarios', data: { ...sound, ...change } };
}

/** A scenario with one more step before the sign-in. */
function step(name: string, bent: unknown): BentFile {
  return scenario(name, { steps: [bent, signIn] });
}

/** Scenario with another sign-in. */
function attempt(name: string, change: object): BentFile {
  return scenario(name, { steps: [{ signIn: { user: 'ada', ...change }, expect: { page: 'prompt' } }] });
}

function expectation(name: string, expect: unknown): BentFile {
  return scenario(name, { steps: [signIn, { signIn: { user: 'ada' }, expect }] });
}

function tenant(name: string, given: unknown): BentFile {
  return scenario(name, { given: { tenant: given, users: { ada: 'sms-user' } } });
}

function user(name: string, given: unknown): BentFile {
  return scenario(name, { given: { tenant: 'app-enabled', users: { ada: given } } });
}

function fixture(kind: CheckedKind, name: string, data: unknown): BentFile {
  return { name: `${kind}: ${name}`, kind, data };
}

const { name: _name, ...unnamed } = sound;
const { steps: _steps, ...stepless } = sound;
const { given: _given, ...tenantless } = sound;
const group = { targetType: 'group', id: 'all_users' };
const passkeys = { ...group, targetedAuthenticationMethod: 'fido2' };
const app = { ...group, targetedAuthenticationMethod: 'vendorAuthenticator' };
const web = { kind: 'web', secret: 'a secret', redirectUris: ['https://shop.example/back'] };

/** Files with one fault each. */
export const bentFiles: readonly BentFile[] = [
  scenario('an unknown key', { author: 'me' }),
  { name: 'scenario: no name', kind: 'scenarios', data: unnamed },
  { name: 'scenario: no steps', kind: 'scenarios', data: stepless },
  { name: 'scenario: nothing given', kind: 'scenarios', data: tenantless },
  { name: 'scenario: a list', kind: 'scenarios', data: [sound] },
  scenario('an empty name', { name: '' }),
  scenario('a long name', { name: 'x'.repeat(257) }),
  scenario('an empty list of steps', { steps: [] }),
  scenario('steps as a mapping', { steps: { signIn: { user: 'ada' } } }),
  scenario('no expectation', { steps: [{ signIn: { user: 'ada' } }] }),
  scenario('an unknown ruleset', { ruleset: '2031-01' }),
  scenario('an unknown rule', { covers: ['R99'] }),
  scenario('a rule in lower case', { covers: ['r5'] }),
  scenario('covers as text', { covers: 'R5' }),
  scenario('tags of numbers', { tags: [1] }),
  scenario('a clock without a zone', { clock: '2026-01-05T09:00:00' }),
  scenario('a clock on February 30', { clock: '2026-02-30' }),
  scenario('a clock in month 13', { clock: '2026-13-01' }),
  scenario('a clock at 25:00', { clock: '2026-01-05T25:00:00Z' }),
  scenario('a clock of another form', { clock: '5 January 2026' }),
  scenario('a clock as a number', { clock: 1_767_603_600_000 }),
  scenario('a negative random seed', { seed: -1 }),
  scenario('a random seed with a fraction', { seed: 1.5 }),
  scenario('a timeout of zero', { timeoutMs: 0 }),
  scenario('a timeout that is too long', { timeoutMs: 600_001 }),
  scenario('examples without a row', { examples: [] }),
  scenario('examples of texts', { examples: ['days'] }),
  step('an unknown step', { signin: { user: 'ada' } }),
  step('two steps in one', { signIn: { user: 'ada' }, advance: { days: 1 } }),
  step('an empty step', {}),
  step('a step of an expectation only', { expect: { page: 'prompt' } }),
  step('a step as text', 'skip'),
  step('a sign-in of no one', { signIn: {} }),
  step('a sign-in as null', { signIn: null }),
  step('an advance by nothing', { advance: {} }),
  step('an advance as null', { advance: null }),
  step('an advance by a negative span', { advance: { days: -1 } }),
  step('an advance by text', { advance: { days: '1' } }),
  step('an advance by weeks', { advance: { weeks: 1 } }),
  step('an advance beyond every calendar', { advance: { days: 1e30 } }),
  step('a clock set to nonsense', { setClock: 'tomorrow' }),
  step('a method that no one has', { removeMethod: { user: 'ada', method: 'fax' } }),
  step('an unknown fault', { setFaults: [{ kind: 'bad-weather' }] }),
  step('faults as a mapping', { setFaults: { kind: 'push-denied' } }),
  step('a tenant changed by an unknown key', { setTenant: { campaign: { color: 'red' } } }),
  step('a tenant changed to a number', { setTenant: { campaign: { snoozeDurationInDays: 15 } } }),
  step('settings changed to a number', { setTenant: { settings: 5 } }),
  step('a user changed to an unknown method', { setUser: { user: 'ada', methods: ['fax'] } }),
  step('a change of no user', { setUser: { methods: ['sms'] } }),
  step('a token of another form', { getPolicy: { as: 'root' } }),
  step('headers of numbers', { getPolicy: { headers: { Prefer: 1 } } }),
  step('a call of another API', { callApi: { path: '/api/v2/' } }),
  step('a call of another version', { callApi: { path: '/v2.0/users' } }),
  step('a call with a fragment', { callApi: { path: '/v1.0/users#ada' } }),
  step('a call without a path', { callApi: { method: 'GET' } }),
  step('a call of another method', { callApi: { method: 'HEAD', path: '/v1.0/users' } }),
  step('a call with a raw body', { callApi: { path: '/v1.0/users', raw: '{}' } }),
  step('a verdict of a call', { callApi: { path: '/v1.0/users' }, expect: { outcome: 'none' } }),
  step('a lookup zero times', { lookup: { type: 'email', query: 'ada@example.test', times: 0 } }),
  step('a request of two documents', { document: { get: 1, remove: 1 } }),
  step('a request of no document', { document: { as: 'none' } }),
  attempt('an unknown key of an attempt', { device: 'x' }),
  attempt('an unknown operating system', { os: 'amiga' }),
  attempt('an unknown second factor', { mfa: { method: 'fax' } }),
  attempt('a switch as text', { ssoSession: 'yes' }),
  attempt('an empty device', { deviceId: '' }),
  attempt('an origin with a path', { origin: 'https://shop.example/path' }),
  attempt('a question of no application', { acr: 'mfa' }),
  attempt('an answer to no question', { client: 'web-app', prompt: 'none', account: 'pick' }),
  expectation('an empty expectation', {}),
  expectation('an expectation as null', null),
  expectation('an unknown page', { page: 'nowhere' }),
  expectation('a reason that is no code', { reason: 'Because' }),
  expectation('an unknown key of an expectation', { verdict: 'none' }),
  expectation('snoozes as text', { snoozes: '1' }),
  expectation('a negative number of snoozes', { snoozes: -1 }),
  expectation('a status out of range', { status: 99 }),
  expectation('a bad instant', { nextPromptAt: '2026-01-05 09:00' }),
  expectation('a key that the step cannot show', { remaining: 3 }),
  step('a page of a clock', { advance: { days: 1 }, expect: { page: 'prompt' } }),
  step('a verdict of a policy', { getPolicy: {}, expect: { outcome: 'none' } }),
  tenant('a number as tenant', 5),
  tenant('an empty fixture name', ''),
  tenant('an unknown key of a tenant', { extends: 'app-enabled', color: 'red' }),
  tenant('an unknown state', { extends: 'app-enabled', campaign: { state: 'on' } }),
  tenant('an id that is removed from a target', { campaign: { includeTargets: [{ ...app, id: null }] } }),
  tenant('a removed key without extends', { subscription: null }),
  tenant('extends as a list', { extends: ['app-enabled'] }),
  user('an unknown type of user', { type: 'alien' }),
  user('an unknown method', { methods: ['sms', 'fax'] }),
  user('methods as text', { extends: 'sms-user', methods: 'sms' }),
  user('an unknown passkey type', { passkeys: [{ type: 'paper' }] }),
  user('a code of five digits', { extends: 'sms-user', code: '12345' }),
  user('a list as user', ['sms-user']),
  scenario('users as a list', { given: { tenant: 'app-enabled', users: ['sms-user'] } }),
  scenario('an unknown fault from the start', { given: { ...sound.given, faults: [{ kind: 'rain' }] } }),
  scenario('a fault with a wrong number', {
    given: { ...sound.given, faults: [{ extends: 'push-denied', times: 0 }] },
  }),
  fixture('tenants', 'a list', [{}]),
  fixture('tenants', 'an unknown key', { color: 'red' }),
  fixture('tenants', 'an unknown state', { campaign: { state: 'on' } }),
  fixture('tenants', 'two methods', { campaign: { includeTargets: [passkeys, app] } }),
  fixture('tenants', 'everyone as a user', { campaign: { includeTargets: [{ ...app, targetType: 'user' }] } }),
  fixture('tenants', 'everyone excluded', { campaign: { excludeTargets: [group] } }),
  fixture('tenants', 'a snooze of 15 days', { campaign: { snoozeDurationInDays: 15 } }),
  fixture('tenants', 'groups as a list', { groups: ['staff'] }),
  fixture('tenants', 'a color by name', { settings: { branding: { name: 'Shop', color: 'red' } } }),
  fixture('tenants', 'an unknown language', { settings: { language: 'tlh' } }),
  fixture('tenants', 'the wire name of the other method', { settings: { authenticatorWireName: 'FIDO2' } }),
  fixture('users', 'an unknown type', { type: 'alien' }),
  fixture('users', 'an unknown method', { methods: ['fax'] }),
  fixture('users', 'an unknown key', { phone: '555' }),
  fixture('users', 'a negative snooze count', { snooze: { count: -1 } }),
  fixture('users', 'an empty password', { password: '' }),
  fixture('users', 'a wrong type over another fixture', { extends: 'sms-user', type: 'alien' }),
  fixture('clients', 'an unknown kind', { ...web, kind: 'mobile' }),
  fixture('clients', 'no secret', { kind: 'web', redirectUris: ['https://shop.example/back'] }),
  fixture('clients', 'a public client with a secret', { ...web, kind: 'public' }),
  fixture('clients', 'no redirect URI', { kind: 'web', secret: 'a secret' }),
  fixture('clients', 'a redirect URI with a fragment', { ...web, redirectUris: ['https://shop.example/#a'] }),
  fixture('clients', 'a redirect URI that a browser would run', { ...web, redirectUris: ['javascript:alert(1)'] }),
  fixture('clients', 'a relative redirect URI', { ...web, redirectUris: ['back'] }),
  fixture('clients', 'keys without their method', { ...web, jwks: { keys: [{ kty: 'RSA', n: 'AQ', e: 'AQAB' }] } }),
  fixture('clients', 'a method without its keys', { ...web, authMethods: ['private_key_jwt'] }),
  fixture('clients', 'a secret that is too short to sign', { ...web, authMethods: ['client_secret_jwt'] }),
  fixture('faults', 'an unknown kind', { kind: 'bad-weather' }),
  fixture('faults', 'no kind', { times: 1 }),
  fixture('faults', 'a number as text', { kind: 'push-denied', times: 'never' }),
  fixture('faults', 'a key of another kind', { kind: 'push-denied', delayMs: 5 }),
  fixture('faults', 'an unknown endpoint', { kind: 'delay', endpoint: 'door', delayMs: 5 }),
  fixture('faults', 'a status that is no failure', { kind: 'server-error', endpoint: 'token', status: 200 }),
  fixture('lookup', 'no tool', { tools: { email: [], username: [] } }),
  fixture('lookup', 'a tool called all', { tools: { email: [{ id: 'all' }], username: [{ id: 'site' }] } }),
  fixture('lookup', 'an account without a password', { accounts: [{ id: 'one', email: 'one@example.test' }] }),
  fixture('lookup', 'a known answer without its query', { known: [{ type: 'email', tool: 'site' }] }),
  fixture('lookup', 'an unknown setting', { settings: { costs: 1 } }),
];

/** Valid files that a schema might reject by mistake. */
export const soundFiles: readonly BentFile[] = [
  scenario('nothing special', {}),
  scenario('a date as clock', { clock: '2026-01-05' }),
  scenario('a leap day as clock', { clock: '2028-02-29T23:59:59.999+05:30' }),
  scenario('row values for an enum and a number', {
    examples: [{ os: 'windows', days: 1, step: 'tab' }],
    steps: [
      { signIn: { user: 'ada', os: rowValue('os'), as: `${rowValue('step')}1` }, expect: { page: 'prompt' } },
      { advance: { days: rowValue('days') } },
    ],
  }),
  scenario('a row value for a whole step', {
    examples: [{ say: { user: 'ada' } }],
    steps: [{ ...signIn, signIn: rowValue('say') }],
  }),
  step('steps with nothing to say', { getPolicy: null }),
  scenario('a step that answers the latest prompt', { steps: [signIn, { skip: null }, { signIn: { user: 'ada' } }] }),
  tenant('a removed key of a fixture', { extends: 'app-enabled', campaign: { snoozeDurationInDays: null } }),
  tenant('a tenant that is removed in part', { extends: 'app-enabled', subscription: null }),
  user('an inline user', { methods: ['voice'], type: 'member' }),
  scenario('a fault over a fixture', { given: { ...sound.given, faults: [{ extends: 'push-denied', times: 2 }] } }),
  fixture('clients', 'a public client', { kind: 'public', anyLoopbackRedirect: true }),
  fixture('clients', 'a service', { kind: 'service', secret: 'a secret' }),
  fixture('clients', 'an own scheme', { ...web, redirectUris: ['com.example.app:/back'] }),
  fixture('users', 'nothing said', {}),
  fixture('tenants', 'nothing said', {}),
  fixture('tenants', 'targets of one method', { campaign: { includeTargets: [app, { ...app, id: 'staff' }] } }),
];

/** A file that `lint` rejects and its schema accepts. */
export interface BeyondFile extends BentFile {
  /** Why a schema cannot express it. */
  readonly reason: string;
}

function beyond(reason: string, file: BentFile): BeyondFile {
  return { ...file, reason };
}

/** What only `lint` finds: an example of each reason. */
export const beyondFiles: readonly BeyondFile[] = [
  beyond('fixtures are files', tenant('an unknown fixture', 'nowhere')),
  beyond('fixtures are files', fixture('users', 'an unknown fixture', { extends: 'nobody' })),
  beyond('users are keys of given.users', step('a user who is not given', { signIn: { user: 'bob' } })),
  beyond('clients are given elsewhere', attempt('an unknown client', { client: 'nowhere' })),
  beyond('tabs are those of earlier steps', step('an unknown tab', { skip: { prompt: 'tab9' } })),
  beyond('reasons are those of the ruleset', expectation('an unknown reason', { reason: 'because' })),
  beyond('the order of steps decides', step('a skip before the sign-in', { skip: {} })),
  beyond(
    'lint runs the steps',
    scenario('a page without a prompt', { steps: [signIn, { skip: {} }, { skipError: {} }] }),
  ),
  beyond(
    'row values are keys of examples',
    scenario('an unknown row value', { name: rowValue('x'), examples: [{ y: 1 }] }),
  ),
  beyond('the schema would have to be there twice', attempt('a row value without examples', { os: rowValue('os') })),
  beyond(
    'the values of examples have no place',
    scenario('a wrong value of a row', {
      examples: [{ os: 'amiga' }],
      steps: [{ signIn: { user: 'ada', os: rowValue('os') }, expect: { page: 'prompt' } }],
    }),
  ),
  beyond(
    'names refer to another list',
    fixture('tenants', 'an unknown network', {
      settings: { context: { conditionalAccess: [{ id: 'p', grant: 'block', networks: { include: ['x'] } }] } },
    }),
  ),
  beyond(
    'names refer to another list',
    fixture('tenants', 'an unknown profile', {
      methodsPolicy: { fido2: { includeTargets: [{ ...group, profiles: ['x'] }] } },
    }),
  ),
  beyond('the year decides', scenario('February 29 of a common year', { clock: '2026-02-29' })),
  beyond('steps add up', step('a clock that leaves the calendar', { advance: { days: 2_932_890 } })),
  beyond(
    'a merge patch may rely on other keys',
    step('a part of branding', { setTenant: { settings: { branding: { color: '#000000' } } } }),
  ),
  beyond(
    'the fixture decides which keys fit',
    fixture('faults', 'a key of another kind', { extends: 'push-denied', delayMs: 5 }),
  ),
];
