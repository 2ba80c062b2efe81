import { afterEach, describe, expect, test, vi } from 'vitest';
import { randomSource } from '../../../src/core/random.ts';
import { rebuildState } from '../../../src/journal/apply-event.ts';
import { startMs } from '../../journal/signing-in.ts';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer } from './directory-server.ts';

const hourMs = 3_600_000;
const lagHours = 2;
const path = '/v1.0/reports/authenticationMethods/userRegistrationDetails';

let server: DirectoryServer;

async function start(users: readonly object[] = [{ id: 'ada', displayName: 'name 0' }]): Promise<void> {
  server = await DirectoryServer.start({
    clock: { nowMs: startMs, running: false },
    settings: { directory: { reportLagHours: lagHours } },
    users,
  });
}

afterEach(() => server.stop());

/** Returns the name of a user in the delayed report, with a token that is valid at any time. */
async function readName(): Promise<unknown> {
  const authorization = `Bearer ${await server.token()}`;
  return (await server.ask(`${path}/ada`, { headers: { authorization } })).body['userDisplayName'];
}

/** Changes the name of the user and notes it with its time. */
async function rename(history: { atMs: number; name: string }[], name: string): Promise<void> {
  await server.sandbox.directory.patchUser('ada', { displayName: name });
  history.push({ atMs: server.sandbox.clock.nowMs(), name });
}

describe('reportLagHours', () => {
  test('DIR: the report shows the last entry of that long ago, also where the clock was set back', async () => {
    const random = randomSource(11);
    await start();
    const { clock } = server.sandbox;
    const history = [{ atMs: startMs, name: 'name 0' }];
    for (let step = 1; step <= 150; step += 1) {
      const choice = random();
      // A change of the clock is an entry too; it keeps the name, at the time before it.
      if (choice >= 0.5) history.push({ atMs: clock.nowMs(), name: history.at(-1)?.name ?? '' });
      if (choice < 0.5) await rename(history, `name ${step}`);
      else if (choice < 0.9) await clock.advance({ minutes: Math.floor(random() * 90) });
      else await clock.set({ nowMs: clock.nowMs() - Math.floor(random() * 3 * hourMs) });
      const atMs = clock.nowMs() - lagHours * hourMs;
      expect(await readName()).toBe((history.findLast((entry) => entry.atMs <= atMs) ?? history[0])?.name);
    }
    expect(history.length).toBe(151);
    expect(new Set(history.map(({ name }) => name)).size).toBeGreaterThan(50);
  });

  test('DIR: after a restore, the report shows nothing that was restored over', async () => {
    await start();
    const { sandbox } = server;
    const history: { atMs: number; name: string }[] = [];
    for (const name of nonEmpty(['first', 'second', 'third'])) {
      await sandbox.clock.advance({ hours: 1 });
      await rename(history, name);
    }
    await sandbox.clock.advance({ hours: 1 });
    expect(await readName()).toBe('second');
    const entries = await sandbox.journal({ after: 0, limit: 3 });
    const early = rebuildState(entries);
    if (early === null) throw new Error('The journal is empty.');
    await sandbox.recorder.restore(early, early.lastAtMs);
    await sandbox.clock.advance({ hours: 10 });
    expect(await readName()).toBe('first');
    await rename(history, 'fourth');
    await sandbox.clock.advance({ hours: 3 });
    expect(await readName()).toBe('fourth');
  });

  test('DIR: each report reads only the entries since the last one', async () => {
    await start();
    const { sandbox } = server;
    for (let index = 0; index < 3_000; index += 1) {
      await sandbox.directory.patchUser('ada', { displayName: `name ${index}` });
      if (index % 500 === 0) await sandbox.clock.advance({ hours: 1 });
    }
    const { store } = sandbox.recorder;
    const read = vi.spyOn(store, 'entries');
    const countRead = async () => {
      const pages = await Promise.all(read.mock.results.map(({ value }) => value as Promise<readonly unknown[]>));
      read.mockClear();
      return pages.reduce((sum, { length }) => sum + length, 0);
    };
    await readName();
    expect(await countRead()).toBeGreaterThan(3_000);
    const costs: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      await sandbox.directory.patchUser('ada', { displayName: `later ${index}` });
      await sandbox.clock.advance({ minutes: 20 });
      await readName();
      costs.push(await countRead());
    }
    // A block of entries to find the last one in, the new entries, and up to 500 that the state has to apply.
    expect(Math.max(...costs)).toBeLessThan(1_200);
    await readName();
    expect(await countRead()).toBeLessThan(600);
  });

  test('DIR23: the pages of a delayed report show one state, also while others read later ones', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `user-${String(index).padStart(2, '0')}`);
    await start(ids.map((id) => ({ id })));
    const { sandbox } = server;
    await sandbox.directory.removeUser('user-59');
    await sandbox.clock.advance({ hours: 3 });
    const listed: unknown[] = [];
    const later: unknown[] = [];
    for (let next: unknown = `${path}?$top=20`, page = 0; typeof next === 'string'; page += 1) {
      const authorization = `Bearer ${await server.token()}`;
      const { status, body } = await server.ask(next, { headers: { authorization } });
      expect(status).toBe(200);
      listed.push(...(body.value ?? []).map(({ id }) => id));
      next = body['@odata.nextLink'];
      await sandbox.directory.removeUser(ids[page] ?? '');
      await sandbox.clock.advance({ hours: 3 });
      const replies = await Promise.all(
        [1, 2, 3].map(async () =>
          server.ask(`${path}?$select=id`, { headers: { authorization: `Bearer ${await server.token()}` } }),
        ),
      );
      later.push(...replies.map(({ body: other }) => other.value?.length));
    }
    expect(listed).toEqual(ids.slice(0, -1));
    expect(later).toEqual([58, 58, 58, 57, 57, 57, 56, 56, 56]);
  });
});
