import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { createNameTest } from '../../src/journal/synthetic-name-search.ts';
import { givenNames, surnames } from '../../src/journal/synthetic-names.ts';
import { planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { nonEmpty } from '../non-empty.ts';

async function create(count: number, domain = 'contoso1.test'): Promise<Sandbox> {
  const sandboxes = await Sandboxes.open(new MemoryStore());
  return sandboxes.create('large', planSandbox({ syntheticUsers: { count, seed: 5, domain } }));
}

/** Ids that a search has to return, by comparing every user. */
function compareAll(sandbox: Sandbox, text: string): readonly string[] {
  return sandbox.directory
    .users({ limit: Number.MAX_SAFE_INTEGER })
    .filter(
      ({ id, userPrincipalName, displayName }) =>
        userPrincipalName.toLowerCase().includes(text) ||
        displayName.toLowerCase().includes(text) ||
        // The rest of a generated id is random, so it is no part that anyone searches for.
        (id.startsWith(text) && id.length === 36),
    )
    .map(({ id }) => id);
}

const search = ({ directory }: Sandbox, text: string) =>
  directory.userPage({ limit: Number.MAX_SAFE_INTEGER, search: text });

describe('search of synthetic users', () => {
  it('property: any part of a name or a beginning of an id finds what comparing each user finds', async () => {
    const sandbox = await create(700);
    const users = sandbox.directory.users({ limit: 700 });
    const texts = fc
      .record({ user: fc.constantFrom(...users), from: fc.nat(40), length: fc.integer({ min: 1, max: 45 }) })
      .chain(({ user, from, length }) =>
        fc.constantFrom(
          user.displayName.slice(from % user.displayName.length).slice(0, length),
          user.userPrincipalName.slice(from).slice(0, length),
          user.id.slice(0, length),
          user.id.slice(from),
          `${user.displayName.slice(-length)}${user.userPrincipalName.slice(0, from)}`,
        ),
      )
      .map((text) => text.trim().toLowerCase())
      .filter((text) => text !== '');
    fc.assert(
      fc.property(texts, (text) => {
        const { users: found, total } = search(sandbox, text);
        const expected = compareAll(sandbox, text);
        expect([text, found.map(({ id }) => id)]).toEqual([text, expected]);
        expect(total).toBe(expected.length);
      }),
      { numRuns: 300 },
    );
  });

  it('changed, removed and added users are searched by their own names', async () => {
    const sandbox = await create(6_000);
    const { directory } = sandbox;
    const [first, second, third] = search(sandbox, 'smith').users;
    if (first === undefined || second === undefined || third === undefined) throw new Error('There are three Smiths.');
    const before = search(sandbox, 'smith').total;
    await directory.patchUser(first.id, { displayName: 'Zoë', userPrincipalName: 'zoe@example.test' });
    await directory.removeUser(second.id);
    await directory.putUser('late', { displayName: 'Late Smithers' });
    const { users, total } = search(sandbox, 'smith');
    expect(total).toBe(before - 1);
    expect([users[0]?.id, users.at(-1)?.id]).toEqual([third.id, 'late']);
    expect(search(sandbox, 'zoë').users.map(({ id }) => id)).toEqual([first.id]);
    const pages = [0, 2, 4].flatMap((offset) => directory.userPage({ limit: 2, offset, search: 'smith' }).users);
    expect(pages).toEqual(users.slice(0, 6));
    const after = directory.userPage({ limit: 2, after: third.id, search: 'smith' });
    expect([after.users, after.total]).toEqual([users.slice(1, 3), total]);
  });

  it('the states of users limit a search, and a reason limits the users that are evaluated', async () => {
    const sandbox = await create(25_000);
    const { directory } = sandbox;
    const [user] = directory.users({ limit: 1 });
    await directory.setSnooze(user?.id ?? '', { count: 1, snoozedAtMs: sandbox.clock.nowMs() });
    const byState = directory.userPage({ limit: 5, state: 'snoozed' });
    expect([byState.users.map(({ id }) => id), byState.total]).toEqual([[user?.id], 1]);
    expect(directory.userPage({ limit: 5, state: 'snoozed', search: 'zhang' }).total).toBe(0);
    expect(directory.userPage({ limit: 5, reason: 'none' }).evaluated).toBe(10_000);
  });

  it('no name without digits is longer than the texts whose divisions are compared', () => {
    const longest = (names: readonly string[]) => Math.max(...nonEmpty(names).map(({ length }) => length));
    expect(longest(givenNames) + ' X. '.length + longest(surnames) + 1).toBeLessThanOrEqual(31);
  });

  it('reads no id and no name of users whom the parts of the names rule out', () => {
    const refuse = () => {
      throw new Error('A name was computed.');
    };
    const users = { domain: 'example.test', nameNumberAt: (index: number) => index * 7, idAt: refuse, nameAt: refuse };
    const test = createNameTest(users, 'zhang');
    const found = Array.from({ length: 50_000 }, (_, index) => test(index)).filter(Boolean);
    expect(found.length).toBeGreaterThan(100);
  });
});
