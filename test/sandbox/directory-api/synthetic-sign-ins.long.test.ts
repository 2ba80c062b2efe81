import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { begin } from '../../../src/journal/apply-event.ts';
import { MemoryStore } from '../../../src/journal/stores/memory.store.ts';
import { ActivityLog } from '../../../src/sandbox/directory-api/logs/activity-log.ts';
import type { LoggedSignIn, SignInEnd } from '../../../src/sandbox/directory-api/logs/sign-in-records.ts';
import { SyntheticSignIns } from '../../../src/sandbox/directory-api/logs/synthetic-sign-ins.ts';
import { planSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import { appCampaign, dayMs, startMs } from '../../journal/signing-in.ts';

const clock = { nowMs: startMs, running: false } as const;

function create(syntheticUsers: object, atMs = startMs): SyntheticSignIns {
  const plan = planSandbox({ clock: { ...clock, nowMs: atMs }, tenant: appCampaign, syntheticUsers });
  const signIns = SyntheticSignIns.create(begin({ seq: 1, atMs, event: { ...plan, clock } }));
  if (signIns === null) throw new Error('There are no synthetic sign-ins.');
  return signIns;
}

type ReadSignIn = Omit<LoggedSignIn, 'getEarlierRowId' | 'getEnd'> & SignInEnd;

function withEnd({ getEarlierRowId: _function, getEnd, ...signIn }: LoggedSignIn): ReadSignIn {
  return { ...signIn, ...getEnd() };
}

/** Returns all sign-ins, oldest first, without their functions. */
function readAll(signIns: SyntheticSignIns): readonly ReadSignIn[] {
  return Array.from({ length: signIns.count }, (_, number) => withEnd(signIns.read(number - signIns.count)));
}

async function readLog({ recorder }: Sandbox): Promise<unknown> {
  const { syntheticSignIns } = await new ActivityLog(recorder).read();
  return syntheticSignIns === null ? null : readAll(syntheticSignIns);
}

describe('synthetic sign-ins', () => {
  test('property: times do not decrease, ids lead back, and each is the same in any order of reading', () => {
    const counts = fc.integer({ min: 1, max: 200 });
    fc.assert(
      fc.property(counts, counts, fc.nat(), fc.integer({ min: 1, max: 365 }), (count, users, seed, days) => {
        const description = { count: users, seed, signIns: { count, days } };
        const signIns = create(description);
        const all = readAll(signIns);
        const times = all.map(({ attempt }) => attempt.nowMs);
        expect(times).toEqual(times.toSorted((one, other) => one - other));
        expect(times[0]).toBeGreaterThanOrEqual(startMs - days * dayMs);
        expect(times.at(-1)).toBeLessThan(startMs);
        expect(signIns.run).toEqual({
          from: -count,
          to: -1,
          fromMs: times[0],
          toMs: times.at(-1),
          leadsMs: [0, 3_000],
        });
        expect(all.map(({ id }) => signIns.findIndex(id))).toEqual(all.map((_, number) => number - count));
        const again = create(description);
        const backwards = all.map((_, number) => again.read(-1 - number)).toReversed();
        expect(backwards.map(withEnd)).toEqual(all);
        for (const { attempt, user } of all) {
          const { completed, method } = attempt.mfa;
          expect(completed ? user.methods : [null]).toContain(method);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('at 10,000,000 sign-ins of 1,000,000 users in one day, neighboring times are still in order', () => {
    const count = 10_000_000;
    const signIns = create({ count: 1_000_000, signIns: { count, days: 1 } });
    for (const from of [-count, -count / 2, -5_000]) {
      const times = Array.from({ length: 5_000 }, (_, step) => signIns.getTime(from + step));
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(new Set(times.slice(0, 100)).size).toBeGreaterThan(90);
    }
    expect(signIns.getTime(-1)).toBeLessThan(startMs);
  });

  test('users, devices and methods are varied, and the rules prompt some users but not all', () => {
    const all = readAll(create({ count: 1_000, signIns: { count: 2_000 } }));
    const users = new Set(all.map(({ user }) => user.id)).size;
    expect(users).toBeGreaterThan(800);
    expect(new Set(all.map(({ attempt }) => attempt.os))).toEqual(
      new Set(['windows', 'macos', 'ios', 'android', 'linux']),
    );
    expect(new Set(all.map(({ attempt }) => attempt.mfa.method)).size).toBe(5);
    expect(new Set(all.map(({ outcome }) => outcome))).toEqual(new Set(['none', 'skippable']));
    expect(all.every(({ outcome, isSignedIn }) => isSignedIn === (outcome === 'none'))).toBe(true);
  });

  test('a fork, a reset, a restore and a reopened store have the same sign-ins from the description alone', async () => {
    const store = new MemoryStore();
    const sandboxes = await Sandboxes.open(store);
    const signIns = { count: 50, days: 3 };
    const plan = planSandbox({ clock, tenant: appCampaign, syntheticUsers: { count: 90, signIns } });
    const sandbox = await sandboxes.create('one', plan);
    const expected = await readLog(sandbox);
    expect(expected).toHaveLength(50);
    await sandbox.directory.patchTenant({ campaign: { state: 'disabled' } }, 'control-api');
    await sandboxes.snapshot('one', 'changed');
    expect(await readLog(await sandboxes.fork('one', 'two'))).toEqual(expected);
    await sandbox.clock.advance({ days: 2 });
    expect(await readLog(await sandboxes.restore('one', 'changed'))).toEqual(expected);
    expect(await readLog(await sandboxes.reset('one'))).toEqual(expected);
    const reopened = await Sandboxes.open(store);
    expect(await readLog(reopened.get('two'))).toEqual(expected);
    expect(JSON.stringify(await sandbox.journal({ after: 0, limit: 100 })).length).toBeLessThan(10_000);
  });

  test('a sandbox without their description has none', async () => {
    const sandboxes = await Sandboxes.open(new MemoryStore());
    const sandbox = await sandboxes.create('one', planSandbox({ syntheticUsers: { count: 5 } }));
    expect(await readLog(sandbox)).toBeNull();
  });
});
