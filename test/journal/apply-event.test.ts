import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import { rebuildState } from '../../src/journal/apply-event.ts';
import { settleEndedPrompts } from '../../src/journal/prompts.ts';
import { deserializeState, serializeState } from '../../src/journal/snapshot.ts';
import type { SandboxState } from '../../src/journal/state.ts';
import type { JournalEntry, Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Action, play, sessions } from './random-sessions.ts';
import { createSandbox, minuteMs, signIn } from './signing-in.ts';

const seed = 20_260_105;

/** Reads everything that a reader can request from a sandbox. */
function inquisitive(sandbox: Sandbox): void {
  for (const { id } of sandbox.directory.users({ limit: 10 })) sandbox.directory.nudgeStatus(id);
  sandbox.signIns.list({ limit: 10 });
}

function silent(): void {
  // This reader requests nothing, so prompts expire only when the next event sets the time.
}

async function readJournal(sandbox: Sandbox): Promise<readonly JournalEntry[]> {
  return sandbox.journal({ after: 0, limit: 10_000 });
}

/** Serializes a rebuilt state after closing the prompts that have expired by a given time. */
function textAt(state: SandboxState | null, nowMs: number): string {
  if (state === null) throw new TypeError('Nothing was folded.');
  settleEndedPrompts(state, nowMs);
  return serializeState(state);
}

/** Asserts that a property holds for random sessions. A failure prints random seed, path and the shortest session. */
async function expectOfSessions(
  claim: (session: readonly Action[]) => Promise<boolean>,
  numRuns: number,
): Promise<void> {
  const details = await fc.check(fc.asyncProperty(sessions, claim), { seed, numRuns });
  expect(details.failed ? fc.defaultReportMessage(details) : null).toBeNull();
}

describe('replay of a journal', () => {
  test('R7: replaying the journal rebuilds the state of the sandbox, regardless of reads in between', async () => {
    await expectOfSessions(async (session) => {
      const sandbox = await play(session, inquisitive);
      const again = rebuildState(await readJournal(sandbox));
      return textAt(again, sandbox.clock.nowMs()) === serializeState(sandbox.recorder.state());
    }, 150);
  });

  test('A40: a session with reads and one without write the same journal and end in the same state', async () => {
    await expectOfSessions(async (session) => {
      const [watched, unwatched] = [await play(session, inquisitive), await play(session, silent)];
      const journals = [JSON.stringify(await readJournal(watched)), JSON.stringify(await readJournal(unwatched))];
      const states = [serializeState(watched.recorder.state()), serializeState(unwatched.recorder.state())];
      return journals[0] === journals[1] && states[0] === states[1];
    }, 150);
  });

  test('R7: a state that was stored and restored halfway continues like the original state', async () => {
    await expectOfSessions(async (session) => {
      const sandbox = await play(session, silent);
      const journal = await readJournal(sandbox);
      const half = Math.ceil(journal.length / 2);
      const stored = rebuildState(journal.slice(0, half));
      if (stored === null) return false;
      const wentOn = rebuildState(journal.slice(half), deserializeState(serializeState(stored)));
      return textAt(wentOn, sandbox.clock.nowMs()) === serializeState(sandbox.recorder.state());
    }, 150);
  });

  test('R7: facts and lifecycle of a user always agree on the snooze record', async () => {
    await expectOfSessions(async (session) => {
      const sandbox = await play(session, silent);
      return [...sandbox.recorder.state().users.values()].every(
        ({ facts, nudge }) =>
          facts.snooze.count === nudge.context.count && facts.snooze.snoozedAtMs === nudge.context.snoozedAtMs,
      );
    }, 100);
  });

  test('A40: exactly the open prompts have a recorded expiry, sorted by time', async () => {
    await expectOfSessions(async (session) => {
      const { users, promptEnds } = (await play(session, silent)).recorder.state();
      const open = [...users.values()].flatMap(({ nudge }) => nudge.context.openPrompts.map(({ id }) => id));
      const ends = [...promptEnds.values()].map(({ endsAtMs }) => endsAtMs);
      return (
        JSON.stringify([...promptEnds.keys()].sort()) === JSON.stringify(open.sort()) &&
        ends.every((end, index) => index === 0 || (ends[index - 1] ?? 0) <= end)
      );
    }, 100);
  });

  test('A26: random sessions reach all states and include registrations and failures, so the properties are meaningful', async () => {
    const types = new Set<string>();
    const states = new Set<string>();
    for (const session of fc.sample(sessions, { seed, numRuns: 500 })) {
      const sandbox = await play(session, ({ directory }) => {
        for (const { id } of directory.users({ limit: 10 })) states.add(directory.nudgeStatus(id).state);
      });
      for (const { event } of await readJournal(sandbox)) types.add(event.type);
    }
    expect([...states].sort()).toEqual(['notPrompted', 'prompted', 'registered', 'registrationRequired', 'snoozed']);
    expect([...types]).toEqual(
      expect.arrayContaining([
        'setup.completed',
        'setup.failed',
        'errorScreen.skipped',
        'prompt.resumed',
        'user.saved',
      ]),
    );
  });

  test('A40: after a restored state, a prompt that was shown earlier than the stored ones still expires first', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada' }, { id: 'ben' }] });
    await signIn(sandbox, 'ada');
    await sandbox.clock.set({ nowMs: sandbox.clock.nowMs() - 60 * minuteMs });
    const before = (await readJournal(sandbox)).length;
    await signIn(sandbox, 'ben');
    await sandbox.clock.advance({ minutes: 15 });
    const journal = await readJournal(sandbox);
    const stored = rebuildState(journal.slice(0, before));
    const state =
      stored === null ? null : rebuildState(journal.slice(before), deserializeState(serializeState(stored)));
    expect(textAt(state, sandbox.clock.nowMs())).toBe(serializeState(sandbox.recorder.state()));
    expect(state?.users.get('ben')?.nudge.value).toBe('snoozed');
  });
});

describe('damaged journal', () => {
  async function foldedCode(change: (journal: JournalEntry[]) => void): Promise<string | null> {
    const sandbox = await createSandbox();
    await sandbox.signIns.skip((await signIn(sandbox)).id);
    const journal = [...(await readJournal(sandbox))];
    change(journal);
    try {
      rebuildState(journal);
      return null;
    } catch (error) {
      return error instanceof NudgeLabError ? error.code : 'another error';
    }
  }

  const changes: readonly (readonly [string, (journal: JournalEntry[]) => void])[] = [
    ['a missing beginning', (journal) => journal.shift()],
    ['a missing entry', (journal) => journal.splice(2, 1)],
    ['an entry twice', (journal) => journal.splice(2, 0, ...journal.slice(2, 3))],
    ['two entries in the wrong order', (journal) => journal.splice(1, 2, ...journal.slice(1, 3).reverse())],
    [
      'a second creation',
      (journal) => journal.push({ ...journal.slice(0, 1)[0], seq: journal.length + 1 } as JournalEntry),
    ],
    [
      'a user it never put',
      (journal) =>
        journal.push({ seq: journal.length + 1, atMs: 0, event: { type: 'pendingClose.settled', userId: 'nobody' } }),
    ],
    [
      'a sign-in it never began',
      (journal) =>
        journal.push({ seq: journal.length + 1, atMs: 0, event: { type: 'mfa.completed', signInId: 's99' } }),
    ],
  ];

  test.for(changes)('store-corrupt: a journal with %s is rejected', async ([, change]) => {
    expect(await foldedCode(change)).toBe('store-corrupt');
  });

  test('store-corrupt: a complete journal is accepted', async () => {
    expect(await foldedCode(() => undefined)).toBeNull();
  });

  test('R7: an empty journal has no state', () => {
    expect(rebuildState([])).toBeNull();
  });
});
