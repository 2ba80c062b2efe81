import { describe, expect, it } from 'vitest';
import type { PasskeyCredential } from '../../src/contract/credential.schema.ts';
import type { Fault } from '../../src/contract/fault.schema.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { appCampaign, createSandbox, nudgeStatus, passkeyCampaign, signIn } from '../journal/signing-in.ts';

const users = [{ id: 'ada' }, { id: 'ben' }, { id: 'pia', methods: ['authenticator-push', 'sms'] }];

function withFaults(faults: readonly object[], tenant: object = appCampaign): Promise<Sandbox> {
  return createSandbox({ tenant, users, faults });
}

/** Starts a sign-in, tries to register at the prompt, and returns the resulting screen. */
async function tryToRegister(sandbox: Sandbox, userId = 'ada'): Promise<string> {
  const { id } = await signIn(sandbox, userId);
  await sandbox.signIns.selectNext(id);
  const { screen } = await sandbox.signIns.completeSetup(id, null);
  if (screen === 'errorScreen') await sandbox.signIns.skipError(id);
  else await sandbox.directory.removeMethod(userId, 'authenticator-push');
  return screen;
}

describe('failing registration', () => {
  it.each([
    [{ after: 0 }, ['errorScreen', 'errorScreen', 'errorScreen']],
    [{ times: 1 }, ['errorScreen', 'signedIn', 'signedIn']],
    [{ after: 1 }, ['signedIn', 'errorScreen', 'errorScreen']],
    [{ after: 1, times: 1 }, ['signedIn', 'errorScreen', 'signedIn']],
    [{ user: 'ben' }, ['signedIn', 'signedIn', 'signedIn']],
  ])('R11.8: the fault %j applies only to the attempts that it describes', async (fault, screens) => {
    const sandbox = await withFaults([{ kind: 'registration-fails', ...fault }]);
    const seen: string[] = [];
    for (const _try of screens) seen.push(await tryToRegister(sandbox));
    expect(seen).toEqual(screens);
  });

  it('R11.8, A12: a failed registration counts no snooze, registers nothing, and is recorded as one event', async () => {
    const sandbox = await withFaults([{ kind: 'registration-fails' }]);
    const { id } = await signIn(sandbox);
    await sandbox.signIns.selectNext(id);
    await sandbox.signIns.completeSetup(id, null);
    const { events } = await sandbox.signIns.detail(id);
    expect(events.at(-1)?.event.type).toBe('setup.failed');
    expect(sandbox.directory.user('ada').methods).toEqual(['sms']);
    expect(nudgeStatus(sandbox)).toMatchObject({ snoozes: 0, open: 1 });
  });

  it('A45: the registration of a created passkey fails when it is named', async () => {
    const sandbox = await withFaults([{ kind: 'registration-fails' }], passkeyCampaign);
    const { id } = await signIn(sandbox);
    await sandbox.signIns.selectNext(id);
    const passkey = { type: 'windows-bound', deviceId: 'device-1', credentialId: 'AAAA' } as const;
    await sandbox.signIns.keepMadePasskey(id, { passkey, credential: createCredential('AAAA'), attested: false });
    expect((await sandbox.signIns.namePasskey(id, 'Mine')).screen).toBe('errorScreen');
    expect(sandbox.directory.user('ada').passkeys).toEqual([]);
  });

  it('checking for the fault does not use it up', async () => {
    const { faults } = await withFaults([{ kind: 'registration-fails', user: 'ada', times: 1 }]);
    expect([faults.registrationFails('ada'), faults.registrationFails('ada')]).toEqual([true, true]);
    expect(faults.registrationFails('ben')).toBe(false);
    expect(faults.list()).toMatchObject([{ occurrences: 0 }]);
  });
});

describe('failing second factor', () => {
  it('second-factor-rejected: every entered code is wrong if the code never arrived, and the next code arrives', async () => {
    const sandbox = await withFaults([{ kind: 'code-never-arrives', times: 1 }]);
    const { id } = await sandbox.signIns.start('ada');
    expect(sandbox.faults.codeNeverArrives('ada')).toBe(true);
    expect(await sandbox.signIns.acceptPassword(id)).toMatchObject({ codesSent: 1, codeArrived: false });
    expect(await sandbox.codes.accepts(id, () => true)).toBe(false);
    await expect(sandbox.signIns.completeMfa(id)).rejects.toMatchObject({ code: 'second-factor-rejected' });
    expect(await sandbox.signIns.sendCode(id)).toMatchObject({ codesSent: 2, codeArrived: true });
    expect(await sandbox.codes.accepts(id, (code) => code === '123456')).toBe(true);
    expect((await sandbox.signIns.completeMfa(id)).screen).toBe('prompt');
  });

  it('second-factor-rejected: a denied push notification stays denied until another one is sent', async () => {
    const sandbox = await withFaults([{ kind: 'push-denied', times: 1 }]);
    expect(sandbox.faults.push('pia')).toBe('denied');
    const { id } = await sandbox.signIns.start('pia', { mfa: { method: 'authenticator-push' } });
    expect((await sandbox.signIns.acceptPassword(id)).push).toMatchObject({ sent: 1, answer: 'denied' });
    await expect(sandbox.signIns.completeMfa(id)).rejects.toMatchObject({ code: 'second-factor-rejected' });
    expect((await sandbox.signIns.sendPush(id)).push).toMatchObject({ sent: 2, answer: 'waiting' });
    expect((await sandbox.signIns.completeMfa(id)).finished).toBe(true);
  });

  it('second-factor-pending: a push notification that never arrived cannot be approved on the phone', async () => {
    const sandbox = await withFaults([{ kind: 'push-never-arrives' }]);
    expect(sandbox.faults.push('pia')).toBe('lost');
    const { id } = await sandbox.signIns.start('pia', { mfa: { method: 'authenticator-push' } });
    const { push } = await sandbox.signIns.acceptPassword(id);
    expect(push).toMatchObject({ answer: 'waiting', lost: true });
    await expect(sandbox.signIns.answerPush(id, true, push?.number ?? '')).rejects.toMatchObject({
      code: 'unexpected-screen',
    });
    await expect(sandbox.signIns.completeMfa(id)).rejects.toMatchObject({ code: 'second-factor-pending' });
  });

  it('R1: the sign-in can continue with another method', async () => {
    const sandbox = await withFaults([{ kind: 'push-never-arrives' }]);
    const { id } = await sandbox.signIns.start('pia', { mfa: { method: 'authenticator-push' } });
    await sandbox.signIns.acceptPassword(id);
    await sandbox.signIns.openMfaChoice(id);
    await sandbox.signIns.chooseMfaMethod(id, 'sms');
    expect((await sandbox.signIns.completeMfa(id)).finished).toBe(true);
  });
});

describe('occurrence counts of faults', () => {
  const faults = [{ kind: 'code-never-arrives', after: 1, times: 2 }];

  it('are rebuilt from the journal, so a reopened store continues to count', async () => {
    const store = new MemoryStore();
    const before = await Sandboxes.open(store);
    const sandbox = await before.create('faults', planSandbox({ tenant: appCampaign, users, faults }));
    for (const userId of ['ada', 'ben']) await sandbox.signIns.acceptPassword((await sandbox.signIns.start(userId)).id);
    const again = (await Sandboxes.open(store)).get('faults');
    expect(again.faults.list()).toEqual(sandbox.faults.list());
    expect(again.faults.list()).toMatchObject([{ occurrences: 2 }]);
    const fork = await before.fork('faults', 'fork');
    expect(fork.faults.list()).toEqual(sandbox.faults.list());
    const { id } = await fork.signIns.start('ada');
    expect((await fork.signIns.acceptPassword(id)).codeArrived).toBe(false);
    expect(fork.faults.codeNeverArrives('ada')).toBe(false);
  });

  it('restart when faults are set, and a reset restores the initial faults', async () => {
    const sandboxes = await Sandboxes.open(new MemoryStore());
    const sandbox = await sandboxes.create('faults', planSandbox({ tenant: appCampaign, users, faults }));
    await sandbox.signIns.acceptPassword((await sandbox.signIns.start('ada')).id);
    expect(sandbox.faults.list()).toMatchObject([{ occurrences: 1 }]);
    await sandbox.faults.set(faults);
    expect(sandbox.faults.list()).toMatchObject([{ occurrences: 0 }]);
    await sandbox.faults.clear();
    expect(sandbox.faults.list()).toEqual([]);
    await sandboxes.reset('faults');
    expect(sandbox.faults.list()).toMatchObject([{ fault: { kind: 'code-never-arrives' }, occurrences: 0 }]);
  });
});

describe('token faults and connection faults', () => {
  it('a token fault applies to its client as often as configured', async () => {
    const sandbox = await withFaults([
      { kind: 'token', fault: 'expired', client: 'web', times: 1 },
      { kind: 'token', fault: 'bad-signature', client: 'web', after: 1 },
    ]);
    const tokenFaults = ['web', 'other', 'web', 'web'].map((client) => sandbox.faults.token(client));
    expect(tokenFaults).toEqual(['expired', null, 'bad-signature', 'bad-signature']);
  });

  it('the faults of an endpoint combine to the longest delay and the first failure', async () => {
    const sandbox = await withFaults([
      { kind: 'delay', endpoint: 'token', delayMs: 10 },
      { kind: 'delay', endpoint: 'token', delayMs: 30, times: 1 },
      { kind: 'server-error', endpoint: 'token', after: 1, times: 1 },
    ]);
    expect(sandbox.faults.onLine).toBe(true);
    expect(sandbox.faults.ofEndpoint('policy')).toBeNull();
    expect(sandbox.faults.ofEndpoint('token')).toEqual({ delayMs: 30, end: null });
    expect(sandbox.faults.ofEndpoint('token')).toMatchObject({
      delayMs: 10,
      end: { kind: 'server-error', status: 503 },
    });
    expect(sandbox.faults.ofEndpoint('token')).toEqual({ delayMs: 10, end: null });
  });

  it('a sandbox with faults only for users has no connection faults', async () => {
    const sandbox = await withFaults([{ kind: 'push-denied' }]);
    expect(sandbox.faults.onLine).toBe(false);
    await sandbox.faults.set([{ kind: 'connection-reset', endpoint: 'jwks' }] satisfies readonly object[]);
    expect(sandbox.faults.onLine).toBe(true);
    await sandbox.faults.clear();
    expect(sandbox.faults.onLine).toBe(false);
  });
});

describe('stopped sandbox', () => {
  it('sandbox-not-found: a stopped sandbox has no connection faults and cannot list its faults', async () => {
    const sandbox = await withFaults([{ kind: 'server-error', endpoint: 'token' }]);
    sandbox.recorder.stop();
    expect(sandbox.faults.onLine).toBe(false);
    expect(sandbox.faults.ofEndpoint('token')).toBeNull();
    expect(() => sandbox.faults.list()).toThrow(expect.objectContaining({ code: 'sandbox-not-found' }));
  });
});

describe('valid faults', () => {
  it.each([
    [{ kind: 'flood' }, /faults\.0\.kind/],
    [{ kind: 'delay', endpoint: 'token', delayMs: 20_001 }, /20000/],
    [{ kind: 'delay', endpoint: 'moon', delayMs: 1 }, /"sign-in"/],
    [{ kind: 'server-error', endpoint: 'token', status: 404 }, /500/],
    [{ kind: 'token', fault: 'late' }, /"expired"/],
    [{ kind: 'push-denied', times: 0 }, /faults\.0\.times/],
    [{ kind: 'push-denied', client: 'web' }, /unknown key "client"/],
  ])('bad-request: rejects %j, lists the allowed values, and changes nothing', async (fault, message) => {
    const sandbox = await withFaults([{ kind: 'push-denied' }]);
    const refused = { code: 'bad-request', message: expect.stringMatching(message) };
    await expect(sandbox.faults.set([fault])).rejects.toMatchObject(refused);
    expect(() => planSandbox({ faults: [fault] })).toThrow(expect.objectContaining(refused));
    expect(sandbox.faults.list().map(({ fault: { kind } }: { fault: Fault }) => kind)).toEqual(['push-denied']);
  });
});

function createCredential(id: string): PasskeyCredential {
  return {
    id,
    publicKey: 'AAAA',
    counter: 0,
    aaguid: '00000000-0000-0000-0000-000000000000',
    transports: [],
    backupEligible: false,
    backedUp: false,
    name: 'Passkey',
    createdAtMs: 0,
    kindConfidence: 'derived',
  };
}
