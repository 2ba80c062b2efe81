import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseInstant } from '../../../src/core/clock.ts';
import { pageTestedRowsMax } from '../../../src/core/limits.ts';
import { dayMs } from '../../journal/signing-in.ts';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer } from './directory-server.ts';

type Row = Readonly<Record<string, unknown>>;

const path = '/beta/auditLogs/signIns';
const nowMs = Date.UTC(2026, 0, 31, 9);
const count = 60;
const days = 20;
const tenant = {
  subscription: 'paid',
  campaign: {
    state: 'enabled',
    includeTargets: [{ targetType: 'group', id: 'sales', targetedAuthenticationMethod: 'vendorAuthenticator' }],
  },
} as const;
const settings = { directory: { signInRows: 'real' } };
const types = [
  { share: 60, user: { methods: ['sms', 'voice'], groups: ['sales'] } },
  { share: 20, user: { type: 'guest', methods: ['authenticator-push'] } },
  { share: 20, user: { methods: [] } },
] as const;

/** A sandbox with synthetic sign-ins, and one with the same sign-ins in its journal. */
let synthetic: DirectoryServer;
let written: DirectoryServer;
/** All rows of the synthetic sign-ins, newest first, with their facts. */
let all: readonly Row[];

const withFacts = { Prefer: 'include-annotations="nudgelab.facts"' };

function startSynthetic(signIns: unknown = { count, days }, directory: object = {}): Promise<DirectoryServer> {
  return DirectoryServer.start({
    clock: { nowMs, running: false },
    tenant,
    settings: { directory: { ...settings.directory, ...directory } },
    syntheticUsers: { count: 5_000, seed: 3, types, signIns },
  });
}

beforeAll(async () => {
  synthetic = await startSynthetic();
  all = await follow(synthetic, '?$top=1000');
  const signIns = all.filter(({ status }) => (status as { errorCode: number }).errorCode !== 50_074).toReversed();
  const users = [...new Set(signIns.map(({ userId }) => userId))].map((id) =>
    synthetic.sandbox.directory.user(String(id)),
  );
  written = await DirectoryServer.start({
    clock: { nowMs: nowMs - days * dayMs, running: false },
    tenant,
    settings,
    users,
  });
  const { sandbox } = written;
  for (const row of nonEmpty(signIns)) {
    const { user: _synthetic, tenant: _same, ...attempt } = row['@nudgelab.facts'] as Record<string, object>;
    await sandbox.clock.set({ nowMs: parseInstant(String(row['createdDateTime'])) ?? 0 });
    // A snooze of an earlier sign-in would suppress the prompt.
    await sandbox.directory.setSnooze(String(row['userId']), { count: 0, snoozedAtMs: null });
    let view = await sandbox.signIns.start(String(row['userId']), attempt);
    if (view.screen === 'password') view = await sandbox.signIns.acceptPassword(view.id);
    if (view.screen === 'mfa') await sandbox.signIns.completeMfa(view.id);
  }
  await sandbox.clock.set({ nowMs });
}, 60_000);

afterAll(() => Promise.all([synthetic.stop(), written.stop()]));

/** Follows a list to its end, and returns its pages. */
async function readPages(server: DirectoryServer, query: string): Promise<readonly (readonly Row[])[]> {
  const pages: (readonly Row[])[] = [];
  for (let next: unknown = `${path}${query}`; typeof next === 'string'; ) {
    const { status, body, text } = await server.ask(next, { headers: withFacts });
    expect([status, text]).toEqual([200, text]);
    pages.push(body.value ?? []);
    next = body['@odata.nextLink'];
  }
  return pages;
}

async function follow(server: DirectoryServer, query: string): Promise<readonly Row[]> {
  return (await readPages(server, query)).flat();
}

/** Returns rows without the ids that the two sandboxes form in different ways. */
function withoutIds(pages: readonly (readonly Row[])[]): readonly (readonly Row[])[] {
  return pages.map((page) =>
    page.map(({ id: _one, correlationId: _two, originalRequestId: _three, sessionId: _four, ...row }) => row),
  );
}

function filter(text: string): string {
  return `$filter=${encodeURIComponent(text)}`;
}

function code(row: Row): number {
  return (row['status'] as { readonly errorCode: number }).errorCode;
}

describe('synthetic sign-ins', () => {
  test('there is one row per sign-in and per second factor, newest first, in the days before the creation', () => {
    const times = all.map((row) => parseInstant(String(row['createdDateTime'])) ?? 0);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(times[0]).toBeLessThan(nowMs);
    expect(times.at(-1)).toBeGreaterThanOrEqual(nowMs - days * dayMs - 3_000);
    const codes = Map.groupBy(all, code);
    expect([...codes.keys()].toSorted()).toEqual([0, 50_074, 50_203]);
    expect((codes.get(0)?.length ?? 0) + (codes.get(50_203)?.length ?? 0)).toBe(count);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ deviceDetail }) => JSON.stringify(deviceDetail))).size).toBeGreaterThan(10);
  });

  test.for([
    '?$top=1000',
    '?$top=7',
    '?$top=7&$orderby=createdDateTime asc',
    '?$orderby=createdDateTime desc&$select=createdDateTime,userDisplayName,authenticationDetails',
    `?$top=5&${filter('status/errorCode eq 50203')}`,
    `?$top=4&${filter("startswith(userDisplayName,'a') or userDisplayName eq 'x'")}`,
    `?$top=3&${filter("clientAppUsed eq 'Browser'")}&$orderby=createdDateTime`,
    `?$top=3&${filter('createdDateTime ge 2026-01-14T00:00:00Z and createdDateTime le 2026-01-20T12:00:00Z')}`,
    `?${filter('createdDateTime ge 2026-01-14T00:00:00Z and status/errorCode eq 0')}&$orderby=createdDateTime`,
  ])('%s answers as if all sign-ins were in the journal', async (query) => {
    const pages = withoutIds(await readPages(synthetic, query));
    expect(pages.flat().length).toBeGreaterThan(3);
    expect(pages).toEqual(withoutIds(await readPages(written, query)));
  });

  test('a filter returns the rows that a test of all rows returns', async () => {
    const userIds = [...new Set(all.map(({ userId }) => userId))].slice(0, 8);
    const times = all.filter((_, index) => index % 9 === 0).map(({ createdDateTime }) => String(createdDateTime));
    for (const userId of nonEmpty(userIds)) {
      const expected = all.filter((row) => row['userId'] === userId);
      expect(await follow(synthetic, `?$top=2&${filter(`userId eq '${String(userId)}'`)}`)).toEqual(expected);
    }
    for (const time of nonEmpty(times)) {
      const expected = all.filter(({ createdDateTime }) => String(createdDateTime) <= time);
      expect(await follow(synthetic, `?$top=20&${filter(`createdDateTime le ${time}`)}`)).toEqual(expected);
      const rest = all.filter(({ createdDateTime }) => String(createdDateTime) >= time);
      expect(await follow(synthetic, `?$top=20&${filter(`createdDateTime ge ${time}`)}`)).toEqual(rest);
    }
  });

  test.for(['facts', 'guid'])('a row is found by its id, with ids as %s', async (wireIds) => {
    const server = await startSynthetic({ count, days }, { wireIds });
    try {
      const rows = await follow(server, '?$top=9');
      expect(rows).toHaveLength(all.length);
      for (const row of nonEmpty(rows.slice(0, 12))) {
        const { body } = await server.ask(`${path}/${String(row['id']).toUpperCase()}`);
        expect(body).toMatchObject({ id: row['id'], createdDateTime: row['createdDateTime'], status: row['status'] });
      }
      const [id = ''] = rows.map((row) => String(row['id']));
      for (const unknown of [`ffffffff${id.slice(8)}`, `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`, 'none']) {
        expect((await server.ask(`${path}/${unknown}`)).status).toBe(404);
      }
    } finally {
      await server.stop();
    }
  });

  test('later changes of users and policy leave the rows as they are', async () => {
    const server = await startSynthetic();
    try {
      const { sandbox } = server;
      const [first] = all;
      await sandbox.directory.patchTenant({ campaign: { state: 'disabled' } }, 'control-api');
      await sandbox.directory.patchUser(String(first?.['userId']), { displayName: 'Renamed' });
      await sandbox.directory.removeUser(String(all.at(-1)?.['userId']));
      expect(await follow(server, '?$top=11')).toEqual(all);
      const [created, ...changes] = await sandbox.journal({ after: 0, limit: 100 });
      expect(created?.event).toMatchObject({ syntheticUsers: { count: 5_000, signIns: { count, days } } });
      expect(changes).toHaveLength(3);
    } finally {
      await server.stop();
    }
  });

  test('rows of the journal are among them in order of time, and the retention removes the oldest ones', async () => {
    const server = await startSynthetic();
    try {
      const { sandbox } = server;
      const userId = String(all[0]?.['userId']);
      const signIn = async () => {
        const { id } = await sandbox.signIns.start(userId, { mfa: { completed: false } });
        await sandbox.signIns.acceptPassword(id);
      };
      await sandbox.clock.set({ nowMs: nowMs - 10 * dayMs });
      await signIn();
      await sandbox.clock.set({ nowMs: nowMs + dayMs });
      await signIn();
      const rows = await follow(server, '?$top=3');
      const times = rows.map(({ createdDateTime }) => String(createdDateTime));
      expect(times).toEqual(times.toSorted().toReversed());
      expect(rows).toHaveLength(all.length + 2);
      expect(rows.filter(({ id }) => all.every((row) => row['id'] !== id)).map(({ id }) => id)).toHaveLength(2);
      expect(times[0]).toBe('2026-02-01T09:00:00.000Z');
      expect(times).toContain('2026-01-21T09:00:00.000Z');
      const oldest = (await follow(server, '?$top=4&$orderby=createdDateTime')).toReversed();
      expect(oldest).toEqual(rows);
      await sandbox.clock.set({ nowMs: nowMs + 20 * dayMs });
      const kept = all.filter(({ createdDateTime }) => String(createdDateTime) >= '2026-01-21T09:00:00.000Z');
      expect(await follow(server, '?$top=50')).toHaveLength(kept.length + 2);
      const gone = all.at(-1);
      expect((await server.ask(`${path}/${String(gone?.['id'])}`)).status).toBe(404);
    } finally {
      await server.stop();
    }
  });

  test('a page tests a bounded number of rows, and times narrow the rows that are tested', async () => {
    const server = await startSynthetic({ count: pageTestedRowsMax * 2, days: 10 }, { signInRows: 'attempt' });
    try {
      const none = filter("userDisplayName eq 'none'");
      expect(await readPages(server, `?${none}`)).toEqual([[], []]);
      const hour = 'createdDateTime ge 2026-01-25T08:00:00Z and createdDateTime lt 2026-01-25T09:00:00Z';
      const pages = await readPages(server, `?${filter(`${hour} and status/errorCode ge 0`)}`);
      expect(pages).toHaveLength(1);
      expect(pages.flat().length).toBeGreaterThan(400);
      expect(pages.flat().length).toBeLessThan(430);
    } finally {
      await server.stop();
    }
  });

  test.for([
    [{ count: 0 }, 'syntheticUsers.signIns.count'],
    [{ count: 10_000_001 }, 'syntheticUsers.signIns.count'],
    [{ count: 1.5 }, 'syntheticUsers.signIns.count'],
    [{}, 'syntheticUsers.signIns.count'],
    [{ count: 1, days: 0 }, 'syntheticUsers.signIns.days'],
    [{ count: 1, days: 366 }, 'syntheticUsers.signIns.days'],
    [{ count: 1, day: 3 }, 'syntheticUsers.signIns'],
    [100, 'syntheticUsers.signIns'],
  ] as const)('bad-request: %j is rejected', async ([signIns, location]) => {
    await expect(startSynthetic(signIns)).rejects.toMatchObject({
      code: 'bad-request',
      problems: [{ location: expect.stringContaining(location) }],
    });
  });

  test('bad-request: sign-ins before 1970 are rejected', async () => {
    const input = { clock: { nowMs: 5 * dayMs, running: false }, syntheticUsers: { count: 1, signIns: { count: 1 } } };
    await expect(DirectoryServer.start(input)).rejects.toMatchObject({
      code: 'bad-request',
      problems: [{ location: 'syntheticUsers.signIns.days' }],
    });
  });
});
