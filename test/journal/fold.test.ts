import { beforeEach, describe, expect, it } from 'vitest';
import type { PasskeyCredential } from '../../src/contract/credential.schema.ts';
import { applyEvent, begin, rebuildState, rebuildStateWithObserver } from '../../src/journal/apply-event.ts';
import { effectiveEntries, readHistory } from '../../src/journal/history.ts';
import type { JournalEntry, JournalEvent } from '../../src/journal/journal-event.ts';
import { getScreen, type SandboxState } from '../../src/journal/state.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { createSandbox, hourMs, passkeyCampaign, signIn, startMs } from './signing-in.ts';

const passkey = (credentialId: string) => ({ type: 'security-key', deviceId: null, credentialId }) as const;
const credential = (id: string): PasskeyCredential => ({
  id,
  publicKey: 'key',
  counter: 0,
  aaguid: '00000000-0000-0000-0000-000000000000',
  transports: [],
  backupEligible: false,
  backedUp: false,
  name: id,
  createdAtMs: startMs,
  kindConfidence: 'known',
});

let sandbox: Sandbox;
let state: SandboxState;
let journal: readonly JournalEntry[];

/** Rebuilds the state from the journal of the sandbox, independently of the sandbox. */
async function foldAgain(): Promise<void> {
  journal = await sandbox.journal({ after: 0, limit: 1_000 });
  state = rebuildState(journal) ?? expect.fail('The journal is empty.');
}

/** Applies one more event to the state. */
function apply(event: object): SandboxState {
  applyEvent(state, { seq: state.lastSeq + 1, atMs: startMs, event: event as JournalEvent });
  return state;
}

const ada = () => state.users.get('ada') ?? expect.fail('Ada is gone.');

beforeEach(async () => {
  sandbox = await createSandbox();
  await foldAgain();
});

describe('state of a journal', () => {
  it('store-corrupt: a journal with a wrong start, a second start or a gap is rejected', async () => {
    const corrupt = expect.objectContaining({ code: 'store-corrupt' });
    const [first] = journal;
    if (first === undefined) throw new RangeError('The journal is empty.');
    const clock: JournalEntry = {
      seq: 2,
      atMs: startMs,
      event: { type: 'clock.set', clock: { running: false, nowMs: startMs } },
    };
    expect(() => begin(clock)).toThrow(corrupt);
    expect(() => rebuildState([{ ...clock, seq: 1 }])).toThrow(corrupt);
    expect(() => rebuildState([{ ...first, seq: 2 }])).toThrow(corrupt);
    expect(() => rebuildState([first, { ...first, seq: 2 }])).toThrow(corrupt);
    expect(() => rebuildState([first, { ...clock, seq: 3 }])).toThrow(corrupt);
    expect(() => rebuildState([clock, clock], begin(first))).toThrow(corrupt);
    expect(rebuildState([])).toBeNull();
    expect(rebuildState([first, clock])?.lastSeq).toBe(2);
    expect(rebuildState([clock], begin(first))?.lastSeq).toBe(2);
  });

  it.for([
    [{ type: 'snooze.set', userId: 'eve', count: 0, snoozedAtMs: null }],
    [{ type: 'method.removed', userId: 'eve', method: 'sms' }],
    [{ type: 'method.added', userId: 'eve', method: 'sms' }],
    [{ type: 'passkey.added', userId: 'eve', passkey: passkey('a'), credential: credential('a') }],
    [{ type: 'passkey.removed', userId: 'eve', place: 0 }],
    [{ type: 'passkey.renamed', userId: 'eve', credentialId: 'a', name: 'b' }],
    [{ type: 'pendingClose.settled', userId: 'eve' }],
    [{ type: 'signIn.started', userId: 'eve', signInId: 's9', attempt: {} }],
    [{ type: 'password.accepted', signInId: 's9' }],
    [{ type: 'prompt.skipped', signInId: 's9', verdict: '' }],
    [{ type: 'document.changed', documentId: 9 }],
    [{ type: 'document.transitioned', documentId: 9, move: 'start' }],
  ] as const)('store-corrupt: %j refers to an unknown user, sign-in or document', ([event]) => {
    expect(() => apply(event)).toThrow(expect.objectContaining({ code: 'store-corrupt' }));
  });

  it('A27: a method that is added outside a prompt is stored once and closes the prompts for it', async () => {
    const first = await signIn(sandbox);
    await foldAgain();
    const methods = ada().facts.methods;
    apply({ type: 'method.added', userId: 'ada', method: 'hardware-totp' });
    expect([ada().nudge.value, ada().facts.methods]).toEqual(['prompted', [...methods, 'hardware-totp']]);
    apply({ type: 'method.added', userId: 'ada', method: 'authenticator-push' });
    expect([ada().nudge.value, ada().nudge.context.openPrompts]).toEqual(['registered', []]);
    const held = ada().facts.methods;
    expect(held).toEqual([...methods, 'hardware-totp', 'authenticator-push']);
    apply({ type: 'method.added', userId: 'ada', method: 'authenticator-push' });
    expect(ada().facts.methods).toEqual(held);
    expect(getScreen(state.signIns.get(first.id) ?? expect.fail())).not.toBe('prompt');
  });

  it('A27, A38: passkeys are added, renamed and removed individually, and removing the last one ends the registration', async () => {
    sandbox = await createSandbox({ tenant: passkeyCampaign });
    await signIn(sandbox);
    await foldAgain();
    for (const id of ['a', 'b', 'c']) {
      apply({ type: 'passkey.added', userId: 'ada', passkey: passkey(id), credential: credential(id) });
    }
    expect([ada().nudge.value, ada().facts.passkeys.map((one) => one.credentialId)]).toEqual([
      'registered',
      ['a', 'b', 'c'],
    ]);
    apply({ type: 'passkey.renamed', userId: 'ada', credentialId: 'b', name: 'My key' });
    expect(ada().credentials.map(({ name }) => name)).toEqual(['a', 'My key', 'c']);
    apply({ type: 'passkey.removed', userId: 'ada', place: 3 });
    expect(ada().facts.passkeys).toHaveLength(3);
    apply({ type: 'passkey.removed', userId: 'ada', place: 0 });
    expect(ada().facts.passkeys.map((one) => one.credentialId)).toEqual(['b', 'c']);
    expect([ada().nudge.value, ada().credentials.map(({ id }) => id)]).toEqual(['registered', ['b', 'c']]);
    apply({ type: 'passkey.removed', userId: 'ada', place: 1 });
    apply({ type: 'passkey.removed', userId: 'ada', place: 0 });
    expect([ada().nudge.value, ada().facts.passkeys, ada().credentials]).toEqual(['notPrompted', [], []]);
  });

  it('A38: removing fido2 removes all passkeys with their credentials, and removing another method removes none', () => {
    for (const id of ['a', 'b']) {
      apply({ type: 'passkey.added', userId: 'ada', passkey: passkey(id), credential: credential(id) });
    }
    apply({ type: 'method.removed', userId: 'ada', method: 'sms' });
    expect([ada().facts.methods, ada().facts.passkeys.length, ada().credentials.length]).toEqual([[], 2, 2]);
    apply({ type: 'method.removed', userId: 'ada', method: 'fido2' });
    expect([ada().facts.passkeys, ada().credentials]).toEqual([[], []]);
  });

  it('A3: a snooze record that is set changes the nudge status of the user', () => {
    apply({ type: 'snooze.set', userId: 'ada', count: 2, snoozedAtMs: startMs });
    expect([ada().nudge.value, ada().nudge.context.count, ada().nudge.context.snoozedAtMs]).toEqual([
      'snoozed',
      2,
      startMs,
    ]);
  });

  it('a change of the tenant has its own version and time, and keeps the other fields', () => {
    const { tenant, settings, tenantVersion } = state;
    const facts = { ...tenant, campaign: { ...tenant.campaign, state: 'disabled' as const } };
    applyEvent(state, { seq: 9, atMs: startMs + 5, event: { type: 'tenant.changed', facts, by: 'control-api' } });
    expect(state).toMatchObject({
      tenantVersion: tenantVersion + 1,
      tenantChangedAtMs: startMs + 5,
      settings,
      lastSeq: 9,
    });
    expect(state.tenantChangedBetweenMs.latestMs).toBe(startMs + 5);
    expect(state.campaign.state).toBe('disabled');
    applyEvent(state, { seq: 10, atMs: startMs - 5, event: { type: 'tenant.changed', facts, by: 'control-api' } });
    expect(state.tenantChangedBetweenMs).toEqual({ earliestMs: startMs - 5, latestMs: startMs + 5 });
  });

  it('revoked tokens are kept, and prepared sign-ins are kept until their user is removed', () => {
    apply({ type: 'token.revoked', tokenId: 't1' });
    apply({ type: 'nextSignIn.set', userId: 'ada', attempt: { os: 'linux' } });
    apply({ type: 'nextSignIn.set', userId: 'ben', attempt: { os: 'ios' } });
    expect([[...state.revokedTokens], [...state.nextSignIns.keys()]]).toEqual([['t1'], ['ada', 'ben']]);
    apply({ type: 'user.removed', userId: 'ada' });
    apply({ type: 'user.removed', userId: 'no one' });
    expect([[...state.users.keys()], [...state.nextSignIns.keys()]]).toEqual([[], ['ben']]);
  });

  it('R1: a rebuild with an observer reports each verdict and each prompt that expired while the clock was frozen', async () => {
    await signIn(sandbox);
    await sandbox.clock.advance({ minutes: 16 });
    await foldAgain();
    const seen: string[] = [];
    rebuildStateWithObserver(journal, {
      evaluated: ({ outcome }) => seen.push(outcome),
      moved: (before, event, after) => seen.push(`${before.value} ${event.type} ${after.value}`),
    });
    expect(seen).toEqual(['skippable', 'notPrompted prompt.shown prompted', 'prompted time.passed snoozed']);
    const [first] = journal;
    const none: string[] = [];
    rebuildStateWithObserver(first === undefined ? [] : [first], {
      evaluated: () => none.push('evaluated'),
      moved: () => none.push('moved'),
    });
    expect(none).toEqual([]);
  });
});

describe('history of an entry', () => {
  it.for([
    [5, [], [[1, 5]]],
    [
      9,
      [[6, 3]],
      [
        [1, 3],
        [6, 9],
      ],
    ],
    [5, [[6, 3]], [[1, 5]]],
    [
      6,
      [[6, 3]],
      [
        [1, 3],
        [6, 6],
      ],
    ],
    [
      12,
      [
        [6, 3],
        [10, 8],
      ],
      [
        [1, 3],
        [6, 8],
        [10, 12],
      ],
    ],
    [
      12,
      [
        [6, 3],
        [10, 5],
      ],
      [
        [1, 5],
        [10, 12],
      ],
    ],
    [
      12,
      [
        [6, 3],
        [10, 2],
      ],
      [
        [1, 2],
        [10, 12],
      ],
    ],
  ] as const)('the history of entry %i with the restores %j is %j', ([seq, restores, ranges]) => {
    const places = restores.map(([at, toSeq]) => ({ seq: at, toSeq }));
    expect(readHistory(seq, places).map(({ from, to }) => [from, to])).toEqual(ranges);
  });

  it('the history omits the entries that a restore abandoned', async () => {
    await sandbox.clock.advance({ ms: hourMs });
    await foldAgain();
    const [first, second] = journal;
    if (first === undefined || second === undefined) throw new RangeError('The journal is too short.');
    const restored: JournalEntry = {
      seq: 3,
      atMs: startMs,
      event: { type: 'state.restored', toSeq: 1, clock: { running: false, nowMs: startMs } },
    };
    expect(effectiveEntries([first, second])).toEqual([first, second]);
    expect(effectiveEntries([first, second, restored]).map(({ seq }) => seq)).toEqual([1, 3]);
    expect(rebuildState(effectiveEntries([first, second, restored]))).toMatchObject({
      lastSeq: 3,
      tenantVersion: 3,
      lastAtMs: startMs,
    });
  });
});
