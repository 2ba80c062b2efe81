import { describe, expect, it } from 'vitest';
import { serveControl } from './control-client.ts';

const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
const enabled = { campaign: { state: 'enabled', includeTargets: [target], snoozeDurationInDays: 2 } };
const snoozedAtMs = Date.parse('2026-01-05T08:00:00.000Z');

const users = [
  { id: 'ada', userPrincipalName: 'ada@example.test', displayName: 'Ada Lovelace' },
  { id: 'bob', userPrincipalName: 'bob@example.test', displayName: 'Robert', snooze: { count: 1, snoozedAtMs } },
  { id: 'cyd', userPrincipalName: 'cyd@example.test', displayName: 'Cyd', snooze: { count: 3, snoozedAtMs: 0 } },
  { id: 'gus', userPrincipalName: 'gus@example.test', displayName: 'Gus', methods: ['authenticator-push'] },
];

/** Creates a PATCH body for the campaign. */
const patch = (settings: object): object => ({
  registrationEnforcement: { authenticationMethodsRegistrationCampaign: settings },
});

describe('control API: user population', () => {
  it('R5: counts users by state and returns the instant at which the next snooze ends', async () => {
    const { ask } = await serveControl({ sandbox: { tenant: enabled, users } });
    const { status, body } = await ask('GET ./user-summary');
    expect(status).toBe(200);
    expect(body.users).toBe(4);
    expect(body.states).toMatchObject({ snoozed: 1, notPrompted: 3 });
    expect(Object.values<number>(body.states).reduce((sum, count) => sum + count, 0)).toBe(4);
    expect(body.nextPromptAt).toBe('2026-01-07T08:00:00.000Z');
  });

  it('R5: returns no instant if all snoozes have elapsed', async () => {
    const { ask } = await serveControl({ sandbox: { tenant: enabled, users } });
    await ask('POST ./clock/advance', { days: 3 });
    expect((await ask('GET ./user-summary')).body.nextPromptAt).toBeNull();
  });

  it('finds users by part of a name in any case and by state, page by page', async () => {
    const { ask } = await serveControl({ sandbox: { tenant: enabled, users } });
    const ids = async (query: string): Promise<string[]> =>
      (await ask(`GET ./users?${query}`)).body.users.map(({ id }: { id: string }) => id);
    expect(await ids('search=LOVE')).toEqual(['ada']);
    expect(await ids('search=example.test')).toEqual(['ada', 'bob', 'cyd', 'gus']);
    expect(await ids('search=example.test&after=bob&limit=1')).toEqual(['cyd']);
    // Cyd’s snooze ended long ago.
    expect(await ids('state=snoozed')).toEqual(['bob']);
    expect(await ids('state=notPrompted')).toEqual(['ada', 'cyd', 'gus']);
    expect(await ids('search=nobody')).toEqual([]);
    expect(await ids('offset=2&limit=1')).toEqual(['cyd']);
    expect((await ask('GET ./users?state=notPrompted&limit=1')).body.total).toBe(3);
  });

  it('S2: finds users by the reason of their next verdict, which equals explain, and reports the number of evaluated users', async () => {
    const { ask } = await serveControl({ sandbox: { tenant: enabled, users } });
    const found = async (query: string) => {
      const { body } = await ask(`GET ./users?${query}`);
      return [body.users.map(({ id }: { id: string }) => id), body.total, body.evaluated];
    };
    expect(await found('reason=none')).toEqual([['ada', 'cyd'], 2, 4]);
    expect(await found('reason=snoozed')).toEqual([['bob'], 1, 4]);
    expect(await found('reason=already-registered')).toEqual([['gus'], 1, 4]);
    expect(await found('reason=none&state=notPrompted')).toEqual([['ada', 'cyd'], 2, 3]);
    expect(await found('reason=none&state=snoozed')).toEqual([[], 0, 1]);
    expect(await found('reason=none&offset=1&limit=1')).toEqual([['cyd'], 2, 4]);
    expect(await found('reason=excluded')).toEqual([[], 0, 4]);
    for (const { id } of users) {
      const { reason } = (await ask('POST ./explain', { user: id })).body;
      expect((await found(`reason=${reason ?? 'none'}`))[0]).toContain(id);
    }
    expect((await found('state=snoozed'))[2]).toBeUndefined();
  });

  it('bad-request: an unknown state is rejected with the allowed states', async () => {
    const { ask } = await serveControl();
    const { status, body } = await ask('GET ./users?state=asleep');
    expect([status, body.error.code, body.error.problems[0].location]).toEqual([400, 'bad-request', 'query.state']);
  });
});

describe('control API: policy preview', () => {
  it('R6: lists the users who would be prompted, required or no longer prompted, and changes nothing', async () => {
    const { ask } = await serveControl({ sandbox: { tenant: enabled, users } });
    const before = (await ask('GET ./journal/counts')).body.total;
    const { status, body } = await ask('POST ./campaign/preview', {
      patch: patch({ enforceRegistrationAfterAllowedSnoozes: false, snoozeDurationInDays: 0 }),
    });
    expect(status).toBe(200);
    // Ada may snooze, Cyd has no snoozes left, Bob is still snoozing, and Gus already has the app.
    expect(body.before).toEqual({ none: 2, skippable: 1, required: 1 });
    expect(body.after).toEqual({ none: 1, skippable: 3, required: 0 });
    expect(body.changes).toEqual([
      { user: 'bob', before: { outcome: 'none', reason: 'snoozed' }, after: { outcome: 'skippable', reason: null } },
      { user: 'cyd', before: { outcome: 'required', reason: null }, after: { outcome: 'skippable', reason: null } },
    ]);
    expect([body.changed, body.evaluated, body.users]).toEqual([2, 4, 4]);
    expect((await ask('GET ./journal/counts')).body.total).toBe(before);
  });

  it('A19: rollout switches apply only to the preview', async () => {
    const snoozed = { id: 'dan', snooze: { count: 1, snoozedAtMs: Date.parse('2026-01-03T09:00:00.000Z') } };
    const tenant = { campaign: { state: 'default', includeTargets: [target] }, rollout: { method: true } };
    const { ask } = await serveControl({ sandbox: { tenant, users: [snoozed] } });
    const changes = async (rollout: object) => (await ask('POST ./campaign/preview', { rollout })).body.changes;
    expect(await changes({ snoozeDays: true })).toMatchObject([{ user: 'dan', before: { reason: 'snoozed' } }]);
    expect(await changes({ snoozeDays: false })).toEqual([]);
    expect((await ask('GET ./tenant')).body.rollout).toMatchObject({ method: true, snoozeDays: false });
    const { body } = await ask('POST ./campaign/preview', { rollout: { everything: true } });
    expect(body.error.code).toBe('bad-request');
  });

  it('R11.4: the evaluated sign-ins have the given context', async () => {
    const { ask } = await serveControl({ sandbox: { tenant: enabled, users } });
    const { body } = await ask('POST ./campaign/preview', { patch: {}, attempt: { ssoSession: true } });
    expect([body.before.none, body.after.none, body.changed]).toEqual([4, 4, 0]);
  });

  it('bad-request: an update that the policy API would reject is rejected with the same fields', async () => {
    const { ask } = await serveControl();
    const { status, body } = await ask('POST ./campaign/preview', { patch: patch({ snoozeDurationInDays: 15 }) });
    expect([status, body.error.code]).toEqual([400, 'bad-request']);
    expect(body.error.problems[0].location).toContain('snoozeDurationInDays');
  });
});

describe('control API: unnamed event stream', () => {
  it('sends every entry as a message, so clients need not know the event types', async () => {
    const { controlUrl, ask } = await serveControl();
    const stop = new AbortController();
    const stream = await fetch(`${controlUrl}/sandboxes/default/events?named=false&after=0`, { signal: stop.signal });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await ask('POST ./clock/advance', { days: 1 });
    let text = '';
    while (!text.includes('clock.set')) text += (await reader?.read())?.value ?? '';
    stop.abort();
    expect([...new Set(text.match(/^event: ?.*$/gm))]).toEqual(['event:message']);
  });
});
