import { describe, expect, test } from 'vitest';
import { type MachineId, machineIds, machines } from '../../machines/machine-registry.ts';
import { assumptions } from '../../src/contract/assumptions.ts';
import { ruleCatalogue } from '../../src/contract/rule-catalogue.ts';
import { nonEmpty } from '../non-empty.ts';
import { serveControl } from './control-client.ts';

const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
const sandbox = {
  tenant: { campaign: { state: 'enabled', includeTargets: [target] } },
  users: [{ id: 'ada' }, { id: 'bob' }],
};

describe('state machines as statecharts', () => {
  test('not-found: every machine is listed with its actual states', async () => {
    const { ask } = await serveControl();
    const { body } = await ask('GET /machines');
    expect(body.machines.map(({ id }: { id: string }) => id)).toEqual(machineIds);
    for (const { id, machine, source } of nonEmpty(machines)) {
      const chart = body.machines.find((one: { id: string }) => one.id === id);
      expect(chart.states.map((state: { id: string }) => state.id)).toEqual(Object.keys(machine.root.states));
      expect(chart.source).toBe(source);
      expect(chart.states.filter(({ isInitial }: { isInitial: boolean }) => isInitial)).toHaveLength(1);
    }
  });

  test('R6: a transition contains its event, guard, actions and covered rules', async () => {
    const { ask } = await serveControl();
    const { body } = await ask('GET /machines');
    const [nudge] = body.machines;
    expect(nudge.transitions).toContainEqual(
      expect.objectContaining({
        from: 'any state',
        to: 'registrationRequired',
        event: 'prompt.skipped',
        guard: 'skipIsRefused',
        actions: ['insistOnRegistration'],
        rules: expect.arrayContaining(['R6', 'A1']),
      }),
    );
  });

  test('not-found: every rule in a chart exists in the rule catalog', async () => {
    const { ask } = await serveControl();
    const { body } = await ask('GET /machines');
    const known = [...ruleCatalogue, ...assumptions].map(({ id }) => id as string);
    for (const { states, transitions } of body.machines) {
      for (const { rules } of nonEmpty([...states, ...transitions])) {
        expect(rules.filter((id: string) => !known.includes(id))).toEqual([]);
      }
    }
  });
});

describe('current states of the machines', () => {
  const states = async (ask: Awaited<ReturnType<typeof serveControl>>['ask'], query = '') => {
    const { body } = await ask(`GET ./states${query}`);
    return Object.fromEntries(
      body.states.map(({ machine, state }: { machine: MachineId; state: string | null }) => [machine, state]),
    );
  };

  test('A38: a user without a sign-in has a lifecycle state and no sign-in state', async () => {
    const { ask } = await serveControl({ sandbox });
    expect(await states(ask)).toMatchObject({ nudge: null, signIn: null, campaign: 'enabled', document: null });
    expect(await states(ask, '?user=bob')).toMatchObject({ nudge: 'notPrompted', signIn: null });
  });

  test('R5: the states follow the events', async () => {
    const { ask, sandboxes } = await serveControl({ sandbox });
    const { signIns } = sandboxes.get('default');
    const { id } = await signIns.start('ada', {});
    expect(await states(ask, '?user=ada')).toMatchObject({ nudge: 'notPrompted', signIn: 'password' });
    await signIns.acceptPassword(id);
    await signIns.completeMfa(id);
    expect(await states(ask, '?user=ada')).toMatchObject({ nudge: 'prompted', signIn: 'prompt' });
    await signIns.skip(id);
    expect(await states(ask)).toMatchObject({ nudge: 'snoozed', signIn: 'signedIn' });
    expect(await states(ask, '?user=bob')).toMatchObject({ nudge: 'notPrompted', signIn: null });
  });

  test('R11.6: eligibility depends on the device of the sign-in', async () => {
    const { ask, sandboxes } = await serveControl({ sandbox });
    const { signIns } = sandboxes.get('default');
    const { id } = await signIns.start('ada', { os: 'linux', browser: 'firefox' });
    expect((await states(ask, '?user=ada'))['passkeyEligibility']).not.toBe('notSupported');
    await signIns.acceptPassword(id);
    await signIns.completeMfa(id);
    expect((await states(ask, `?signIn=${id}`))['passkeyEligibility']).toBe('notSupported');
  });

  test('user-not-found, sign-in-not-found: no state of another user is returned', async () => {
    const { ask, sandboxes } = await serveControl({ sandbox });
    const { id } = await sandboxes.get('default').signIns.start('ada', {});
    expect(await ask('GET ./states?user=eve')).toMatchObject({ status: 404 });
    expect(await ask('GET ./states?signIn=s99')).toMatchObject({ status: 404 });
    expect(await ask(`GET ./states?user=bob&signIn=${id}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'sign-in-not-found' } },
    });
  });
});
