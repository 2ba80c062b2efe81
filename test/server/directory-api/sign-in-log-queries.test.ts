import { beforeEach, describe, expect, test } from 'vitest';
import { dayMs, minuteMs, startMs } from '../../journal/signing-in.ts';
import { nonEmpty } from '../../non-empty.ts';
import { type Row, SignInLog, signInsPath } from './sign-in-log-server.ts';

const log = new SignInLog();

describe('rows of an attempt', () => {
  test('DIR71: a sign-in without a verdict has no row', async () => {
    await log.server.sandbox.signIns.start('ada');
    expect(await log.rows()).toEqual([]);
  });

  test('DIR71: a prompt without a sign-in is 50203, and 0 once the user is signed in', async () => {
    const { id } = await log.signIn();
    expect(await log.firstRow()).toMatchObject({ status: { errorCode: 50203 } });
    await log.server.sandbox.signIns.leave(id);
    await log.server.sandbox.directory.settlePendingCloses('ada');
    expect(await log.firstRow()).toMatchObject({ id, status: { errorCode: 50203 } });
    await log.skip();
    expect((await log.rows()).map(({ status }) => (status as Row)['errorCode'])).toEqual([0, 50203]);
  });

  test('DIR71: a required prompt without a sign-in is 502031', async () => {
    await log.server.sandbox.directory.setSnooze('ada', { count: 3, snoozedAtMs: startMs - 30 * dayMs });
    await log.signIn();
    expect(await log.firstRow()).toMatchObject({ status: { errorCode: 502031 } });
  });

  test('DIR77: a skip that signs in and a registration are 0', async () => {
    await log.skip();
    await log.server.sandbox.clock.advance({ days: 2 });
    const { id } = await log.signIn();
    await log.server.sandbox.signIns.selectNext(id);
    await log.server.sandbox.signIns.completeSetup(id, null);
    expect((await log.rows()).map(({ status }) => (status as Row)['errorCode'])).toEqual([0, 0]);
  });

  test('DIR71: a registration in the session is a row one second earlier with the same correlation id', async () => {
    await log.signIn({ registeredThisSession: true });
    const found = await log.rows();
    expect(found.map(({ id, correlationId, createdDateTime }) => [id, correlationId, createdDateTime])).toEqual([
      ['s2', 's2', '2026-01-05T09:00:00.000Z'],
      ['s2-50079', 's2', '2026-01-05T08:59:59.000Z'],
    ]);
    expect(found.map(({ status }) => (status as Row)['errorCode'])).toEqual([0, 50079]);
  });

  test('DIR71: signInRows real adds the interruptions', async () => {
    await log.server.stop();
    await log.start({ signInRows: 'real' }, { askToStaySignedIn: true });
    await log.skip({}, { origin: { client: { id: 'app', name: 'App' } } });
    await log.skip({ ssoSession: true });
    const found = await log.rows();
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
    await log.server.stop();
    await log.start(directory);
    await log.server.sandbox.directory.patchTenant({ subscription }, 'control-api');
    const { id } = await log.skip();
    await log.server.sandbox.clock.advance({ days });
    expect(await log.rows()).toHaveLength(1);
    await log.server.sandbox.clock.advance({ ms: 1 });
    expect(await log.rows()).toEqual([]);
    expect((await log.server.ask(`${signInsPath}/${id}`)).status).toBe(404);
    await log.server.sandbox.clock.set({ nowMs: startMs });
    expect(await log.rows()).toHaveLength(1);
    expect((await log.server.ask(`${signInsPath}/${id}`)).status).toBe(200);
  });

  test('DIR72: rows after the virtual time are hidden until it is reached again', async () => {
    await log.server.sandbox.clock.advance({ days: 1 });
    await log.skip();
    await log.server.sandbox.clock.set({ nowMs: startMs });
    expect(await log.rows()).toEqual([]);
    await log.skip({ ssoSession: true });
    await log.server.sandbox.clock.advance({ days: 2 });
    expect((await log.rows()).map(({ createdDateTime }) => createdDateTime)).toEqual([
      '2026-01-06T09:00:00.000Z',
      '2026-01-05T09:00:00.000Z',
    ]);
  });

  test('DIR72: auditDelayMinutes holds rows back', async () => {
    await log.server.stop();
    await log.start({ auditDelayMinutes: 5 });
    await log.skip();
    await log.server.sandbox.clock.advance({ ms: 5 * minuteMs - 1 });
    expect(await log.rows()).toEqual([]);
    await log.server.sandbox.clock.advance({ ms: 1 });
    expect(await log.rows()).toHaveLength(1);
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
    await log.skip();
    const beta = Object.keys(await log.firstRow());
    const [v1 = {}] = (await log.server.ask('/v1.0/auditLogs/signIns')).body.value ?? [];
    expect(Object.keys(v1)).toEqual(beta.filter((name) => !betaOnly.includes(name)));
    for (const name of nonEmpty(betaOnly)) {
      expect((await log.server.ask(`/v1.0/auditLogs/signIns?$select=${name}`)).status).toBe(400);
      expect((await log.server.ask(`${signInsPath}?$select=${name}`)).status).toBe(200);
    }
    await log.server.sandbox.directory.patchSettings({ directory: { v1SignIns: 'full' } }, 'control-api');
    const [full = {}] = (await log.server.ask('/v1.0/auditLogs/signIns')).body.value ?? [];
    expect(Object.keys(full).toSorted()).toEqual(beta.toSorted());
    expect((await log.server.ask('/v1.0/auditLogs/signIns?$select=userType')).status).toBe(200);
  });

  test('DIR43: properties that are not simulated are empty', async () => {
    await log.skip();
    expect(await log.rows('?$select=userAgent,mfaDetail,sessionLifetimePolicies')).toEqual([
      { userAgent: null, mfaDetail: null, sessionLifetimePolicies: [] },
    ]);
  });
});

describe('ids', () => {
  test('DIR40: GUIDs differ for the three names, and both forms are understood', async () => {
    await log.server.stop();
    await log.start({ wireIds: 'guid' });
    await log.skip({}, { origin: { client: { id: 'app', name: 'App' } } });
    const row = await log.firstRow();
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
      expect(await log.rows(`?$filter=${name} eq '${id}'`)).toHaveLength(1);
      expect(await log.rows(`?$filter=${name} ne '${id}'`)).toHaveLength(0);
    }
    for (const id of ['s2', ids[0]]) expect((await log.server.ask(`${signInsPath}/${id}`)).body['id']).toBe(ids[0]);
    expect((await log.server.ask(`${signInsPath}/unknown`)).status).toBe(404);
  });
});

describe('filters', () => {
  beforeEach(async () => {
    await log.skip({}, { origin: { client: { id: 'app', name: 'My App' } } });
    await log.server.sandbox.clock.advance({ days: 1 });
    await log.skip({ os: 'ios', browser: 'safari', termsOfUse: true }, { user: 'guest' });
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
    const found = await log.rows(`?$filter=${encodeURIComponent(filter)}`);
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
    const { status, text } = await log.server.ask(`${signInsPath}?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining(named)]);
  });

  test('DIR27: the order is by time in both directions', async () => {
    const list = async (order: string) => (await log.rows(`?$orderby=createdDateTime ${order}`)).map(({ id }) => id);
    expect([await list('asc'), await list('desc')]).toEqual([
      ['s2', 's7'],
      ['s7', 's2'],
    ]);
  });
});
