import { describe, expect, test } from 'vitest';
import { assumptions } from '../../src/contract/assumptions.ts';
import { ruleCatalogue } from '../../src/contract/rule-catalogue.ts';
import { listRowsMax } from '../../src/core/limits.ts';
import { listTransitions } from '../../src/sandbox/executed-transitions.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { isRolledOut } from '../../src/server/control-api/assumption-switches.ts';
import { JournalCounts } from '../../src/server/control-api/journal-counts.ts';
import { serveControl } from './control-client.ts';

const everybody = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
const appCampaign = { tenant: { campaign: { state: 'enabled', includeTargets: [everybody] } }, users: [{ id: 'ada' }] };

/** Signs in a user up to the completed second factor, and returns the sign-in id. */
async function signIn({ signIns }: Sandbox, userId: string): Promise<string> {
  const { id } = await signIns.start(userId);
  await signIns.acceptPassword(id);
  await signIns.completeMfa(id);
  return id;
}

interface Row {
  readonly id: string;
  readonly [key: string]: unknown;
}

function findRow(rows: readonly Row[], id: string): Row | undefined {
  return rows.find((row) => row.id === id);
}

describe('control API: verdicts and sign-ins', () => {
  test('R13.1: explain evaluates a hypothetical sign-in and records nothing', async () => {
    const { ask, sandboxes } = await serveControl({ sandbox: appCampaign });
    expect((await ask('POST ./explain', { user: 'ada' })).body).toMatchObject({ outcome: 'skippable', reason: null });
    const suppressed = await ask('POST ./explain', { user: 'ada', attempt: { ssoSession: true } });
    expect(suppressed.body).toMatchObject({ outcome: 'none', reason: 'sso-session', ruleset: 'seed' });
    expect(suppressed.body.rules.find(({ id }: Row) => id === 'R13.1')).toMatchObject({ outcome: 'stopped' });
    expect(sandboxes.get('default').entryCount).toBe(1);
  });

  test('S1: explain warns about a target that does not exist in the directory', async () => {
    const { ask } = await serveControl({ sandbox: appCampaign });
    await ask('PATCH ./tenant', { campaign: { includeTargets: [{ ...everybody, id: 'no-such-group' }] } });
    const { body } = await ask('POST ./explain', { user: 'ada' });
    expect(body).toMatchObject({ reason: 'not-included', warnings: [{ code: 'unknown-target' }] });
  });

  test.for([
    [{ user: 'ada', attempt: { os: 'beos' } }, 'body.attempt.os'],
    [{ user: 'ada', atempt: {} }, 'body'],
    [{ attempt: {} }, 'body.user'],
  ] as const)('bad-request: the error of explain with %j names %s', async ([body, place]) => {
    const { ask } = await serveControl();
    expect((await ask('POST ./explain', body)).body.error).toMatchObject({
      code: 'bad-request',
      problems: [{ location: place }],
    });
  });

  test('sign-in-not-found: a sign-in contains its attempt, its verdict and its events', async () => {
    const { ask, sandboxes } = await serveControl({ sandbox: appCampaign });
    const id = await signIn(sandboxes.get('default'), 'ada');
    const { body } = await ask(`GET ./sign-ins/${id}`);
    expect(body.signIn).toMatchObject({ id, userId: 'ada', screen: 'prompt', startedAt: '2026-01-05T09:00:00.000Z' });
    expect(body.attempt).toMatchObject({ os: 'windows', mfa: { method: 'sms' } });
    expect(body.verdict).toMatchObject({ outcome: 'skippable', campaign: { method: 'vendorAuthenticator' } });
    expect(body.events.map((entry: { event: { type: string } }) => entry.event.type)).toEqual([
      'signIn.started',
      'password.accepted',
      'mfa.completed',
    ]);
    expect((await ask('GET ./sign-ins/s99')).body.error.code).toBe('sign-in-not-found');
  });

  test('sign-in-not-found: before evaluation there is neither an attempt nor a verdict', async () => {
    const { ask, sandboxes } = await serveControl({ sandbox: appCampaign });
    const { id } = await sandboxes.get('default').signIns.start('ada');
    expect((await ask(`GET ./sign-ins/${id}`)).body).toMatchObject({ attempt: null, verdict: null });
  });

  test('user-not-found: sign-ins are listed newest first, optionally for one user', async () => {
    const { ask, sandboxes } = await serveControl({ sandbox: { users: [{ id: 'ada' }, { id: 'ben' }] } });
    const sandbox = sandboxes.get('default');
    const ids = [await signIn(sandbox, 'ada'), await signIn(sandbox, 'ben'), await signIn(sandbox, 'ada')];
    const listed = async (query: string): Promise<readonly string[]> =>
      (await ask(`GET ./sign-ins${query}`)).body.signIns.map(({ id }: Row) => id);
    expect(await listed('')).toEqual(ids.toReversed());
    expect(await listed('?user=ada')).toEqual([ids[2], ids[0]]);
    expect(await listed('?limit=1')).toEqual([ids[2]]);
    expect(await listed(`?before=${ids[2]}`)).toEqual([ids[1], ids[0]]);
    expect(await listed(`?before=${ids[2]}&user=ada`)).toEqual([ids[0]]);
    expect(await listed('?before=s99')).toEqual([]);
  });
});

describe('control API: observations after a step', () => {
  test('R6: verdict, nudge status, journal and transitions are combined and equal those read one by one', async () => {
    const { ask, sandboxes } = await serveControl({ sandbox: appCampaign });
    const id = await signIn(sandboxes.get('default'), 'ada');
    const { body } = await ask('POST ./observations', { signIn: id, user: 'ada', journal: true, transitions: true });
    expect(body).toMatchObject({ verdict: { outcome: 'skippable' }, nudgeStatus: { snoozesLeft: 3 }, deleted: false });
    expect(body).toEqual({
      verdict: (await ask(`GET ./sign-ins/${id}`)).body.verdict,
      nudgeStatus: (await ask('GET ./users/ada')).body.nudgeStatus,
      journal: (await ask('GET ./journal')).body,
      transitions: listTransitions(await sandboxes.get('default').journal({ after: 0, limit: listRowsMax })),
      deleted: false,
    });
    expect(body.transitions).toContainEqual({
      taken: expect.objectContaining({ event: 'prompt.shown', actions: expect.arrayContaining(['openPrompt']) }),
      times: 1,
    });
  });

  test('sandbox-not-found: the last observations delete the sandbox, and parts that were not requested are null', async () => {
    const { ask, sandboxes } = await serveControl({ sandbox: appCampaign });
    expect((await ask('POST ./observations', { deleteSandbox: true })).body).toEqual({
      verdict: null,
      nudgeStatus: null,
      journal: null,
      transitions: null,
      deleted: true,
    });
    expect(sandboxes.has('default')).toBe(false);
    expect((await ask('POST ./observations', {})).body.error.code).toBe('sandbox-not-found');
  });

  test('sandbox-not-found: the last observations do not delete the sandbox while more of a long journal follows', async () => {
    const { ask, sandboxes } = await serveControl({ sandbox: appCampaign });
    for (let entry = 0; entry < listRowsMax; entry += 1) await sandboxes.get('default').clock.advance({ ms: 1 });
    const { body } = await ask('POST ./observations', { journal: true, deleteSandbox: true });
    expect(body).toMatchObject({ deleted: false, journal: { next: listRowsMax } });
    const { body: other } = await ask('POST ./observations', { transitions: true, deleteSandbox: true });
    expect(other).toMatchObject({ deleted: false, transitions: null });
    expect(sandboxes.has('default')).toBe(true);
  });

  test.for([
    [{ signIn: 's99', deleteSandbox: true }, 'sign-in-not-found'],
    [{ user: 'nobody', deleteSandbox: true }, 'user-not-found'],
    [{ sign: 's2', deleteSandbox: true }, 'bad-request'],
  ] as const)('%j is rejected with %s, and nothing is deleted', async ([question, code]) => {
    const { ask, sandboxes } = await serveControl({ sandbox: appCampaign });
    expect((await ask('POST ./observations', question)).body.error.code).toBe(code);
    expect(sandboxes.has('default')).toBe(true);
  });
});

describe('control API: journal and requests', () => {
  test('bad-request: the journal is returned in pages and by type, with timestamps in both formats', async () => {
    const { ask } = await serveControl();
    for (let day = 0; day < 4; day += 1) await ask('POST ./clock/advance', { days: 1 });
    const first = (await ask('GET ./journal?limit=3')).body;
    expect(first.entries.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3]);
    expect(first.next).toBe(3);
    const rest = (await ask(`GET ./journal?after=${first.next}`)).body;
    expect(rest).toMatchObject({ entries: [{ seq: 4 }, { seq: 5 }], next: null });
    expect(rest.entries[0]).toMatchObject({ at: '2026-01-07T09:00:00.000Z', atMs: Date.UTC(2026, 0, 7, 9) });
    const byType = (await ask('GET ./journal?type=clock.set&after=3')).body;
    expect(byType.entries.map(({ seq }: { seq: number }) => seq)).toEqual([4, 5]);
  });

  test.for(['type=clock.moved', 'after=-1', 'after=x', 'limit=0'])(
    'bad-request: journal?%s is rejected',
    async (query) => {
      const { ask } = await serveControl();
      expect((await ask(`GET ./journal?${query}`)).body.error).toMatchObject({
        code: 'bad-request',
        problems: [{ location: `query.${query.split('=')[0]}` }],
      });
    },
  );

  test('bad-request: the journal contains no credentials, on any route', async () => {
    const secrets = { password: 'a password of her own', code: '654321' };
    const { ask } = await serveControl({ sandbox: { users: [{ id: 'ada', ...secrets }] } });
    await ask('PUT ./users/ben', secrets);
    const { access_token } = (await ask('POST ./tokens', {})).body;
    await ask('POST ./tokens/revoke', { token: access_token });
    const text = JSON.stringify((await ask('GET ./journal')).body);
    expect(text).toContain('"type":"token.revoked"');
    expect(text).not.toContain(secrets.password);
    expect(text).not.toContain(secrets.code);
    expect(text).not.toContain(access_token);
    expect((await ask('GET ./users/ada')).body).toMatchObject(secrets);
  });

  test('bad-request: entries are counted by type, including new ones', async () => {
    const { ask } = await serveControl();
    await ask('POST ./clock/advance', { days: 1 });
    expect((await ask('GET ./journal/counts')).body).toEqual({
      total: 2,
      counts: { 'clock.set': 1, 'sandbox.created': 1 },
    });
    await ask('POST ./clock/advance', { days: 1 });
    await ask('DELETE ./users/ada');
    expect((await ask('GET ./journal/counts')).body).toEqual({
      total: 4,
      counts: { 'clock.set': 2, 'sandbox.created': 1, 'user.removed': 1 },
    });
    await ask('POST ./reset');
    const atOnce = await Promise.all([ask('GET ./journal/counts'), ask('GET ./journal/counts')]);
    expect(atOnce.map(({ body }) => body.total)).toEqual([5, 5]);
  });

  test('bad-request: two concurrent counts count every entry once', async () => {
    const { sandboxes } = await serveControl();
    const sandbox = sandboxes.get('default');
    const journalCounts = new JournalCounts();
    await journalCounts.of(sandbox);
    await sandbox.clock.advance({ days: 1 });
    const counts = { 'clock.set': 1, 'sandbox.created': 1 };
    expect(await Promise.all([journalCounts.of(sandbox), journalCounts.of(sandbox)])).toEqual([counts, counts]);
  });

  test('bad-request: a journey is a downloadable file of existing sequence numbers', async () => {
    const { ask, controlUrl } = await serveControl();
    await ask('POST ./clock/advance', { days: 1 });
    const journey = (query: string) => fetch(`${controlUrl}/sandboxes/default/journey${query}`);
    for (const query of ['', '?from=2', '?from=2&to=2', '?from=3', '?to=1']) {
      const { status, headers } = await journey(query);
      expect([query, status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
        query,
        200,
        'application/x-ndjson',
        'attachment; filename=default.journey.ndjson',
      ]);
    }
    for (const query of ['?to=3', '?from=4', '?from=3&to=1']) {
      const answer = await journey(query);
      const { error } = (await answer.json()) as { error: { code: string } };
      expect([query, answer.status, error.code]).toEqual([query, 400, 'bad-request']);
    }
  });

  test('not-found: requests are listed with their status and filtered by path prefix, newest last', async () => {
    const { ask } = await serveControl();
    await ask('GET ./tenant');
    await ask('GET ./users/nobody');
    const { body } = await ask('GET ./requests?path=/_control/v1/sandboxes/default/users');
    expect(body).toMatchObject({
      requests: [{ method: 'GET', path: '/_control/v1/sandboxes/default/users/nobody', status: 404 }],
      dropped: 0,
    });
    const last = (await ask('GET ./requests?limit=1')).body.requests;
    expect(last).toMatchObject([{ path: '/_control/v1/sandboxes/default/requests', status: null }]);
  });

  test('bad-request: requests are paged, and filtered by status and user; an unknown status is rejected', async () => {
    const { ask } = await serveControl();
    for (const user of ['ada', 'nobody', 'nobody']) await ask(`GET ./users/${user}`);
    const rejected = (await ask('GET ./requests?status=4xx&limit=1')).body;
    expect(rejected).toMatchObject({ total: 2, requests: [{ seq: 3, userId: 'nobody', client: null }] });
    const earlier = (await ask(`GET ./requests?status=404&limit=1&before=${rejected.requests[0].seq}`)).body;
    expect(earlier).toMatchObject({ total: 2, requests: [{ seq: 2 }] });
    expect((await ask('GET ./requests?user=ADA')).body.requests).toMatchObject([{ seq: 1, userId: 'ada' }]);
    expect((await ask('GET ./requests?control=false')).body).toMatchObject({ total: 0, requests: [] });
    for (const query of ['status=600', 'status=40', 'status=4x', 'before=0', 'control=maybe']) {
      const { status, body } = await ask(`GET ./requests?${query}`);
      expect([query, status, body.error.code]).toEqual([query, 400, 'bad-request']);
      expect(body.error.problems[0].location).toBe(`query.${query.split('=')[0]}`);
    }
  });
});

describe('control API: campaign and rules', () => {
  test('A17: the campaign contains the stored values and the effective values', async () => {
    const { ask } = await serveControl();
    expect((await ask('GET ./campaign')).body).toMatchObject({
      setting: null,
      campaign: { state: 'providerManaged', method: 'vendorAuthenticator', snoozeDays: 3, limited: true },
      warnings: [],
    });
  });

  test.for([
    ['A15', { state: 'enabled' }, ['include-targets-empty', 'campaign-reaches-nobody']],
    [
      'S1',
      { state: 'enabled', includeTargets: [{ ...everybody, id: 'ghosts' }] },
      ['campaign-reaches-nobody', 'unknown-target'],
    ],
    ['S2', { excludeTargets: [{ targetType: 'user', id: 'ada' }] }, ['campaign-reaches-nobody']],
    ['R14', { state: 'disabled' }, []],
    ['C1', { state: 'enabled', includeTargets: [everybody] }, []],
  ] as const)('%s: a campaign of %j returns the warnings %j', async ([, campaign, codes]) => {
    const { ask } = await serveControl();
    await ask('PATCH ./tenant', { campaign });
    const { warnings } = (await ask('GET ./campaign')).body;
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(codes);
  });

  test('C1: a campaign of a tenant without users returns no warnings', async () => {
    const { ask } = await serveControl({ sandbox: {} });
    expect((await ask('GET ./campaign')).body.warnings).toEqual([]);
  });

  test('A46: users who would be required by a new limit are counted, separately from those still snoozing', async () => {
    const users = [
      { id: 'ada', snooze: { count: 3, snoozedAtMs: Date.UTC(2025, 11, 1) } },
      { id: 'ben', snooze: { count: 5, snoozedAtMs: Date.UTC(2026, 0, 5, 9) } },
      { id: 'cyd', snooze: { count: 2, snoozedAtMs: null } },
      { id: 'dan', snooze: { count: 4, snoozedAtMs: null } },
    ];
    const { ask } = await serveControl({ sandbox: { users } });
    expect((await ask('GET ./campaign')).body.requiredAtNextSignIn).toEqual({ users: 2, stillSnoozing: 1 });
  });

  test('M1: each rule contains its gate and its position in the ruleset of the sandbox', async () => {
    const { ask } = await serveControl();
    const seed = (await ask('GET ./rules')).body;
    expect(seed.ruleset).toBe('seed');
    expect(seed.rules.map(({ id }: Row) => id)).toEqual(ruleCatalogue.map(({ id }) => id));
    expect(findRow(seed.rules, 'C1')).toMatchObject({
      kind: 'gate',
      gate: 'C1',
      place: 1,
      reasons: ['campaign-disabled'],
    });
    expect(findRow(seed.rules, 'R12')).toMatchObject({ gate: 'R11.3', reasons: ['local-passkey'] });
    expect(findRow(seed.rules, 'R7')).toMatchObject({ kind: 'lifecycle', gate: null, place: null, reasons: [] });
    expect(findRow(seed.rules, 'M1')).toMatchObject({ gate: 'M1', place: null });
    await ask('POST /sandboxes', { id: 'later', ruleset: '2026-09' });
    expect(findRow((await ask('GET /sandboxes/later/rules')).body.rules, 'M1')).toMatchObject({ place: 8 });
  });
});

describe('control API: assumptions', () => {
  test('A1 to A79 are listed, each with the way a run can observe it', async () => {
    const { ask } = await serveControl();
    const { body } = await ask('GET ./assumptions');
    expect(body.assumptions.map(({ id, question, answer }: Row) => ({ id, question, answer }))).toEqual(
      assumptions.map(({ id, question, answer }) => ({ id, question, answer })),
    );
    expect(body.assumptions.filter(({ observable }: Row) => observable === '')).toEqual([]);
    expect(body.assumptions.filter((row: Row) => row['switch'] !== null).map(({ id }: Row) => id)).toEqual([
      'A9',
      'A19',
      'A47',
    ]);
  });

  test('A9: the switch sets strictDevice of the tenant', async () => {
    const { ask } = await serveControl();
    const { body } = await ask('PUT ./assumptions', { A9: true });
    expect(findRow(body.assumptions, 'A9')?.['switch']).toEqual({
      name: 'options.strictDevice',
      value: true,
      allowed: [false, true],
    });
    expect((await ask('GET ./tenant')).body.options).toEqual({ strictDevice: true });
  });

  test.for([
    ['A19', 1, true],
    ['A19', 0, false],
    ['A47', 1, true],
  ] as const)('%s: a preset of %d sets the four switches to %s', async ([id, preset, on]) => {
    const { ask } = await serveControl({ sandbox: { tenant: { rollout: { method: true } } } });
    expect(findRow((await ask('GET ./assumptions')).body.assumptions, id)?.['switch']).toMatchObject({ value: null });
    const { body } = await ask('PUT ./assumptions', { [id]: preset });
    expect(findRow(body.assumptions, id)?.['switch']).toMatchObject({ value: preset });
    expect((await ask('GET ./tenant')).body.rollout).toEqual({
      method: on,
      snoozeDays: on,
      snoozeLimit: on,
      targeting: on,
    });
  });

  test('A47: a tenant is included if the hash of its lowercase id is below the preset', () => {
    const fnvOfA = 0xe4_0c_29_2c;
    const presets = [fnvOfA / 2 ** 32, (fnvOfA + 1) / 2 ** 32];
    expect(presets.map((preset) => isRolledOut('a', preset))).toEqual([false, true]);
    expect(presets.map((preset) => isRolledOut('A', preset))).toEqual([false, true]);
    expect([isRolledOut('', 0), isRolledOut('a', 1)]).toEqual([false, true]);
  });

  test.for([
    [{ A1: true }, ['body.A1']],
    [{ A9: 1, A99: true }, ['body.A9', 'body.A99']],
    [{ A19: 1.5 }, ['body.A19']],
    [{ A47: true }, ['body.A47']],
    [{ A19: 0, A47: 1 }, ['body.A47']],
    [{ A9: 'yes' }, ['body.A9']],
    [{ A9: true, A2: true }, ['body.A2']],
  ] as const)('bad-request: the error of %j names %j, and nothing is set', async ([body, places]) => {
    const { ask, sandboxes } = await serveControl();
    const { error } = (await ask('PUT ./assumptions', body)).body;
    expect(error.code).toBe('bad-request');
    expect(error.problems.map(({ location }: { location: string }) => location)).toEqual(places);
    expect(sandboxes.get('default').entryCount).toBe(1);
  });
});
