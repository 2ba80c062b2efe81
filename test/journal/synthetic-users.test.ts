import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { syntheticUsersSchema } from '../../src/contract/synthetic-users.schema.ts';
import { begin, rebuildState } from '../../src/journal/apply-event.ts';
import { forkState } from '../../src/journal/fork-state.ts';
import type { JournalEvent } from '../../src/journal/journal-event.ts';
import { shippedModel } from '../../src/journal/sandbox-model.ts';
import { deserializeState, serializeState } from '../../src/journal/snapshot.ts';
import { createUserTable, type SandboxState } from '../../src/journal/state.ts';
import type { SyntheticUsers } from '../../src/journal/synthetic-users.ts';
import type { UserTable } from '../../src/journal/user-table.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { nonEmpty } from '../non-empty.ts';
import { createSandbox, nudgeStatus, reason, signIn } from './signing-in.ts';

function create(description: object): SyntheticUsers {
  const { synthetic } = createUserTable(shippedModel, syntheticUsersSchema.parse(description));
  if (synthetic === null) throw new Error('There are no synthetic users.');
  return synthetic;
}

function start(description: object, users: readonly unknown[] = []): SandboxState {
  const plan = planSandbox({ syntheticUsers: description, users });
  return begin({ seq: 1, atMs: 0, event: { ...plan, clock: { nowMs: 0, running: false } } });
}

function apply(state: SandboxState, events: readonly JournalEvent[]): SandboxState {
  const entries = events.map((event, index) => ({ seq: state.lastSeq + 1 + index, atMs: 0, event }));
  return rebuildState(entries, state) ?? state;
}

function rename(id: string, displayName: string): JournalEvent {
  const [user] = planSandbox({ users: [{ id, displayName }] }).users;
  if (user === undefined) throw new Error('There is no user.');
  return { type: 'user.saved', user };
}

/** Checks a table against the display names of all users by id. */
function expectUsers(users: UserTable, expected: ReadonlyMap<string, string>): void {
  expect(new Map(Array.from(users, ([id, { profile }]) => [id, profile.displayName]))).toEqual(expected);
  expect(users.size).toBe(expected.size);
  const all = [...users.values()];
  expect([...users.values(3)]).toEqual(all.slice(3));
  for (const user of all) {
    expect(users.get(user.facts.id)).toEqual(user);
    expect(users.findId(user.profile.userPrincipalName.toLowerCase())).toBe(user.facts.id);
  }
  expect([...users.alike()].reduce((sum, { count }) => sum + count, 0)).toBe(expected.size);
}

const types = [
  { share: 1, user: { methods: ['sms'], groups: ['sales'] } },
  { share: 3, user: { type: 'guest', methods: [] } },
] as const;

describe('synthetic users', () => {
  test('property: ids and both names are unique, found again, and in the order of the numbers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 400 }), fc.nat(), (count, seed) => {
        const users = create({ count, seed });
        const numbers = Array.from({ length: count }, (_, index) => index);
        const names = numbers.map((index) => users.nameAt(index));
        const ids = numbers.map((index) => users.idAt(index));
        const shown = numbers.map((index) => [users.displayNameAt(index).toLowerCase(), users.idAt(index)].join('\0'));
        for (const list of [names, ids, shown]) expect(list).toEqual([...new Set(list)].sort());
        for (const index of nonEmpty(numbers)) {
          expect(users.findIndex(ids[index] ?? '')).toBe(index);
          expect(users.findNamed(names[index] ?? '')).toBe(index);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('the names of 1,000,000 users are in order, also where they repeat', () => {
    const users = create({ count: 1_000_000, seed: 3 });
    const starts = nonEmpty([0, 499_000, 998_999]);
    for (const from of starts) {
      const numbers = Array.from({ length: 1_000 }, (_, index) => from + index);
      const names = numbers.map((index) => users.nameAt(index));
      expect(names).toEqual([...names].sort());
    }
  });

  test('each type has its exact share, and a user depends only on the description', () => {
    const users = create({ count: 1_000, seed: 7, types });
    const counts = [0, 0];
    for (let index = 0; index < 1_000; index += 1) counts[users.typeAt(index)] = (counts[users.typeAt(index)] ?? 0) + 1;
    expect(counts).toEqual([250, 750]);
    expect(users.types.map(({ count }) => count)).toEqual([250, 750]);
    expect(users.recordAt(17)).toEqual(create({ count: 1_000, seed: 7, types }).recordAt(17));
    expect(users.recordAt(17)).not.toEqual(create({ count: 1_000, seed: 8, types }).recordAt(17));
  });

  test('ids and names that no user has are not found', () => {
    const users = create({ count: 10 });
    const id = users.idAt(9);
    for (const wrong of ['', 'x', id.toUpperCase(), `${id.slice(0, -1)}g`, create({ count: 10, seed: 2 }).idAt(9)]) {
      expect(users.findIndex(wrong)).toBe(-1);
    }
    for (const wrong of ['', 'a@b', users.nameAt(3).replace('0000004', '0000005'), 'a.b.c.9999999@example.test']) {
      expect(users.findNamed(wrong)).toBe(-1);
    }
  });
});

describe('table of users', () => {
  test('property: a table with changed, removed and added users equals a map with the same changes', () => {
    const change = fc.record({ kind: fc.constantFrom('rename', 'remove', 'add'), index: fc.nat({ max: 19 }) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 15 }), (changes) => {
        let state = start({ count: 20, types }, [{ id: 'ada' }]);
        const expected = new Map(Array.from(state.users, ([id, { profile }]) => [id, profile.displayName]));
        const ids = [...expected.keys()];
        const events = changes.map(({ kind, index }, number) => {
          const id = kind === 'add' ? `new-${index}` : (ids[index] ?? '');
          const isRemoval = kind === 'remove' && expected.has(id);
          if (isRemoval) expected.delete(id);
          else expected.set(id, `name ${number}`);
          return isRemoval ? ({ type: 'user.removed', userId: id } as const) : rename(id, `name ${number}`);
        });
        state = apply(state, events);
        const copies = [state, deserializeState(serializeState(state)), forkState(state, shippedModel)];
        for (const { users } of nonEmpty(copies)) expectUsers(users, expected);
      }),
      { numRuns: 40 },
    );
  });

  test('sign-in: a synthetic user signs in, skips and snoozes as a user who was written out', async () => {
    const synthetic = await createSandbox({ users: [], syntheticUsers: { count: 50, types } });
    const users = synthetic.directory.users({ limit: 50 });
    const written = await createSandbox({ users });
    const histories = nonEmpty([synthetic, written]).map(async (sandbox) => {
      const history: unknown[] = [];
      for (const { id } of users.slice(0, 10)) {
        for (let day = 0; day < 5; day += 1) {
          const { screen } = await signIn(sandbox, id);
          history.push([screen, nudgeStatus(sandbox, id), reason(sandbox, id)]);
          await sandbox.clock.advance({ hours: 13 });
        }
      }
      return [history, sandbox.directory.population(), sandbox.directory.users({ limit: 50 })];
    });
    const [one, other] = await Promise.all(histories);
    expect(one).toEqual(other);
    expect(JSON.stringify(one)).toContain('"snoozed"');
    expect([...synthetic.recorder.state().users.stored()]).toHaveLength(10);
  });

  test('a synthetic user who changes keeps the change, and the former name is free', () => {
    let state = start({ count: 100, types });
    const id = state.users.synthetic?.idAt(42) ?? '';
    const before = state.users.get(id)?.profile.userPrincipalName ?? '';
    state = apply(state, [{ type: 'snooze.set', userId: id, count: 2, snoozedAtMs: 0 }]);
    expect(state.users.get(id)?.facts.snooze.count).toBe(2);
    expect(state.users.size).toBe(100);
    const [user] = planSandbox({ users: [{ id, userPrincipalName: 'other@example.test' }] }).users;
    if (user === undefined) throw new Error('There is no user.');
    state = apply(state, [{ type: 'user.saved', user }]);
    expect([state.users.findId(before), state.users.findId('other@example.test')]).toEqual([undefined, id]);
  });

  test.for([
    [{ count: 0 }, 'syntheticUsers.count'],
    [{ count: 1_000_001 }, 'syntheticUsers.count'],
    [{ count: 1.5 }, 'syntheticUsers.count'],
    [{}, 'syntheticUsers.count'],
    [{ count: 1, seed: -1 }, 'syntheticUsers.seed'],
    [{ count: 1, domain: 'a@b' }, 'syntheticUsers.domain'],
    [{ count: 1, types: [] }, 'syntheticUsers.types'],
    [{ count: 1, types: [{ share: 0 }] }, 'syntheticUsers.types.0.share'],
    [{ count: 1, types: [{ share: 1, user: { id: 'x' } }] }, 'syntheticUsers.types.0.user'],
    [{ count: 1, types: [{ share: 1, user: { methods: ['fax'] } }] }, 'syntheticUsers.types.0.user.methods.0'],
    [{ count: 1, other: 1 }, 'syntheticUsers'],
  ] as const)('bad-request: %j names %s', ([description, location]) => {
    const plan = () => planSandbox({ syntheticUsers: description });
    expect(plan).toThrow(expect.objectContaining({ code: 'bad-request' }));
    expect(plan).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ location })] }));
  });

  test('bad-request: a journey of all users does not write out a large tenant, but one of a single user does', async () => {
    const sandbox = await createSandbox({ syntheticUsers: { count: 10_001 } });
    await expect(sandbox.journey({})).rejects.toMatchObject({ code: 'bad-request' });
    const user = sandbox.recorder.state().users.synthetic?.idAt(9) ?? '';
    let userLines = 0;
    for await (const line of await sandbox.journey({ user })) if (line.includes('"kind":"user"')) userLines += 1;
    expect(userLines).toBe(1);
  });

  test('bad-request: a user cannot have the name or the id of a synthetic user, nor exceed the maximum', () => {
    const users = create({ count: 5 });
    for (const [user, location] of nonEmpty([
      [{ id: 'ada', userPrincipalName: users.nameAt(2).toUpperCase() }, 'users.0.userPrincipalName'],
      [{ id: users.idAt(2) }, 'users.0.id'],
    ] as const)) {
      expect(() => planSandbox({ users: [user], syntheticUsers: { count: 5 } })).toThrow(
        expect.objectContaining({ problems: [expect.objectContaining({ location })] }),
      );
    }
    expect(() => planSandbox({ users: [{ id: 'ada' }], syntheticUsers: { count: 1_000_000 } })).toThrow(
      expect.objectContaining({ code: 'bad-request' }),
    );
  });
});
