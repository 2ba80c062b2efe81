import { describe, expect, it } from 'vitest';
import { SharedPlans } from '../../src/server/control-api/shared-plans.ts';
import { serveControl } from './control-client.ts';

const body = {
  tenant: { groups: { sales: ['staff'] } },
  users: [{ id: 'ada', methods: ['sms'] }, { id: 'ben' }],
  clock: '2026-02-03T09:00:00Z',
};

describe('sandboxes of equal inputs', () => {
  it('054: they share the structure that was validated once', async () => {
    const { ask, sandboxes } = await serveControl();
    for (const id of ['one', 'two']) expect((await ask('POST /sandboxes', { ...body, id })).status).toBe(201);
    const [one, two] = ['one', 'two'].map((id) => sandboxes.get(id).recorder.state());
    expect(one?.tenant).toEqual(expect.objectContaining({ groups: { sales: ['staff'] } }));
    expect(two?.tenant).toBe(one?.tenant);
    expect(two?.settings).toBe(one?.settings);
  });

  it('A26: a change of one is none of the other, nor of a later one', async () => {
    const { ask } = await serveControl();
    for (const id of ['one', 'two']) await ask('POST /sandboxes', { ...body, id });
    const before = await Promise.all(
      ['/users/ada', '/journal', '/clock'].map(async (path) => (await ask(`GET /sandboxes/two${path}`)).body),
    );
    expect((await ask('PATCH /sandboxes/one/users/ada', { methods: ['authenticator-push'] })).status).toBe(200);
    expect((await ask('PATCH /sandboxes/one/tenant', { groups: { sales: [] } })).status).toBe(200);
    expect((await ask('POST /sandboxes/one/clock/advance', { ms: 172_800_000 })).status).toBe(200);
    await ask('POST /sandboxes', { ...body, id: 'three' });
    for (const id of ['two', 'three']) {
      const after = await Promise.all(
        ['/users/ada', '/journal', '/clock'].map(async (path) => (await ask(`GET /sandboxes/${id}${path}`)).body),
      );
      expect(after).toEqual(before);
    }
  });

  it('054: inputs that differ in one value have plans of their own, and only the latest are kept', () => {
    const plans = new SharedPlans();
    const named = (name: string) => ({ users: [{ id: 'ada', displayName: name }] });
    const first = plans.plan(named('Ada'));
    expect(plans.plan(named('Ada'))).toBe(first);
    expect(plans.plan({ ...named('Ada'), seed: 2 })).not.toBe(first);
    expect(plans.plan(named('Grace')).users).toMatchObject([{ displayName: 'Grace' }]);
    for (let copy = 0; copy < 60; copy += 1) {
      plans.plan({
        users: Array.from({ length: 1_000 }, (_, at) => ({ id: `user-${copy}-${at}`, displayName: 'A'.repeat(60) })),
      });
    }
    expect(plans.plan(named('Ada'))).not.toBe(first);
  });

  it('bad-request: an invalid input is refused each time', async () => {
    const { ask } = await serveControl();
    for (const id of ['one', 'two']) {
      expect((await ask('POST /sandboxes', { id, users: [{ id: 'ada', methods: ['pigeon'] }] })).status).toBe(400);
    }
  });
});
