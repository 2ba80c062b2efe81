import { describe, expect, it } from 'vitest';
import { scenarioOfJourney } from '../../src/replay/journey-scenario.ts';
import { inMemory, planSandbox, Sandbox } from '../../src/sandbox/sandbox.ts';
import { journeyText, openText } from './journey-text.ts';

const campaign = {
  state: 'enabled',
  includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
};
const startMs = Date.parse('2026-01-05T09:00:00.000Z');

type Prompt = (user: string) => Promise<string>;

/**
 * Creates the scenario of actions in a new sandbox: steps with name, settings and expectation, and the omitted
 * events.
 */
async function createScenario(act: (sandbox: Sandbox, prompt: Prompt) => Promise<unknown>, from?: number) {
  const plan = planSandbox({
    tenant: { campaign },
    users: [{ id: 'ada' }, { id: 'ben' }],
    clock: { nowMs: startMs, running: false },
    seed: 7,
  });
  const sandbox = await Sandbox.create('default', plan, inMemory());
  await act(sandbox, async (user) => {
    const { id } = await sandbox.signIns.start(user);
    await sandbox.signIns.acceptPassword(id);
    await sandbox.signIns.completeMfa(id);
    return id;
  });
  const text = await journeyText(await sandbox.journal({ after: 0, limit: 1_000 }), from === undefined ? {} : { from });
  const { scenario, notRepeatable } = await scenarioOfJourney(await openText(text), 'journey.ndjson');
  const steps = scenario.steps.map((step) => {
    const { kind, say, expect: expected } = step as unknown as { kind: string; say: unknown; expect: unknown };
    return [kind, say, expected];
  });
  return { scenario, steps, notRepeatable };
}

/** Matches a sign-in step without the attempt facts that have default values. */
const signIn = (user: string, as: string) => expect.objectContaining({ user, as, surface: 'browser' });
const prompted = (snoozes: number) => ({ outcome: 'skippable', reason: null, snoozes, state: 'prompted' });

describe('conversion of a journey to a scenario', () => {
  it('R5, R11.8, A12: prompts, their actions and results become steps with expectations', async () => {
    const { steps, scenario, notRepeatable } = await createScenario(async ({ signIns, clock }, prompt) => {
      await signIns.skip(await prompt('ada'));
      await prompt('ada');
      await clock.advance({ days: 1 });
      const next = await prompt('ada');
      await signIns.selectNext(next);
      await signIns.failSetup(next);
      await signIns.skipError(next);
      const last = await prompt('ben');
      await signIns.selectNext(last);
      await signIns.completeSetup(last, null);
    });
    const [first, , third, ben] = steps
      .filter(([kind]) => kind === 'signIn')
      .map(([, say]) => (say as { as: string }).as);
    expect(steps).toEqual([
      ['signIn', signIn('ada', first ?? ''), prompted(0)],
      ['skip', { prompt: first }, { snoozes: 1, state: 'snoozed' }],
      [
        'signIn',
        signIn('ada', expect.any(String)),
        { outcome: 'none', reason: 'snoozed', snoozes: 1, state: 'snoozed' },
      ],
      ['setClock', '2026-01-06T09:00:00.000Z', null],
      ['signIn', signIn('ada', third ?? ''), prompted(1)],
      ['next', { prompt: third }, { snoozes: 1, state: 'prompted' }],
      ['failRegistration', { prompt: third }, { snoozes: 1, state: 'prompted' }],
      ['skipError', { prompt: third }, { snoozes: 1, state: 'notPrompted' }],
      ['signIn', signIn('ben', ben ?? ''), prompted(0)],
      ['next', { prompt: ben }, { snoozes: 0, state: 'prompted' }],
      ['register', { prompt: ben }, { snoozes: 0, state: 'registered' }],
    ]);
    expect(notRepeatable).toEqual({});
    expect(scenario).toMatchObject({
      id: 'journey.ndjson',
      file: 'journey.ndjson',
      rows: 1,
      covers: [],
      tags: [],
      timeoutMs: 60_000,
      plan: {
        seed: 7,
        ruleset: 'seed',
        clock: { nowMs: startMs, running: false },
        users: [{ id: 'ada' }, { id: 'ben' }],
      },
    });
    expect(scenario.plan.tenant.campaign.state).toBe('enabled');
    expect(scenario.steps.map(({ index }) => index)).toEqual(steps.map((_, index) => index));
    const lines = scenario.steps.map(({ line }) => line ?? 0);
    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
    expect(lines[0]).toBeGreaterThan(3);
  });

  it('A41: a closed browser does not count yet, and a resumed one continues', async () => {
    const { steps } = await createScenario(async ({ signIns }, prompt) => {
      const id = await prompt('ada');
      await signIns.leave(id);
      await signIns.comeBack(id);
    });
    expect(steps.slice(1).map(([kind, , expected]) => [kind, expected])).toEqual([
      ['closeBrowser', null],
      ['reload', { snoozes: 0, state: 'prompted' }],
    ]);
  });

  it('changes of the tenant become only the difference, with settings listed separately', async () => {
    const { steps } = await createScenario(async ({ directory }) => {
      await directory.patchTenant({ campaign: { snoozeDurationInDays: 3 } }, 'control-api');
      await directory.patchTenant({ campaign: { snoozeDurationInDays: 3 } }, 'control-api');
      await directory.patchSettings({ askToStaySignedIn: true }, 'control-api');
      await directory.patchTenant({ campaign: { state: 'disabled' } }, 'control-api');
    });
    expect(steps).toEqual([
      ['setTenant', { campaign: { snoozeDurationInDays: 3 } }, null],
      ['setTenant', { settings: { askToStaySignedIn: true } }, null],
      ['setTenant', { campaign: { state: 'disabled' } }, null],
    ]);
  });

  it('A3: changes of users become their facts, and a user who is added later exists from the start', async () => {
    const { steps, scenario } = await createScenario(async ({ directory }) => {
      await directory.putUser('cleo', { methods: ['voice', 'sms'] });
      await directory.patchUser('cleo', { methods: ['sms', 'hardware-totp'] });
      await directory.setSnooze('ben', { count: 2, snoozedAtMs: startMs });
      await directory.removeMethod('cleo', 'sms');
    });
    expect(steps.map(([kind, say, expected]) => [kind, (say as { user?: string }).user, expected])).toEqual([
      ['setUser', 'cleo', { snoozes: 0, state: 'notPrompted' }],
      ['setUser', 'cleo', { snoozes: 0, state: 'notPrompted' }],
      ['setUser', 'ben', { snoozes: 2, state: 'snoozed' }],
      ['removeMethod', 'cleo', { snoozes: 0, state: 'notPrompted' }],
    ]);
    expect(steps[1]?.[1]).toMatchObject({ user: 'cleo', methods: ['sms', 'hardware-totp'] });
    expect(steps[3]?.[1]).toEqual({ user: 'cleo', method: 'sms' });
    expect(scenario.plan.users.map(({ id, methods }) => [id, methods])).toEqual([
      ['ada', ['sms']],
      ['ben', ['sms']],
      ['cleo', ['voice', 'sms']],
    ]);
  });

  it('R13.4: events of a sign-in, and its announced context, become part of its step', async () => {
    const { steps, notRepeatable } = await createScenario(async ({ signIns, directory }) => {
      await directory.setNextSignIn('ada', { termsOfUse: true });
      const { id } = await signIns.start('ada');
      await signIns.acceptPassword(id);
      await signIns.openMfaChoice(id);
      await signIns.chooseMfaMethod(id, 'sms');
      await signIns.sendCode(id);
      await signIns.completeMfa(id);
      await signIns.passInterstitial(id);
    });
    expect(steps.map(([kind]) => kind)).toEqual(['signIn']);
    expect(steps[0]).toMatchObject([
      'signIn',
      { user: 'ada', termsOfUse: true, mfa: { completed: true, method: 'sms' } },
      { outcome: 'none', reason: 'terms-of-use' },
    ]);
    expect(notRepeatable).toEqual({});
  });

  it('actions at a prompt from before the journey cannot be repeated and are counted by step', async () => {
    const { steps, notRepeatable } = await createScenario(async ({ signIns }, prompt) => {
      const id = await prompt('ada');
      await signIns.selectNext(id);
      await signIns.completeSetup(id, null);
    }, 5);
    expect(steps).toEqual([]);
    expect(notRepeatable).toEqual({ next: 1, register: 1 });
  });
});
