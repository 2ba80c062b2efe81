import { beforeEach, describe, expect, test } from 'vitest';
import { startMs } from '../../journal/signing-in.ts';
import { nonEmpty } from '../../non-empty.ts';
import { SignInLog, signInsPath } from './sign-in-log-server.ts';

const log = new SignInLog();

describe('pages', () => {
  /** Follows the links of the log to its end, and runs a task after the first page. */
  async function follow(query: string, afterFirst: () => Promise<unknown> = async () => null) {
    const pages: (readonly unknown[])[] = [];
    for (let next: unknown = `${signInsPath}${query}`; typeof next === 'string'; ) {
      const { status, body, text } = await log.server.ask(next);
      expect([status, text]).toEqual([200, text]);
      pages.push(body.value?.map(({ id }) => id) ?? []);
      if (pages.length === 1) await afterFirst();
      next = body['@odata.nextLink'];
    }
    return pages;
  }

  beforeEach(async () => {
    for (let index = 0; index < 7; index += 1) {
      await log.signIn({ ssoSession: true, registeredThisSession: index % 2 === 0 });
      await log.server.sandbox.clock.advance({ ms: index === 3 ? 0 : 500 });
    }
    await log.server.sandbox.clock.set({ nowMs: startMs });
    await log.signIn({ ssoSession: true });
    await log.server.sandbox.clock.advance({ days: 1 });
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
    const times = (await log.rows(query)).map(({ createdDateTime }) => String(createdDateTime));
    const sorted = times.toSorted();
    expect(times).toEqual(order === 'asc' ? sorted : sorted.toReversed());
  });

  test('DIR23: the pages show the rows of the first page, whatever is written meanwhile', async () => {
    const { id } = await log.signIn();
    const [whole = []] = await follow('');
    const pages = await follow('?$top=3', async () => {
      await log.server.sandbox.signIns.skip(id);
      await log.signIn({ ssoSession: true });
      await log.server.sandbox.directory.patchUser('ada', { displayName: 'Another name' });
    });
    expect(pages.flat()).toEqual(whole);
    expect((await follow('')).flat()).toHaveLength(whole.length + 1);
    expect((await log.rows()).map(({ userDisplayName }) => userDisplayName)).not.toContain('Another name');
  });

  test('DIR23: tokens of another list, damaged ones and restored-over ones are rejected', async () => {
    const link = String((await log.server.ask(`${signInsPath}?$top=2`)).body['@odata.nextLink']);
    const token = new URL(link).searchParams.get('$skiptoken') ?? '';
    for (const other of [
      `${signInsPath}?$skiptoken=${token.slice(0, -1)}`,
      `${signInsPath}?$skiptoken=${token}&$orderby=createdDateTime asc`,
      `/beta/auditLogs/directoryAudits?$skiptoken=${token}`,
    ]) {
      expect((await log.server.ask(other)).status).toBe(400);
    }
    const { rebuildState } = await import('../../../src/journal/apply-event.ts');
    const first = rebuildState(await log.server.sandbox.journal({ after: 0, limit: 1 }));
    if (first === null) throw new Error('The journal is empty.');
    await log.server.sandbox.recorder.restore(first, first.lastAtMs);
    const expired = await log.server.ask(link);
    expect([expired.status, expired.body.error?.message]).toEqual([400, expect.stringContaining('expired')]);
    expect(await log.rows()).toEqual([]);
    await log.signIn({ ssoSession: true });
    expect(await log.rows()).toHaveLength(1);
  });

  test.each(['facts', 'guid'])(
    'DIR70: a row of either log is found by its id alone, with ids as %s',
    async (wireIds) => {
      await log.server.sandbox.directory.patchSettings({ directory: { wireIds, signInRows: 'real' } }, 'control-api');
      await log.signIn({ registeredThisSession: true });
      await log.server.sandbox.directory.patchUser('ada', { displayName: 'Renamed' });
      await log.server.sandbox.directory.removeUser('guest');
      for (const path of [signInsPath, '/beta/auditLogs/directoryAudits']) {
        const { body } = await log.server.ask(path);
        const rows = body.value ?? [];
        expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
        for (const row of nonEmpty(rows)) {
          const { status, body: one } = await log.server.ask(`${path}/${String(row['id']).toUpperCase()}`);
          const { '@odata.context': _context, ...found } = one;
          expect([status, found]).toEqual([200, row]);
        }
        const [first = {}] = rows;
        for (const unknown of [
          's99999',
          'a99999',
          `${String(first['id'])}0`,
          '%20',
          '00000000-0000-0000-0000-000000000000',
        ]) {
          expect((await log.server.ask(`${path}/${unknown}`)).status).toBe(404);
        }
      }
      // Rows that the log does not show any more are not found either.
      const [row = {}] = await log.rows();
      await log.server.sandbox.clock.advance({ days: 31 });
      expect((await log.server.ask(`${signInsPath}/${String(row['id'])}`)).status).toBe(404);
    },
  );

  test.each(['asc', 'desc'])('DIR23: rows of one instant are on one page each, %s', async (order) => {
    for (let index = 0; index < 40; index += 1) {
      await log.signIn({ ssoSession: true, registeredThisSession: index % 3 === 0 });
    }
    const query = `?$orderby=createdDateTime ${order}`;
    const [whole = []] = await follow(query);
    expect(new Set(whole).size).toBe(12 + 54);
    expect((await follow(`${query}&$top=7`)).flat()).toEqual(whole);
  });

  test('DIR23: tokens that were changed are rejected, and the error repeats nothing of them', async () => {
    const link = String((await log.server.ask(`${signInsPath}?$top=2`)).body['@odata.nextLink']);
    const token = new URL(link).searchParams.get('$skiptoken') ?? '';
    const [seq = '', atMs = '', index = '', proof = ''] = token.split('.');
    const last = `${seq}.${atMs}.${index}`;
    for (const changed of [
      `${seq}.${atMs}.${Number.parseInt(index, 36) - 1}.${proof}`,
      `zzzzz.${atMs}.${index}.${proof}`,
      `${seq}.-${atMs}.${index}.${proof}`,
      `${last}.${proof}.${proof}`,
      `${last}.${proof}x`,
      `${last}.${proof.slice(0, -1)}`,
      `${last}.${proof.slice(1)}${proof.slice(0, 1)}`,
      last,
      proof,
      '',
      '.',
      '...',
      'a'.repeat(4_000),
      `${'1.'.repeat(2_000)}x`,
      "'; DROP TABLE rows--",
    ]) {
      const { status, body, text } = await log.server.ask(
        `${signInsPath}?$top=2&$skiptoken=${encodeURIComponent(changed)}`,
      );
      expect([status, body.error?.code]).toEqual([400, 'badRequest']);
      expect(text.includes(proof.slice(0, 20)) || (changed.length > 3 && text.includes(changed))).toBe(false);
      expect(text.length).toBeLessThan(700);
    }
    expect((await log.server.ask(link)).status).toBe(200);
  });

  test('DIR30: preferred page sizes and annotations are applied and named', async () => {
    const { body, headers } = await log.server.ask(signInsPath, {
      headers: { Prefer: 'odata.maxpagesize=2, include-annotations="nudgelab.facts"' },
    });
    expect(headers.get('preference-applied')).toBe('odata.maxpagesize=2, include-annotations="nudgelab.facts"');
    expect(body.value?.map((row) => row['@nudgelab.facts'])).toEqual([
      expect.objectContaining({ os: 'windows', ssoSession: true, user: expect.objectContaining({ id: 'ada' }) }),
      expect.objectContaining({ deviceId: 'device-1' }),
    ]);
    expect((await log.firstRow())['@nudgelab.facts']).toBeUndefined();
    await log.server.sandbox.directory.patchSettings({ directory: { annotateFacts: true } }, 'control-api');
    expect((await log.firstRow())['@nudgelab.facts']).toBeDefined();
  });
});

test('DIR76: rows of the registration report carry the devices of passkeys and the snoozes', async () => {
  await log.server.sandbox.directory.patchUser('ada', { passkeys: [{ type: 'security-key', deviceId: 'laptop' }] });
  await log.server.sandbox.directory.setSnooze('ada', { count: 2, snoozedAtMs: startMs });
  const report = '/beta/reports/authenticationMethods/userRegistrationDetails';
  const headers = { Prefer: 'include-annotations="nudgelab.facts"' };
  const { body, headers: sent } = await log.server.ask(report, { headers });
  expect(sent.get('preference-applied')).toBe('include-annotations="nudgelab.facts"');
  expect(body.value?.[0]).toMatchObject({
    id: 'ada',
    '@nudgelab.facts': {
      passkeys: [{ type: 'security-key', deviceId: 'laptop' }],
      snooze: { count: 2, snoozedAtMs: startMs },
    },
  });
  expect((await log.server.ask(report)).text).not.toContain('nudgelab.facts');
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
    const authorization = `Bearer ${await log.server.token(request)}`;
    const { status, text } = await log.server.ask(signInsPath, { headers: { authorization } });
    expect([status, /AuditLog.Read.All|the role/.test(text)]).toEqual([expected, expected === 403]);
  });

  test.each([
    ['AuditLog.Read.All', 0],
    ['Policy.Read.All', 1],
    ['Policy.Read.ConditionalAccess', 1],
  ] as const)('§8: with %s, a row shows %i applied policies', async (permission, count) => {
    await log.skip({ termsOfUse: true });
    const authorization = `Bearer ${await log.server.token({ app: 'a', permissions: ['AuditLog.Read.All', permission] })}`;
    const [row = {}] = await log.rows('', { headers: { authorization } });
    expect(row['appliedConditionalAccessPolicies']).toHaveLength(count);
  });
});
