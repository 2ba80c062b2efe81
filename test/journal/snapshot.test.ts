import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rebuildState } from '../../src/journal/apply-event.ts';
import { effectiveEntries } from '../../src/journal/history.ts';
import type { EventType, JournalEntry } from '../../src/journal/journal-event.ts';
import { computeModelDigest } from '../../src/journal/model-digest.ts';
import { settleEndedPrompts } from '../../src/journal/prompts.ts';
import { captureState, deserializeState, serializeState } from '../../src/journal/snapshot.ts';
import type { NudgeSnapshot, SandboxState, SignInSnapshot } from '../../src/journal/state.ts';
import { stateAt } from '../../src/journal/stored-state.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { nonEmpty } from '../non-empty.ts';
import { acts, played } from './random-journal.ts';

const everything = { after: 0, limit: Number.POSITIVE_INFINITY };

function folded(entries: readonly JournalEntry[], from: SandboxState | null = null): SandboxState {
  const state = rebuildState(entries, from);
  if (state === null) throw new Error('There is nothing to fold.');
  return state;
}

/** Returns the state with machine snapshots reduced to their meaning. The order of their nodes has no meaning. */
function plain(state: SandboxState): unknown {
  const users = Array.from(state.users, ([id, { nudge, ...user }]) => [id, { ...user, ...getMeaning(nudge) }]);
  const signIns = Array.from(state.signIns, ([id, { screen, ...signIn }]) => [
    id,
    { ...signIn, ...getMeaning(screen) },
  ]);
  return { ...state, users, signIns, finished: [...state.finished], promptEnds: [...state.promptEnds] };
}

function getMeaning({ value, context, status }: NudgeSnapshot | SignInSnapshot): object {
  return { value, context, status };
}

test('continuing from a stored state equals a replay of the whole journal, regardless of the position', async () => {
  await fc.assert(
    fc.asyncProperty(
      acts({ goingBack: true }),
      fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
      async (given, cuts) => {
        const store = new MemoryStore();
        await played(store, given);
        const history = effectiveEntries(await store.entries('random', everything));
        const whole = folded(history);
        for (const cut of nonEmpty(cuts.map((place) => (place % history.length) + 1))) {
          const head = folded(history.slice(0, cut));
          const read = deserializeState(serializeState(head));
          expect(plain(read)).toEqual(plain(head));
          expect(plain(folded(history.slice(cut), read))).toEqual(plain(whole));
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('the current state equals a replay of the journal, even if it was read at other times', async () => {
  await fc.assert(
    fc.asyncProperty(acts({ goingBack: true }), async (given) => {
      const store = new MemoryStore();
      const [, sandbox] = await played(store, given);
      const replayed = await stateAt(store, 'random', await store.lastSeq('random'), 'another digest');
      // The current state has already closed the prompts that expired after the last entry.
      settleEndedPrompts(replayed, sandbox.clock.nowMs());
      expect(plain(sandbox.recorder.state())).toEqual(plain(replayed));
    }),
    { numRuns: 40 },
  );
});

test('a state that is written gradually is the state at the time of the call, despite later events', async () => {
  await fc.assert(
    fc.asyncProperty(acts({ goingBack: false }), fc.nat(), async (given, place) => {
      const store = new MemoryStore();
      await played(store, given);
      const entries = await store.entries('random', everything);
      const cut = (place % entries.length) + 1;
      const state = folded(entries.slice(0, cut));
      const expected = serializeState(state);
      const writing = captureState(state)();
      folded(entries.slice(cut), state);
      expect(await writing).toBe(expected);
    }),
    { numRuns: 40 },
  );
});

test('facts that records share are written once and shared again after reading', async () => {
  const store = new MemoryStore();
  const [, sandbox] = await played(store, []);
  for (let time = 0; time < 20; time += 1) {
    const { id } = await sandbox.signIns.start('user-0', { os: 'linux' });
    await sandbox.signIns.acceptPassword(id);
    await sandbox.signIns.completeMfa(id);
  }
  const text = serializeState(sandbox.recorder.state());
  expect(text.split('"subscription"')).toHaveLength(2);
  const facts = [...deserializeState(text).signIns.values()].map(({ evaluation }) => evaluation?.facts);
  expect(new Set(facts.map((one) => one?.tenant)).size).toBe(1);
  expect(new Set(facts.map((one) => one?.user)).size).toBe(1);
});

test('the model digest is stable and has 16 digits', () => {
  expect(computeModelDigest()).toMatch(/^[0-9a-f]{16}$/);
  expect(computeModelDigest()).toBe(computeModelDigest());
});

test('the random journals contain every type of event', async () => {
  const seen = new Set<string>();
  for (const given of fc.sample(acts({ goingBack: true }), { numRuns: 100, seed: 1 })) {
    const store = new MemoryStore();
    await played(store, given);
    for (const { event } of await store.entries('random', everything)) seen.add(event.type);
  }
  expect([...seen].sort()).toEqual(eventTypes);
});

/** All event types in sorted order. */
const eventTypes = [
  'browser.closed',
  'clock.set',
  'errorScreen.skipped',
  'interstitial.passed',
  'method.removed',
  'mfa.completed',
  'nextSignIn.set',
  'password.accepted',
  'pendingClose.settled',
  'prompt.nextSelected',
  'prompt.resumed',
  'prompt.skipped',
  'sandbox.created',
  'setup.completed',
  'setup.failed',
  'signIn.started',
  'snooze.set',
  'state.restored',
  'tenant.changed',
  'token.revoked',
  'user.removed',
  'user.saved',
] satisfies EventType[];
