import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AttemptInput } from '../../../src/contract/context.schema.ts';
import type { SignInOrigin } from '../../../src/journal/journal-event.ts';
import type { SignInView } from '../../../src/sandbox/sandbox.ts';
import { appCampaign, dayMs, minuteMs, startMs } from '../../journal/signing-in.ts';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer } from './directory-server.ts';

const path = '/beta/auditLogs/signIns';

let server: DirectoryServer;

async function start(directory: object = {}, more: object = {}): Promise<void> {
  server = await DirectoryServer.start({
    clock: { nowMs: startMs, running: false },
    tenant: { ...appCampaign, subscription: 'paid' },
    settings: {
      context: { namedLocations: ['office'], compliantDevices: ['laptop'] },
      directory,
      ...more,
    },
    users: [
      { id: 'ada', displayName: 'Ada', methods: ['sms'] },
      { id: 'guest', type: 'guest', methods: ['sms'], userPrincipalName: 'guest@home.test' },
    ],
  });
}

beforeEach(() => start());
afterEach(() => server.stop());

/** Signs a user in up to the screen that follows the evaluation. */
async function signIn(
  attempt: AttemptInput = {},
  { user = 'ada', origin }: { readonly user?: string; readonly origin?: SignInOrigin } = {},
): Promise<SignInView> {
  const { signIns } = server.sandbox;
  let view = await signIns.start(user, attempt, origin);
  if (view.screen === 'password') view = await signIns.acceptPassword(view.id);
  if (view.screen === 'mfa' || view.screen === 'externalMfa') view = await signIns.completeMfa(view.id);
  return view;
}

/** Signs in and skips the prompt if there is one. */
async function skip(attempt: AttemptInput = {}, more: Parameters<typeof signIn>[1] = {}): Promise<SignInView> {
  const view = await signIn(attempt, more);
  return view.screen === 'prompt' ? server.sandbox.signIns.skip(view.id) : view;
}

type Row = Readonly<Record<string, unknown>>;

async function rows(query = '', options: Parameters<DirectoryServer['ask']>[1] = {}): Promise<readonly Row[]> {
  const { status, body, text } = await server.ask(`${path}${query}`, options);
  expect([status, text]).toEqual([200, text]);
  return body.value ?? [];
}

async function firstRow(query = ''): Promise<Row> {
  const [row] = await rows(query);
  if (row === undefined) throw new Error('The log is empty.');
  return row;
}

const passwordStep = { authenticationMethod: 'Password', authenticationStepRequirement: 'Primary authentication' };

function step(method: string) {
  return { authenticationMethod: method, authenticationStepRequirement: 'Multifactor authentication', succeeded: true };
}

describe('fields of a row', () => {
  const cases: readonly (readonly [string, AttemptInput, Row, SignInOrigin?, string?])[] = [
    [
      'ids, user and resource',
      {},
      {
        id: 's2',
        correlationId: 's2',
        originalRequestId: 's2',
        createdDateTime: '2026-01-05T09:00:00.000Z',
        userId: 'ada',
        userDisplayName: 'Ada',
        userPrincipalName: 'ada@example.test',
        userType: 'member',
        homeTenantId: 'tenant',
        resourceTenantId: 'tenant',
        crossTenantAccessType: 'none',
        resourceDisplayName: 'Graph',
        ipAddress: '127.0.0.1',
        location: null,
        tokenIssuerType: 'AzureAD',
        authenticationProtocol: 'oAuth2',
        incomingTokenType: 'none',
        riskState: 'none',
        riskEventTypes: [],
      },
    ],
    [
      'a guest',
      {},
      {
        userType: 'guest',
        crossTenantAccessType: 'b2bCollaboration',
        homeTenantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
      {},
      'guest',
    ],
    ['no application', {}, { appDisplayName: 'NudgeLab', appId: 'nudgelab-pages' }],
    ['an application', {}, { appDisplayName: 'My App', appId: 'my-app' }, { client: { id: 'my-app', name: 'My App' } }],
    [
      'an application on a device',
      {},
      { authenticationProtocol: 'deviceCode' },
      { client: { id: 'tv', name: 'TV' }, device: true },
    ],
    [
      'Chrome on Windows',
      {},
      {
        clientAppUsed: 'Browser',
        deviceDetail: expect.objectContaining({ browser: 'Chrome 140.0.0', operatingSystem: 'Windows10' }),
      },
    ],
    ['Edge', { browser: 'edge' }, { deviceDetail: expect.objectContaining({ browser: 'Edge 140.0.0' }) }],
    [
      'Firefox on Linux',
      { browser: 'firefox', os: 'linux' },
      { deviceDetail: expect.objectContaining({ browser: 'Firefox 140.0', operatingSystem: 'Linux' }) },
    ],
    [
      'Safari on a Mac',
      { browser: 'safari', os: 'macos' },
      { deviceDetail: expect.objectContaining({ browser: 'Safari 18.0', operatingSystem: 'MacOs' }) },
    ],
    [
      'Safari on a phone',
      { browser: 'safari', os: 'ios' },
      { deviceDetail: expect.objectContaining({ browser: 'Mobile Safari 18.0', operatingSystem: 'Ios 18' }) },
    ],
    [
      'another browser on Android',
      { browser: 'other', os: 'android' },
      { deviceDetail: expect.objectContaining({ browser: 'Opera 120.0', operatingSystem: 'Android 15' }) },
    ],
    [
      'an unknown system',
      { os: 'unknown' },
      { deviceDetail: expect.objectContaining({ operatingSystem: 'ChromeOs' }) },
    ],
    [
      'a native app',
      { surface: 'native-app', browser: null },
      { clientAppUsed: 'Mobile Apps and Desktop clients', deviceDetail: expect.objectContaining({ browser: '' }) },
    ],
    [
      'an embedded app',
      { surface: 'embedded-app' },
      {
        clientAppUsed: 'Mobile Apps and Desktop clients',
        deviceDetail: expect.objectContaining({ browser: 'Chrome 140.0.0' }),
      },
    ],
    [
      'a compliant device',
      { deviceId: 'laptop' },
      {
        deviceDetail: expect.objectContaining({
          deviceId: 'laptop',
          isCompliant: true,
          isManaged: true,
          trustType: 'AzureAd',
        }),
      },
    ],
    [
      'another device',
      { deviceId: 'own' },
      { deviceDetail: expect.objectContaining({ deviceId: 'own', isCompliant: false, trustType: null }) },
    ],
    ['interactive', {}, { isInteractive: true, signInEventTypes: ['interactiveUser'] }],
    [
      'a named location',
      { network: 'office' },
      { networkLocationDetails: [{ networkType: 'namedNetwork', networkNames: ['office'] }] },
    ],
    ['no named location', {}, { networkLocationDetails: [] }],
    [
      'SMS',
      { mfa: { method: 'sms' } },
      {
        authenticationRequirement: 'multiFactorAuthentication',
        authenticationDetails: [expect.objectContaining(passwordStep), expect.objectContaining(step('SMS'))],
      },
    ],
    [
      'voice',
      { mfa: { method: 'voice' } },
      { authenticationDetails: [expect.objectContaining(passwordStep), expect.objectContaining(step('Voice'))] },
    ],
    [
      'push',
      { mfa: { method: 'authenticator-push' } },
      {
        authenticationDetails: [
          expect.objectContaining(passwordStep),
          expect.objectContaining(step('Authenticator App')),
        ],
      },
    ],
    [
      'TOTP',
      { mfa: { method: 'authenticator-totp' } },
      {
        authenticationDetails: [
          expect.objectContaining(passwordStep),
          expect.objectContaining(step('Software OATH token')),
        ],
      },
    ],
    [
      'hardware TOTP',
      { mfa: { method: 'hardware-totp' } },
      {
        authenticationDetails: [
          expect.objectContaining(passwordStep),
          expect.objectContaining(step('Hardware OATH token')),
        ],
      },
    ],
    [
      'a passkey',
      { mfa: { method: 'passkey' } },
      { authenticationDetails: [expect.objectContaining(step('Passkey'))] },
    ],
    [
      'an external provider',
      { mfa: { provider: 'external' } },
      {
        authenticationDetails: [
          expect.objectContaining(passwordStep),
          expect.objectContaining(step('External authentication method')),
        ],
      },
    ],
    [
      'the home tenant',
      { mfa: { provider: 'home-tenant' } },
      { authenticationDetails: [expect.objectContaining({ authenticationMethod: 'Previously satisfied' })] },
    ],
    [
      'a session',
      { ssoSession: true },
      {
        authenticationRequirement: 'singleFactorAuthentication',
        authenticationDetails: [expect.objectContaining({ authenticationMethod: 'Previously satisfied' })],
      },
    ],
    ['an unknown method', { mfa: { method: null } }, { authenticationDetails: [] }],
    [
      'no second factor',
      { mfa: { completed: false } },
      {
        authenticationRequirement: 'singleFactorAuthentication',
        authenticationDetails: [expect.objectContaining(passwordStep)],
      },
    ],
    ['a success', {}, { status: expect.objectContaining({ errorCode: 0, failureReason: 'Other.' }) }],
    [
      'terms of use',
      { termsOfUse: true },
      {
        conditionalAccessStatus: 'success',
        appliedConditionalAccessPolicies: [
          expect.objectContaining({
            displayName: 'Terms of use',
            enforcedGrantControls: ['TermsOfUse'],
            enforcedSessionControls: [],
            result: 'success',
          }),
        ],
      },
    ],
    [
      'custom controls',
      { customControls: true },
      {
        conditionalAccessStatus: 'success',
        appliedConditionalAccessPolicies: [
          expect.objectContaining({ displayName: 'Custom controls', enforcedGrantControls: ['CustomControls'] }),
        ],
      },
    ],
    ['no policies', {}, { conditionalAccessStatus: 'notApplied', appliedConditionalAccessPolicies: [] }],
  ];

  for (const [name, attempt, expected, origin = {}, user = 'ada'] of nonEmpty(cases)) {
    test(`DIR71: ${name}`, async () => {
      await skip(attempt, { user, origin });
      expect(await firstRow()).toMatchObject(expected);
    });
  }

  test('DIR71: a silent sign-in is hidden unless the filter names it', async () => {
    await skip({ ssoSession: true }, { origin: { silent: true } });
    await skip();
    expect((await rows()).map(({ id }) => id)).toEqual(['s3']);
    for (const filter of [
      "signInEventTypes/any(t: t eq 'nonInteractiveUser')",
      'isInteractive eq false',
      "isInteractive eq false and userId eq 'ada'",
    ]) {
      const found = await rows(`?$filter=${encodeURIComponent(filter)}`);
      expect(found.map(({ id, isInteractive, signInEventTypes }) => [id, isInteractive, signInEventTypes])).toEqual([
        ['s2', false, ['nonInteractiveUser']],
      ]);
    }
    const either = "isInteractive eq false or signInEventTypes/any(t: t eq 'interactiveUser')";
    expect(await rows(`?$filter=${encodeURIComponent(either)}`)).toHaveLength(2);
  });
});

describe('rows of an attempt', () => {
  test('DIR71: a sign-in without a verdict has no row', async () => {
    await server.sandbox.signIns.start('ada');
    expect(await rows()).toEqual([]);
  });

  test('DIR71: a prompt without a sign-in is 50203, and 0 once the user is signed in', async () => {
    const { id } = await signIn();
    expect(await firstRow()).toMatchObject({ status: { errorCode: 50203 } });
    await server.sandbox.signIns.leave(id);
    await server.sandbox.directory.settlePendingCloses('ada');
    expect(await firstRow()).toMatchObject({ id, status: { errorCode: 50203 } });
    await skip();
    expect((await rows()).map(({ status }) => (status as Row)['errorCode'])).toEqual([0, 50203]);
  });

  test('DIR71: a required prompt without a sign-in is 502031', async () => {
    await server.sandbox.directory.setSnooze('ada', { count: 3, snoozedAtMs: startMs - 30 * dayMs });
    await signIn();
    expect(await firstRow()).toMatchObject({ status: { errorCode: 502031 } });
  });

  test('DIR77: a skip that signs in and a registration are 0', async () => {
    await skip();
    await server.sandbox.clock.advance({ days: 2 });
    const { id } = await signIn();
    await server.sandbox.signIns.selectNext(id);
    await server.sandbox.signIns.completeSetup(id, null);
    expect((await rows()).map(({ status }) => (status as Row)['errorCode'])).toEqual([0, 0]);
  });

  test('DIR71: a registration in the session is a row one second earlier with the same correlation id', async () => {
    await signIn({ registeredThisSession: true });
    const found = await rows();
    expect(found.map(({ id, correlationId, createdDateTime }) => [id, correlationId, createdDateTime])).toEqual([
      ['s2', 's2', '2026-01-05T09:00:00.000Z'],
      ['s2-50079', 's2', '2026-01-05T08:59:59.000Z'],
    ]);
    expect(found.map(({ status }) => (status as Row)['errorCode'])).toEqual([0, 50079]);
  });

  test('DIR71: signInRows real adds the interruptions', async () => {
    await server.stop();
    await start({ signInRows: 'real' }, { askToStaySignedIn: true });
    await skip({}, { origin: { client: { id: 'app', name: 'App' } } });
    await skip({ ssoSession: true });
    const found = await rows();
    expect(found.map(({ id, status }) => [id, (status as Row)['errorCode']])).toEqual([
      ['s6', 0],
      ['s2', 0],
      ['s2-50140', 50140],
      ['s2-50074', 50074],
    ]);
  });
});

describe('retention and delay', () => {
  const retained: readonly (readonly [string, object, number])[] = [
    ['paid', {}, 30],
    ['free', {}, 7],
    ['trial', {}, 7],
    ['paid', { auditRetentionDays: 3 }, 3],
  ];

  test.each(retained)('DIR72: %s %o keeps rows for %i days', async (subscription, directory, days) => {
    await server.stop();
    await start(directory);
    await server.sandbox.directory.patchTenant({ subscription }, 'control-api');
    const { id } = await skip();
    await server.sandbox.clock.advance({ days });
    expect(await rows()).toHaveLength(1);
    await server.sandbox.clock.advance({ ms: 1 });
    expect(await rows()).toEqual([]);
    expect((await server.ask(`${path}/${id}`)).status).toBe(404);
    await server.sandbox.clock.set({ nowMs: startMs });
    expect(await rows()).toHaveLength(1);
    expect((await server.ask(`${path}/${id}`)).status).toBe(200);
  });

  test('DIR72: rows after the virtual time are hidden until it is reached again', async () => {
    await server.sandbox.clock.advance({ days: 1 });
    await skip();
    await server.sandbox.clock.set({ nowMs: startMs });
    expect(await rows()).toEqual([]);
    await skip({ ssoSession: true });
    await server.sandbox.clock.advance({ days: 2 });
    expect((await rows()).map(({ createdDateTime }) => createdDateTime)).toEqual([
      '2026-01-06T09:00:00.000Z',
      '2026-01-05T09:00:00.000Z',
    ]);
  });

  test('DIR72: auditDelayMinutes holds rows back', async () => {
    await server.stop();
    await start({ auditDelayMinutes: 5 });
    await skip();
    await server.sandbox.clock.advance({ ms: 5 * minuteMs - 1 });
    expect(await rows()).toEqual([]);
    await server.sandbox.clock.advance({ ms: 1 });
    expect(await rows()).toHaveLength(1);
  });
});

describe('versions', () => {
  const betaOnly = [
    'authenticationDetails',
    'authenticationProtocol',
    'authenticationRequirement',
    'crossTenantAccessType',
    'incomingTokenType',
    'networkLocationDetails',
    'originalRequestId',
    'sessionId',
    'signInEventTypes',
    'tokenIssuerType',
    'userType',
  ];

  test('DIR70: v1.0 lacks the properties of beta, unless v1SignIns is full', async () => {
    await skip();
    const beta = Object.keys(await firstRow());
    const [v1 = {}] = (await server.ask('/v1.0/auditLogs/signIns')).body.value ?? [];
    expect(Object.keys(v1)).toEqual(beta.filter((name) => !betaOnly.includes(name)));
    for (const name of nonEmpty(betaOnly)) {
      expect((await server.ask(`/v1.0/auditLogs/signIns?$select=${name}`)).status).toBe(400);
      expect((await server.ask(`${path}?$select=${name}`)).status).toBe(200);
    }
    await server.sandbox.directory.patchSettings({ directory: { v1SignIns: 'full' } }, 'control-api');
    const [full = {}] = (await server.ask('/v1.0/auditLogs/signIns')).body.value ?? [];
    expect(Object.keys(full).toSorted()).toEqual(beta.toSorted());
    expect((await server.ask('/v1.0/auditLogs/signIns?$select=userType')).status).toBe(200);
  });

  test('DIR43: properties that are not simulated are empty', async () => {
    await skip();
    expect(await rows('?$select=userAgent,mfaDetail,sessionLifetimePolicies')).toEqual([
      { userAgent: null, mfaDetail: null, sessionLifetimePolicies: [] },
    ]);
  });
});

describe('ids', () => {
  test('DIR40: GUIDs differ for the three names, and both forms are understood', async () => {
    await server.stop();
    await start({ wireIds: 'guid' });
    await skip({}, { origin: { client: { id: 'app', name: 'App' } } });
    const row = await firstRow();
    const ids = ['id', 'correlationId', 'originalRequestId', 'userId', 'appId'].map((name) => String(row[name]));
    expect(new Set(ids).size).toBe(5);
    expect(ids.filter((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-5/.test(id))).toHaveLength(5);
    for (const [name, id] of [
      ['id', 's2'],
      ['correlationId', 's2'],
      ['userId', 'ada'],
      ['appId', 'app'],
      ['userId', ids[3]],
      ['appId', ids[4]],
    ] as const) {
      expect(await rows(`?$filter=${name} eq '${id}'`)).toHaveLength(1);
      expect(await rows(`?$filter=${name} ne '${id}'`)).toHaveLength(0);
    }
    for (const id of ['s2', ids[0]]) expect((await server.ask(`${path}/${id}`)).body['id']).toBe(ids[0]);
    expect((await server.ask(`${path}/unknown`)).status).toBe(404);
  });
});

describe('filters', () => {
  beforeEach(async () => {
    await skip({}, { origin: { client: { id: 'app', name: 'My App' } } });
    await server.sandbox.clock.advance({ days: 1 });
    await skip({ os: 'ios', browser: 'safari', termsOfUse: true }, { user: 'guest' });
  });

  const matches: readonly (readonly [string, readonly string[]])[] = [
    ["id eq 's2'", ['s2']],
    ["correlationId eq 'S2'", ['s2']],
    ['createdDateTime ge 2026-01-06T00:00:00Z', ['s7']],
    ['createdDateTime lt 2026-01-06T00:00:00Z', ['s2']],
    ["createdDateTime gt '2026-01-05T09:00:00Z'", ['s7']],
    ['createdDateTime eq 2026-01-05T09:00:00Z', ['s2']],
    ['createdDateTime ne 2026-01-05T09:00:00Z', ['s7']],
    ['createdDateTime le 2026-01-05T09:00:00Z or createdDateTime ge 2026-01-06T09:00:00Z', ['s7', 's2']],
    ["userId eq 'guest'", ['s7']],
    ["userPrincipalName eq 'ADA@example.test'", ['s2']],
    ["startswith(userDisplayName,'a')", ['s2']],
    ["userDisplayName ne 'Ada'", ['s7']],
    ["appId eq 'app'", ['s2']],
    ["appDisplayName eq 'NudgeLab'", ['s7']],
    ["clientAppUsed eq 'Browser'", ['s7', 's2']],
    ["conditionalAccessStatus eq 'success'", ['s7']],
    ["ipAddress eq '127.0.0.1'", ['s7', 's2']],
    ['isInteractive eq true', ['s7', 's2']],
    ['status/errorCode eq 0', ['s7', 's2']],
    ['status/errorCode ne 0', []],
    ["deviceDetail/browser eq 'Chrome 140.0.0'", ['s2']],
    ["startswith(deviceDetail/operatingSystem,'ios')", ['s7']],
    ["resourceDisplayName eq 'graph'", ['s7', 's2']],
    ['resourceId eq 00000003-0000-0000-c000-000000000000', ['s7', 's2']],
    ["authenticationRequirement eq 'multiFactorAuthentication'", ['s7', 's2']],
    ["signInEventTypes/any(t: t eq 'interactiveUser')", ['s7', 's2']],
    ["homeTenantId eq 'tenant'", ['s2']],
    ["userType eq 'guest'", ['s7']],
    ["originalRequestId in ('s2','s3')", ['s2']],
  ];

  test.each(matches)('DIR70: %s', async (filter, expected) => {
    const found = await rows(`?$filter=${encodeURIComponent(filter)}`);
    expect(found.map(({ id }) => id)).toEqual(expected);
  });

  const invalid: readonly (readonly [string, string])[] = [
    ["$filter=riskState eq 'none'", 'riskState'],
    ['$filter=userId gt 1', 'position'],
    ['$filter=status/errorCode eq true', 'position'],
    ["$filter=createdDateTime ge 'yesterday'", 'position'],
    ["$filter=userId eq 'ada' and", 'position'],
    ['$orderby=userId', 'userId'],
    ['$count=true', '$count'],
    ['$skip=1', '$skip'],
    ['$top=1001', '1000'],
    ['$expand=user', '$expand'],
    ['$select=nothing', "'nothing'"],
    ['$skiptoken=x', '$skiptoken'],
  ];

  test.each(invalid)('DIR25: %s is rejected', async (query, named) => {
    const { status, text } = await server.ask(`${path}?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining(named)]);
  });

  test('DIR27: the order is by time in both directions', async () => {
    const list = async (order: string) => (await rows(`?$orderby=createdDateTime ${order}`)).map(({ id }) => id);
    expect([await list('asc'), await list('desc')]).toEqual([
      ['s2', 's7'],
      ['s7', 's2'],
    ]);
  });
});

describe('pages', () => {
  /** Follows the links of the log to its end, and runs a task after the first page. */
  async function follow(query: string, afterFirst: () => Promise<unknown> = async () => null) {
    const pages: (readonly unknown[])[] = [];
    for (let next: unknown = `${path}${query}`; typeof next === 'string'; ) {
      const { status, body, text } = await server.ask(next);
      expect([status, text]).toEqual([200, text]);
      pages.push(body.value?.map(({ id }) => id) ?? []);
      if (pages.length === 1) await afterFirst();
      next = body['@odata.nextLink'];
    }
    return pages;
  }

  beforeEach(async () => {
    for (let index = 0; index < 7; index += 1) {
      await signIn({ ssoSession: true, registeredThisSession: index % 2 === 0 });
      await server.sandbox.clock.advance({ ms: index === 3 ? 0 : 500 });
    }
    await server.sandbox.clock.set({ nowMs: startMs });
    await signIn({ ssoSession: true });
    await server.sandbox.clock.advance({ days: 1 });
  });

  test.each(['asc', 'desc'])('DIR23: pages of any size have the rows of one page, %s', async (order) => {
    const query = `?$orderby=createdDateTime ${order}`;
    const [whole = []] = await follow(query);
    expect(new Set(whole).size).toBe(12);
    for (const size of [1, 2, 5, 11, 12]) {
      const pages = await follow(`${query}&$top=${size}`);
      expect(pages.flat()).toEqual(whole);
      expect(pages).toHaveLength(Math.ceil(12 / size));
    }
    const times = (await rows(query)).map(({ createdDateTime }) => String(createdDateTime));
    const sorted = times.toSorted();
    expect(times).toEqual(order === 'asc' ? sorted : sorted.toReversed());
  });

  test('DIR23: the pages show the rows of the first page, whatever is written meanwhile', async () => {
    const { id } = await signIn();
    const [whole = []] = await follow('');
    const pages = await follow('?$top=3', async () => {
      await server.sandbox.signIns.skip(id);
      await signIn({ ssoSession: true });
      await server.sandbox.directory.patchUser('ada', { displayName: 'Another name' });
    });
    expect(pages.flat()).toEqual(whole);
    expect((await follow('')).flat()).toHaveLength(whole.length + 1);
    expect((await rows()).map(({ userDisplayName }) => userDisplayName)).not.toContain('Another name');
  });

  test('DIR23: tokens of another list, damaged ones and restored-over ones are rejected', async () => {
    const link = String((await server.ask(`${path}?$top=2`)).body['@odata.nextLink']);
    const token = new URL(link).searchParams.get('$skiptoken') ?? '';
    for (const other of [
      `${path}?$skiptoken=${token.slice(0, -1)}`,
      `${path}?$skiptoken=${token}&$orderby=createdDateTime asc`,
      `/beta/auditLogs/directoryAudits?$skiptoken=${token}`,
    ]) {
      expect((await server.ask(other)).status).toBe(400);
    }
    const { rebuildState } = await import('../../../src/journal/apply-event.ts');
    const first = rebuildState(await server.sandbox.journal({ after: 0, limit: 1 }));
    if (first === null) throw new Error('The journal is empty.');
    await server.sandbox.recorder.restore(first, first.lastAtMs);
    const expired = await server.ask(link);
    expect([expired.status, expired.body.error?.message]).toEqual([400, expect.stringContaining('expired')]);
    expect(await rows()).toEqual([]);
    await signIn({ ssoSession: true });
    expect(await rows()).toHaveLength(1);
  });

  test('DIR30: preferred page sizes and annotations are applied and named', async () => {
    const { body, headers } = await server.ask(path, {
      headers: { Prefer: 'odata.maxpagesize=2, include-annotations="nudgelab.facts"' },
    });
    expect(headers.get('preference-applied')).toBe('odata.maxpagesize=2, include-annotations="nudgelab.facts"');
    expect(body.value?.map((row) => row['@nudgelab.facts'])).toEqual([
      expect.objectContaining({ os: 'windows', ssoSession: true, user: expect.objectContaining({ id: 'ada' }) }),
      expect.objectContaining({ deviceId: 'device-1' }),
    ]);
    expect((await firstRow())['@nudgelab.facts']).toBeUndefined();
    await server.sandbox.directory.patchSettings({ directory: { annotateFacts: true } }, 'control-api');
    expect((await firstRow())['@nudgelab.facts']).toBeDefined();
  });
});

test('DIR76: rows of the registration report carry the devices of passkeys and the snoozes', async () => {
  await server.sandbox.directory.patchUser('ada', { passkeys: [{ type: 'security-key', deviceId: 'laptop' }] });
  await server.sandbox.directory.setSnooze('ada', { count: 2, snoozedAtMs: startMs });
  const report = '/beta/reports/authenticationMethods/userRegistrationDetails';
  const headers = { Prefer: 'include-annotations="nudgelab.facts"' };
  const { body, headers: sent } = await server.ask(report, { headers });
  expect(sent.get('preference-applied')).toBe('include-annotations="nudgelab.facts"');
  expect(body.value?.[0]).toMatchObject({
    id: 'ada',
    '@nudgelab.facts': {
      passkeys: [{ type: 'security-key', deviceId: 'laptop' }],
      snooze: { count: 2, snoozedAtMs: startMs },
    },
  });
  expect((await server.ask(report)).text).not.toContain('nudgelab.facts');
});

describe('access', () => {
  const reporter = 'Reports Reader';
  const cases: readonly (readonly [string, object, number])[] = [
    ['AuditLog.Read.All of an application', { app: 'a', permissions: ['AuditLog.Read.All'] }, 200],
    ['Directory.Read.All of an application', { app: 'a', permissions: ['Directory.Read.All'] }, 200],
    ['another permission', { app: 'a', permissions: ['Policy.Read.All'] }, 403],
    ['a user without a role', { user: 'ada', permissions: ['AuditLog.Read.All'] }, 403],
    ['a role without a permission', { user: 'ada', roles: [reporter] }, 403],
    ...[
      'Reports Reader',
      'Security Reader',
      'Security Administrator',
      'Global Reader',
      'Security Operator',
      'Global Administrator',
    ].map((role) => [role, { user: 'ada', permissions: ['AuditLog.Read.All'], roles: [role] }, 200] as const),
  ];

  test.each(cases)('§8: %s', async (_name, request, expected) => {
    const authorization = `Bearer ${await server.token(request)}`;
    const { status, text } = await server.ask(path, { headers: { authorization } });
    expect([status, /AuditLog.Read.All|the role/.test(text)]).toEqual([expected, expected === 403]);
  });

  test.each([
    ['AuditLog.Read.All', 0],
    ['Policy.Read.All', 1],
    ['Policy.Read.ConditionalAccess', 1],
  ] as const)('§8: with %s, a row shows %i applied policies', async (permission, shown) => {
    await skip({ termsOfUse: true });
    const authorization = `Bearer ${await server.token({ app: 'a', permissions: ['AuditLog.Read.All', permission] })}`;
    const [row = {}] = await rows('', { headers: { authorization } });
    expect(row['appliedConditionalAccessPolicies']).toHaveLength(shown);
  });
});
