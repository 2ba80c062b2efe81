import { describe, expect, test } from 'vitest';
import { rebuildStateWithObserver } from '../../src/journal/apply-event.ts';
import type { ReplayObserver } from '../../src/journal/replay-observer.ts';
import type { Sandbox, SandboxInput } from '../../src/sandbox/sandbox.ts';
import { createSandbox, minuteMs, nudgeStatus, passkeyCampaign, refusal, signIn, startMs } from './signing-in.ts';

async function listEventTypes(sandbox: Sandbox): Promise<readonly string[]> {
  return (await sandbox.journal({ after: 0, limit: 100 })).map(({ event }) => event.type);
}

describe('sign-ins as events', () => {
  test('R1: the events of a sign-in are stored in order, with the verdict that they refer to', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.signIns.selectNext(id);
    await sandbox.signIns.failSetup(id);
    await sandbox.signIns.skipError(id);
    const { events, verdict, attempt } = await sandbox.signIns.detail(id);
    expect(events.map(({ event }) => event.type)).toEqual([
      'signIn.started',
      'password.accepted',
      'mfa.completed',
      'prompt.nextSelected',
      'setup.failed',
      'errorScreen.skipped',
    ]);
    expect([verdict?.outcome, attempt?.nowMs]).toEqual(['skippable', startMs]);
    const digests = events.flatMap(({ event }) => ('verdict' in event ? [event.verdict] : []));
    expect(digests).toHaveLength(3);
    expect(new Set(digests)).toEqual(new Set([expect.stringMatching(/^[0-9a-f]{8}$/)]));
  });

  test('A39: the verdict digest of an action differs if method, duration, limit, requirement or ruleset differ', async () => {
    const digestIn = async (event: SandboxInput, patch: object = {}): Promise<string> => {
      const sandbox = await createSandbox(event);
      await sandbox.directory.patchTenant(patch, 'scenario');
      const { id } = await signIn(sandbox);
      await sandbox.signIns.selectNext(id);
      const answers = (await sandbox.signIns.detail(id)).events.map(({ event }) => event);
      return answers.flatMap((recorded) => ('verdict' in recorded ? [recorded.verdict] : [])).join();
    };
    const digests = [
      await digestIn({}),
      await digestIn({ ruleset: '2026-09' }),
      await digestIn({ users: [{ id: 'ada', snooze: { count: 3 } }] }),
      await digestIn({ tenant: passkeyCampaign }),
      await digestIn({}, { campaign: { snoozeDurationInDays: 2 } }),
      await digestIn({}, { campaign: { enforceRegistrationAfterAllowedSnoozes: false } }),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    expect(await digestIn({ users: [{ id: 'ada', methods: ['voice', 'sms'], snooze: { count: 2 } }] })).toBe(
      digests[0],
    );
  });

  test('R1: the events of two sign-ins of one user are kept separate', async () => {
    const sandbox = await createSandbox();
    const [one, two] = [await sandbox.signIns.start('ada'), await sandbox.signIns.start('ada')];
    await sandbox.signIns.acceptPassword(two.id);
    await sandbox.signIns.acceptPassword(one.id);
    const events = (await sandbox.signIns.detail(one.id)).events.map(({ seq }) => seq);
    expect(events).toEqual([2, 5]);
  });

  test('R13.1: a sign-in by SSO is evaluated immediately, without password and second factor', async () => {
    const sandbox = await createSandbox();
    const view = await sandbox.signIns.start('ada', { ssoSession: true });
    expect(view).toMatchObject({ screen: 'notNudged', outcome: 'none', finished: true });
    expect(await listEventTypes(sandbox)).toEqual(['sandbox.created', 'signIn.started']);
  });

  test('R1: a sign-in without MFA is evaluated after the password', async () => {
    const sandbox = await createSandbox();
    const { id } = await sandbox.signIns.start('ada', { mfa: { completed: false } });
    expect((await sandbox.signIns.acceptPassword(id)).screen).toBe('notNudged');
    expect(sandbox.signIns.verdict(id)?.reason).toBe('mfa-not-completed');
  });

  test.for([
    ['service', 'mfa', 'prompt'],
    ['external', 'externalMfa', 'notNudged'],
    ['home-tenant', 'externalMfa', 'notNudged'],
  ] as const)('R3: MFA by %s takes place on the screen %s and leads to %s', async ([provider, screen, ended]) => {
    const sandbox = await createSandbox();
    const { id } = await sandbox.signIns.start('ada', { mfa: { provider } });
    expect((await sandbox.signIns.acceptPassword(id)).screen).toBe(screen);
    expect((await sandbox.signIns.completeMfa(id)).screen).toBe(ended);
  });

  test.for([
    ['R13.4', { termsOfUse: true }, ['termsOfUse']],
    ['R13.3', { conditionalAccess: { registrationPageBlocked: true } }, ['blocked']],
    ['R13.3', { termsOfUse: true, conditionalAccess: { registrationPageBlocked: true } }, ['termsOfUse', 'blocked']],
  ] as const)(
    '%s: a sign-in with %j shows the interstitial pages %j and no prompt',
    async ([, attempt, interstitials]) => {
      const sandbox = await createSandbox();
      let view = await signIn(sandbox, 'ada', attempt);
      expect(view.screen).toBe(interstitials[0]);
      while (!view.finished) view = await sandbox.signIns.passInterstitial(view.id);
      expect(view).toMatchObject({ screen: 'notNudged', interstitials, outcome: 'none' });
      expect(nudgeStatus(sandbox)).toMatchObject({ state: 'notPrompted', open: 0 });
    },
  );

  test('A39: the rules are evaluated when MFA is completed, with the facts at that time', async () => {
    const sandbox = await createSandbox();
    const { id } = await sandbox.signIns.start('ada');
    await sandbox.signIns.acceptPassword(id);
    await sandbox.clock.advance({ minutes: 5 });
    await sandbox.directory.patchTenant({ campaign: { state: 'disabled' } }, 'scenario');
    expect((await sandbox.signIns.completeMfa(id)).screen).toBe('notNudged');
    const { attempt, verdict } = await sandbox.signIns.detail(id);
    expect([attempt?.nowMs, verdict?.reason]).toEqual([startMs + 5 * minuteMs, 'campaign-disabled']);
  });

  test('R1: a verdict stays the same after changes of tenant, user and clock', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    const before = sandbox.signIns.verdict(id);
    await sandbox.directory.patchTenant({ campaign: { state: 'disabled' } }, 'scenario');
    await sandbox.directory.patchUser('ada', { methods: ['authenticator-push'] });
    await sandbox.clock.advance({ days: 3 });
    expect(sandbox.signIns.verdict(id)).toEqual(before);
  });

  test('unexpected-screen: each screen rejects the actions of other screens and records nothing', async () => {
    const sandbox = await createSandbox();
    const { signIns } = sandbox;
    const { id } = await signIns.start('ada');
    const before = sandbox.entryCount;
    for (const attempted of [
      signIns.completeMfa(id),
      signIns.passInterstitial(id),
      signIns.selectNext(id),
      signIns.skip(id),
      signIns.completeSetup(id, null),
      signIns.failSetup(id),
      signIns.skipError(id),
    ]) {
      expect(await refusal(attempted)).toBe('unexpected-screen');
    }
    expect(sandbox.entryCount).toBe(before);
  });
});

describe('prepared sign-ins', () => {
  test('R13.4: a prepared context applies to one sign-in and overrides the context of that sign-in', async () => {
    const sandbox = await createSandbox();
    await sandbox.directory.setNextSignIn('ada', { termsOfUse: true, os: 'linux', mfa: { method: 'voice' } });
    const { id } = await signIn(sandbox, 'ada', { os: 'macos' });
    expect((await sandbox.signIns.detail(id)).attempt).toMatchObject({
      termsOfUse: true,
      os: 'linux',
      mfa: { completed: true, provider: 'service', method: 'voice' },
    });
    expect(sandbox.directory.nextSignIn('ada')).toBeNull();
    expect((await signIn(sandbox)).screen).toBe('prompt');
  });

  test('R13.4: a prepared context applies only to its user', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada' }, { id: 'ben' }] });
    await sandbox.directory.setNextSignIn('ada', { ssoSession: true });
    expect((await signIn(sandbox, 'ben')).screen).toBe('prompt');
    expect(sandbox.directory.nextSignIn('ada')).toEqual({ ssoSession: true });
  });

  test('A36: a browser of `null` is kept as `null`', async () => {
    const sandbox = await createSandbox();
    await sandbox.directory.setNextSignIn('ada', { browser: null });
    const { id } = await signIn(sandbox);
    expect((await sandbox.signIns.detail(id)).attempt?.browser).toBeNull();
  });

  test('R5: the sandbox clock determines the time of an attempt, regardless of any given time', async () => {
    const sandbox = await createSandbox();
    await sandbox.directory.setNextSignIn('ada', { nowMs: 0 });
    const { id } = await signIn(sandbox, 'ada', { nowMs: 1 });
    expect((await sandbox.signIns.detail(id)).attempt?.nowMs).toBe(startMs);
  });
});

describe('other state of a sandbox', () => {
  test('A18: a change of the tenant keeps the settings, and a change of the settings keeps the tenant', async () => {
    const sandbox = await createSandbox();
    await sandbox.directory.putSettings({ authenticatorWireName: 'acmeAuthenticator' }, 'control-api');
    await sandbox.directory.patchTenant({ subscription: 'free' }, 'control-api');
    expect([sandbox.directory.settings(), sandbox.directory.tenant().subscription]).toEqual([
      { authenticatorWireName: 'acmeAuthenticator' },
      'free',
    ]);
    await sandbox.directory.putSettings({}, 'control-api');
    expect(sandbox.directory.settings()).toEqual({ authenticatorWireName: 'vendorAuthenticator' });
  });

  test('A18: every change of the tenant has its own version', async () => {
    const sandbox = await createSandbox();
    const versions = [sandbox.directory.tenantVersion()];
    for (const subscription of ['free', 'free', 'paid']) {
      await sandbox.directory.patchTenant({ subscription }, 'scenario');
      versions.push(sandbox.directory.tenantVersion());
    }
    expect(new Set(versions).size).toBe(4);
  });

  test('R5: the last clock setting is kept', async () => {
    const sandbox = await createSandbox();
    await sandbox.clock.set({ nowMs: 5 * minuteMs });
    await sandbox.clock.advance({ minutes: 1 });
    expect(sandbox.recorder.state().clock).toEqual({ running: false, nowMs: 6 * minuteMs });
    expect(sandbox.clock.nowMs()).toBe(6 * minuteMs);
  });

  test('A40: an observer of a replay receives every evaluation and transition, including the last expiry', async () => {
    const sandbox = await createSandbox();
    await signIn(sandbox);
    await sandbox.clock.advance({ minutes: 15 });
    const seen: string[] = [];
    const watcher: ReplayObserver = {
      evaluated: ({ outcome }) => seen.push(outcome),
      moved: (before, { type }, after) => seen.push(`${String(before.value)} ${type} ${String(after.value)}`),
    };
    rebuildStateWithObserver(await sandbox.journal({ after: 0, limit: 100 }), watcher);
    expect(seen.filter((step) => !step.includes('pendingClose.settled'))).toEqual([
      'skippable',
      'notPrompted prompt.shown prompted',
      'prompted time.passed snoozed',
    ]);
  });
});
