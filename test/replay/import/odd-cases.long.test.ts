import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Pseudonyms } from '../../../src/replay/import/pseudonyms.ts';
import { fixture, imported, mapping, written } from './import-work.ts';

const odd = fixture('sign-ins.json');

/** Rows of the handwritten export, one object each. */
const rows = (JSON.parse(readFileSync(odd, 'utf8')) as { value: Record<string, unknown>[] }).value;

const own = (method: string | null) => ({ completed: true, provider: 'service', method });
const none = { completed: false, provider: 'service', method: null };

/** Expected attempts of the handwritten export: user, time, rows, device, second factor and other facts. */
const expected = [
  ['ADA', '2026-01-05T09:00:05.000Z', 3, 'windows', 'edge', 'browser', own('sms'), []],
  ['ADA', '2026-01-05T10:00:00.000Z', 1, 'macos', 'chrome', 'browser', none, ['ssoSession']],
  ['ADA', '2026-01-06T08:30:00.000Z', 1, 'windows', 'other', 'browser', none, ['ssoSession']],
  ['ADA', '2026-01-06T09:30:00.000Z', 1, 'windows', 'chrome', 'browser', none, []],
  ['ben', '2026-01-05T11:00:00.000Z', 1, 'ios', null, 'native-app', own('voice'), []],
  ['ben', '2026-01-05T11:31:00.000Z', 2, 'android', 'chrome', 'browser', own('sms'), ['registeredThisSession']],
  ['cleo', '2999-01-06T09:30:00.000Z', 1, 'windows', 'chrome', 'browser', own('passkey'), ['termsOfUse']],
  [
    'gus',
    '2026-01-06T08:00:00.000Z',
    1,
    'linux',
    'firefox',
    'browser',
    { completed: true, provider: 'home-tenant', method: null },
    [],
  ],
];

async function listAttempts(path: string): Promise<unknown> {
  const { attempts } = await imported({ signIns: [path] });
  return attempts.map(
    ({ user, at, n, os, browser, surface, mfa, ssoSession, registeredThisSession, termsOfUse, customControls }) => {
      const signInContexts = Object.entries({ ssoSession, registeredThisSession, termsOfUse, customControls }).filter(
        ([, is]) => is,
      );
      return [user, at, n, os, browser, surface, mfa, signInContexts.map(([name]) => name)];
    },
  );
}

/** Returns the counts in a list of a report, by item. */
function counts(list: readonly { what: string; count: number }[]): Record<string, number> {
  return Object.fromEntries(list.map(({ what, count }) => [what, count]));
}

describe('sign-in logs with every odd case', () => {
  it('R3, R13.1: rows become attempts with the corresponding facts', async () => {
    expect(await listAttempts(odd)).toEqual(expected);
  });

  it('skipped, odd, unknown and inferred values are counted with their locations', async () => {
    const { manifest } = await imported({ signIns: [odd] });
    const { report } = manifest;
    expect(report).toMatchObject({ rows: 13, attempts: 8, users: 4, from: '2026-01-05T09:00:05.000Z' });
    expect(counts(report.skipped)).toEqual({ 'rows without a time': 1, 'rows without a user': 1 });
    expect(counts(report.anomalies)).toEqual({
      'pages that announce more pages': 1,
      'rows without a correlation id, each counted as a separate attempt': 1,
      'rows with a time in the future': 1,
      'rows with a repeated id; rows of the same user and attempt count once': 1,
      'attempts that never succeeded': 1,
    });
    expect(report.unknownValues.map(({ field, what, places }) => [field, what, places])).toEqual(
      expect.arrayContaining([
        ['errorCode', '99999', ['row r10']],
        ['browser', 'NetPositive 2', ['row r7']],
      ]),
    );
    expect(report.inferred).toContainEqual({ fact: 'mfa.provider', confidence: 'low', count: 1, of: 'rows' });
    expect(report.columns['signIns.os']).toBe('deviceDetail.operatingSystem');
  });

  const lines = rows.map((row) => JSON.stringify(row));
  const pascal = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(pascal);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, held]) => [`${key.charAt(0).toUpperCase()}${key.slice(1)}`, pascal(held)]),
    );
  };
  const flat = (row: Record<string, unknown>): string => {
    const device = (row['deviceDetail'] ?? {}) as Record<string, unknown>;
    const values = [
      row['createdDateTime'],
      row['id'],
      row['correlationId'],
      row['userId'],
      row['userPrincipalName'],
      row['userType'],
      row['crossTenantAccessType'],
      row['clientAppUsed'],
      device['operatingSystem'],
      device['browser'],
      row['isInteractive'],
      row['authenticationRequirement'],
      JSON.stringify(row['authenticationDetails'] ?? []),
      JSON.stringify(row['appliedConditionalAccessPolicies'] ?? []),
      (row['status'] as { errorCode: unknown }).errorCode,
    ];
    return values
      .map((value) => (value === undefined || value === null ? '' : `"${String(value).replaceAll('"', '""')}"`))
      .join(',');
  };
  const head =
    'Date (UTC),Request ID,Correlation ID,User ID,Username,User type,Cross tenant access type,Client app,Operating System,Browser,Is Interactive,Authentication requirement,Authentication Details,Conditional Access Policies,Sign-in error code';

  it.each([
    ['one row a line', 'log.ndjson', lines.join('\n')],
    ['a list', 'log.json', JSON.stringify(rows, null, 1)],
    [
      'pages one after another',
      'log.json',
      [rows.slice(0, 4), rows.slice(4)].map((value) => JSON.stringify({ value })).join('\n'),
    ],
    ['in reverse', 'log.ndjson', lines.toReversed().join('\r\n')],
    ['with capital names', 'log.json', JSON.stringify({ value: rows.map(pascal) })],
    ['as CSV', 'log.csv', [head, ...rows.map(flat)].join('\n')],
    ['with a byte order mark', 'log.json', `\uFEFF${JSON.stringify({ value: rows })}`],
    ['as UTF-16', 'log.json', Buffer.from(`\uFEFF${JSON.stringify({ value: rows }, null, 2)}`, 'utf16le')],
    [
      'as UTF-16 of the other order',
      'log.csv',
      Buffer.from(`\uFEFF${[head, ...rows.map(flat)].join('\r\n')}`, 'utf16le').swap16(),
    ],
  ])('the same rows have the same result %s', async (_name, file, content) => {
    expect(await listAttempts(written(file, content))).toEqual(expected);
  });

  it('a truncated file, invalid lines and text in another encoding are reported with their locations', async () => {
    const whole = JSON.stringify({ value: rows }, null, 1);
    const cut = await imported({ signIns: [written('log.json', whole.slice(0, whole.indexOf('"r5"')))] });
    expect(cut.manifest.report.rows).toBe(6);
    expect(cut.manifest.report.skipped).toContainEqual(
      expect.objectContaining({
        what: 'content truncated at the end of the file',
        count: 1,
        places: [expect.stringMatching(/log\.json, line \d+ to the end$/)],
      }),
    );
    const broken = await imported({
      signIns: [written('log.ndjson', [lines[0], '{"id": "x", ', 'garbage', lines[4]].join('\n'))],
    });
    expect(broken.attempts).toHaveLength(2);
    expect(broken.manifest.report.skipped.find(({ what }) => what === 'lines that are not JSON objects')).toMatchObject(
      {
        count: 2,
        places: [expect.stringContaining('line 2'), expect.stringContaining('line 3')],
      },
    );
    const latin = Buffer.concat([
      Buffer.from(`${lines[0]}\n`),
      Buffer.from((lines[4] ?? '').replace('"ben"', '"jürg"'), 'latin1'),
    ]);
    const mixed = await imported({ signIns: [written('log.ndjson', latin)] });
    expect(mixed.attempts.map(({ user }) => user)).toEqual(['ADA', 'jürg']);
    expect(mixed.manifest.report.anomalies).toContainEqual(
      expect.objectContaining({ count: 1, places: [expect.stringContaining('line 2')] }),
    );
  });

  it('a field of ten million characters is imported', async () => {
    const huge = { ...rows[0], userDisplayName: 'x'.repeat(10_000_000) };
    expect(
      (await imported({ signIns: [written('log.ndjson', `${JSON.stringify(huge)}\n${lines[4]}\n`)] })).attempts,
    ).toHaveLength(2);
    expect(
      (await imported({ signIns: [written('log.json', JSON.stringify({ value: [huge] }))] })).attempts,
    ).toHaveLength(1);
  });

  it('registrations: the latest row of a user applies, and every method is converted by the mapping', async () => {
    const { users, manifest } = await imported({ signIns: [odd], registrations: fixture('registrations.csv') });
    const by = Object.fromEntries(users.map((user) => [String(user['id']), user]));
    expect(by['ADA']).toMatchObject({ methods: 0b00111, passkeys: 'password-manager', capable: true, known: true });
    expect(by['ben']).toMatchObject({ methods: 0b01010, capable: false });
    expect(by['dora']).toMatchObject({ methods: 0, passkeys: 'windows-hello-for-business', guest: true });
    expect(by['gus']).toMatchObject({ known: false, guest: true, methods: 0 });
    expect(by['cleo']).toMatchObject({ known: false, passkeys: 'security-key' });
    expect(Object.keys(by)).toHaveLength(5);
    expect(counts(manifest.report.skipped)).toMatchObject({ 'registrations without a user': 1 });
    expect(manifest.report.unknownValues).toContainEqual(
      expect.objectContaining({ field: 'methodsRegistered', what: 'teleport' }),
    );
    expect(counts(manifest.report.anomalies)).toMatchObject({
      'users reported more than once; the latest report is used': 1,
    });
  });

  it('A18: the audit log places policies on the timeline', async () => {
    const audit = (JSON.parse(readFileSync(fixture('audit.json'), 'utf8')) as { value: unknown[] }).value;
    const { manifest } = await imported({ signIns: [odd], audit });
    expect(
      manifest.policies.map(({ fromMs, tenant: { campaign } }) => [
        fromMs,
        campaign.state,
        campaign.snoozeDurationInDays,
        campaign.includeTargets.length,
      ]),
    ).toEqual([
      [null, 'disabled', 3, 0],
      [Date.parse('2026-01-06T00:00:00Z'), 'enabled', 2, 1],
    ]);
    expect(manifest.policies[1]?.tenant.campaign.includeTargets[0]?.targetedAuthenticationMethod).toBe(
      'vendorAuthenticator',
    );
  });

  it('bad-request: an invalid policy is rejected with all its errors before any file is imported', async () => {
    const campaign = { snoozeDurationInDays: 15, state: 'on' };
    const policy = { registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign } };
    await expect(imported({ signIns: ['no-such-file'], policy })).rejects.toMatchObject({
      code: 'bad-request',
      problems: [{ location: 'policy.campaign.state' }, { location: 'policy.campaign.snoozeDurationInDays' }],
    });
    await expect(imported({ signIns: [odd], policy: { hello: 1 } })).rejects.toMatchObject({ code: 'bad-request' });
  });

  it.each([
    ['an empty file', '', 'log.csv'],
    ['no JSON', 'hello', 'log.json'],
    ['a compressed file', 'PK\u0003\u0004 and more', 'log.json'],
    ['a text that is no sign-in log', 'Dear all,\nthe export, is attached.\n', 'log.txt'],
    ['a Parquet file that was cut off', 'PAR1 and some rows', 'log.parquet'],
  ])('file-unreadable: %s', async (_name, content, file) => {
    await expect(imported({ signIns: [written(file, content)] })).rejects.toMatchObject({ code: 'file-unreadable' });
  });

  it('user ids are replaced by a keyed hash everywhere, in tables and policies', async () => {
    const key = 'sixteen bytes and some';
    const policy = { campaign: { state: 'enabled', excludeTargets: [{ targetType: 'user', id: 'Ben' }] } };
    const { users, manifest } = await imported({ signIns: [odd], policy }, new Pseudonyms(Buffer.from(key)));
    const hmac = (id: string): string => `u-${createHmac('sha256', key).update(id).digest('hex').slice(0, 24)}`;
    expect(users.map(({ id }) => id)).toEqual(['ada', 'ben', 'cleo', 'gus'].map(hmac).toSorted());
    expect(JSON.stringify([users, manifest.policies])).not.toMatch(/ben|ada@/i);
    expect(manifest.policies[0]?.tenant.campaign.excludeTargets).toEqual([{ targetType: 'user', id: hmac('ben') }]);
  });

  it('a changed mapping accepts values that the shipped one does not contain', async () => {
    const { signIns } = mapping;
    const browser = [
      { match: '^netpositive', is: 'firefox' as const, confidence: 'high' as const },
      ...signIns.values.browser,
    ];
    const changed = { ...mapping, signIns: { ...signIns, values: { ...signIns.values, browser } } };
    const { attempts, manifest } = await imported({ signIns: [odd] }, null, changed);
    expect(attempts.find(({ at }) => at === '2026-01-06T08:30:00.000Z')?.browser).toBe('firefox');
    expect(manifest.report.unknownValues.map(({ field }) => field)).not.toContain('browser');
  });

  it('R7, A14: groups and snooze records from separate files apply to their users', async () => {
    const groups = written('groups.csv', 'user,group\nben,sales\nBEN,staff\nghost,staff\n');
    const nudgeStatus = written('nudgeStatus.csv', 'user,count,snoozedAt\nada,2,2026-01-04T09:00:00Z\nben,x,\n');
    const { users, manifest } = await imported({ signIns: [odd], groups, nudgeStatus });
    const by = Object.fromEntries(users.map((user) => [String(user['id']), user]));
    expect(by['ben']).toMatchObject({ groups: 'sales\u001fstaff', count: 0 });
    expect(by['ADA']).toMatchObject({ count: 2, snoozed: Date.parse('2026-01-04T09:00:00Z') });
    expect(counts(manifest.report.skipped)).toMatchObject({
      'group members that are not users in the export': 1,
      'snooze record rows without a user or a count': 1,
    });
  });

  it('a column that first appears in a late row is imported, and names that differ only in case are one column', async () => {
    const early = Array.from({ length: 3_000 }, (_, n) => ({
      id: `r${n}`,
      createdDateTime: '2026-01-05T09:00:00Z',
      userId: 'ada',
      status: { errorCode: 0 },
    }));
    const late = {
      ...early[0],
      id: 'late',
      correlationId: 'c',
      deviceDetail: { operatingSystem: 'MacOs', '"': '{\\' },
    };
    const lines = (rows: readonly object[]): string => rows.map((one) => `${JSON.stringify(one)}\n`).join('');
    const read = await imported({ signIns: [written('log.ndjson', lines([...early, late]))] });
    expect(read.attempts.filter(({ os }) => os === 'macos')).toHaveLength(1);
    expect(read.manifest.report.columns).toMatchObject({ 'signIns.correlationId': 'correlationId' });
    const capital = {
      Id: 'x',
      CreatedDateTime: '2026-01-06T09:00:00Z',
      UserId: 'ben',
      DeviceDetail: { OperatingSystem: 'Linux' },
    };
    const mixed = await imported({ signIns: [written('log.ndjson', lines([early[0] ?? {}, capital]))] });
    expect(mixed.attempts.map(({ user, os }) => [user, os])).toEqual([
      ['ada', 'unknown'],
      ['ben', 'linux'],
    ]);
    expect(mixed.manifest.report.skipped).toEqual([]);
  });

  it('of several columns for the same fact, the one with a value is used in each row', async () => {
    const [first, second] = [
      { id: 'a', createdDateTime: '2026-01-05T09:00:00Z', userPrincipalName: 'ada@example.test' },
      { id: 'b', 'Date (UTC)': '2026-01-06T09:00:00Z', Username: 'ada@example.test' },
    ];
    const log = written('log.ndjson', `${JSON.stringify(first)}\n${JSON.stringify(second)}\n`);
    expect((await imported({ signIns: [log] })).attempts.map(({ at }) => at)).toEqual([
      '2026-01-05T09:00:00.000Z',
      '2026-01-06T09:00:00.000Z',
    ]);
  });

  it('a CSV file that ends inside quotes is imported up to that line, and the line is counted', async () => {
    const header = 'id;createdDateTime;"Display; name";userId;errorCode';
    const rows = Array.from({ length: 3 }, (_, n) => `r${n};2026-01-05T0${n}:00:00Z;x;ada;0`);
    const { manifest, attempts } = await imported({
      signIns: [written('log.csv', [header, ...rows, '"cut off; in the middle'].join('\n'))],
    });
    expect(attempts.map(({ user }) => user)).toEqual(['ada', 'ada', 'ada']);
    expect(manifest.report.skipped).toMatchObject([
      { what: 'lines with unbalanced quotation marks', count: 1, places: [expect.stringContaining('line 5')] },
    ]);
  });

  it('an invalid JSON line counts once and is not a row, and duplicate ids have their locations', async () => {
    const [line = ''] = [JSON.stringify({ id: 'a', createdDateTime: '2026-01-05T09:00:00Z', userId: 'ada' })];
    const other = line.replace('"ada"', '"ben"');
    const { manifest } = await imported({ signIns: [written('log.ndjson', `${line}\n\0\0\n{}\n${other}\n`)] });
    expect(manifest.report).toMatchObject({
      rows: 2,
      attempts: 2,
      skipped: [
        { what: 'lines that are not JSON objects', count: 1, places: [expect.stringContaining('line 2')] },
        { what: 'rows without a time, user and id', count: 1 },
      ],
    });
    expect(manifest.report.anomalies).toContainEqual(
      expect.objectContaining({
        what: expect.stringContaining('rows with a repeated id'),
        count: 1,
        places: ['row a'],
      }),
    );
  });
});
