import { describe, expect, it } from 'vitest';
import { serveControl } from './control-client.ts';

describe('faults in the control API', () => {
  it('are set, listed with their occurrences, accepted as listed, and removed', async () => {
    const { ask, sandboxes } = await serveControl();
    expect((await ask('GET ./faults')).body).toEqual({ faults: [], occurrences: [] });
    const fault = { kind: 'code-never-arrives', user: 'ada', times: 2 };
    const set = await ask('PUT ./faults', { faults: [fault, { kind: 'server-error', endpoint: 'token' }] });
    expect([set.status, set.body]).toEqual([
      200,
      { faults: [fault, { kind: 'server-error', endpoint: 'token', status: 503 }], occurrences: [0, 0] },
    ]);
    const { signIns } = sandboxes.get('default');
    await signIns.acceptPassword((await signIns.start('ada')).id);
    const listed = (await ask('GET ./faults')).body;
    expect(listed.occurrences).toEqual([1, 0]);
    expect((await ask('PUT ./faults', listed)).body.occurrences).toEqual([0, 0]);
    expect((await ask('DELETE ./faults')).status).toBe(204);
    expect((await ask('GET ./faults')).body.faults).toEqual([]);
  });

  it('are recorded in the journal, and a sandbox can be created with faults', async () => {
    const { ask } = await serveControl();
    const faults = [{ kind: 'push-denied' }];
    expect((await ask('POST /sandboxes', { id: 'begun', faults })).status).toBe(201);
    expect((await ask('GET /sandboxes/begun/faults')).body.faults).toEqual(faults);
    await ask('PUT ./faults', { faults });
    expect((await ask('GET ./journal?type=faults.set')).body.entries).toMatchObject([{ event: { faults } }]);
  });

  it.each([
    [{ faults: [{ kind: 'push-lost' }] }, 'body.faults.0.kind'],
    [{ faults: [{ kind: 'delay', endpoint: 'token', delayMs: 0 }] }, 'body.faults.0.delayMs'],
    [{ faults: Array.from({ length: 101 }, () => ({ kind: 'push-denied' })) }, 'body.faults'],
    [{}, 'body.faults'],
  ])(
    'bad-request: an invalid fault is rejected with its location, and the previous faults are unchanged',
    async (body, place) => {
      const { ask, sandboxes } = await serveControl();
      await sandboxes.get('default').faults.set([{ kind: 'registration-fails' }]);
      const refused = await ask('PUT ./faults', body);
      expect(refused.status).toBe(400);
      expect(refused.body.error.problems[0].location).toBe(place);
      expect((await ask('GET ./faults')).body.faults).toEqual([{ kind: 'registration-fails' }]);
    },
  );
});

describe('tenant settings in the control API', () => {
  const context = {
    namedLocations: ['office'],
    conditionalAccess: [{ id: 'office-only', grant: 'block', networks: { exclude: ['office'] } }],
  };

  it('R4, A49: are merged, and apply to explain and the next sign-in', async () => {
    const { ask } = await serveControl();
    const patched = await ask('PATCH ./tenant/settings', { context });
    expect(patched.body).toMatchObject({ authenticatorWireName: 'vendorAuthenticator', context });
    const reasonAt = async (network: string) => {
      const { body } = await ask('POST ./explain', { user: 'ada', attempt: { network } });
      return body.rules.find(({ id }: { id: string }) => id === 'R4').outcome;
    };
    expect(await reasonAt('office')).toBe('met');
    expect((await ask('POST ./users/ada/next-sign-in', { network: 'office', os: 'ios' })).status).toBe(200);
    expect((await ask('POST ./users/ada/next-sign-in', { network: 'moon' })).body.error.code).toBe('bad-request');
    expect((await ask('POST ./explain', { user: 'ada', attempt: { network: 'moon' } })).status).toBe(400);
    expect((await ask('PATCH ./tenant/settings', { context: null })).body).not.toHaveProperty('context');
  });

  it('bad-request: a policy with an unknown network changes nothing', async () => {
    const { ask } = await serveControl();
    const refused = await ask('PATCH ./tenant/settings', { context: { ...context, namedLocations: [] } });
    expect(refused.status).toBe(400);
    expect((await ask('GET ./tenant/settings')).body).not.toHaveProperty('context');
  });
});
