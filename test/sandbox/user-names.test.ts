import { describe, expect, it } from 'vitest';
import { clockDefaultMs, inMemory, planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';

/** Number of users, which is too large for a search that checks each user individually. */
const many = 6_000;

const names = ['Ada', 'Adam', 'Bob', 'Émile', 'O’Hara', 'ab', 'ba', 'aba'];

async function crowd(): Promise<Sandbox> {
  const users = Array.from({ length: many }, (_, index) => ({
    id: `u${index}`,
    displayName: `${names[index % names.length]} ${names[(index * 7) % names.length]}`,
    userPrincipalName: `${index.toString(2)}@example.test`,
    ...(index % 5 === 0 ? { snooze: { count: 1, snoozedAtMs: clockDefaultMs } } : {}),
  }));
  const sandboxes = await Sandboxes.open(inMemory());
  return sandboxes.create('crowd', planSandbox({ users }));
}

/** Lists the ids that a search must return, by checking every user. */
function searchOneByOne({ directory }: Sandbox, text: string): readonly string[] {
  return directory
    .users({ limit: many })
    .filter((user) =>
      [user.id, user.userPrincipalName, user.displayName].some((name) => name.toLowerCase().includes(text)),
    )
    .map(({ id }) => id);
}

const found = ({ directory }: Sandbox, search: string, rest = {}): readonly string[] =>
  directory.userPage({ limit: many, search, ...rest }).users.map(({ id }) => id);

describe('the users of a large sandbox', () => {
  it('a search among many users returns the same ids in the same order as checking each user', async () => {
    const sandbox = await crowd();
    const texts = ['ada', 'a', 'ba', 'ab', 'u59', '01', '101010', 'émile', 'hara ada', 'testu', 'nobody', 'u5999'];
    for (const text of texts) expect([text, found(sandbox, text)]).toEqual([text, searchOneByOne(sandbox, text)]);
    expect(found(sandbox, 'ADAM')).toEqual(searchOneByOne(sandbox, 'adam'));
  });

  it('a search reflects users who were renamed, added or removed since the previous search', async () => {
    const sandbox = await crowd();
    await sandbox.directory.prepareSearch();
    const { directory } = sandbox;
    await directory.patchUser('u4000', { displayName: 'Zoë' });
    await directory.removeUser('u17');
    await directory.putUser('late', { displayName: 'Zoë the second' });
    expect(found(sandbox, 'zoë')).toEqual(['u4000', 'late']);
    await directory.removeUser('late');
    expect(found(sandbox, 'zoë')).toEqual(['u4000']);
    for (const text of ['u17', 'adam', 'u599']) expect(found(sandbox, text)).toEqual(searchOneByOne(sandbox, text));
  });

  it('pages by offset have no gaps, and every page contains the total', async () => {
    const sandbox = await crowd();
    for (const filter of [{}, { search: 'ada' }, { state: 'snoozed' as const }, { search: 'ada', after: 'u100' }]) {
      const all = sandbox.directory.userPage({ limit: many, ...filter });
      const pages = [0, 1_000, 2_000, 3_000, 4_000, 5_000].flatMap(
        (offset) => sandbox.directory.userPage({ limit: 1_000, offset, ...filter }).users,
      );
      expect(pages).toEqual(all.users);
      expect(sandbox.directory.userPage({ limit: 1, ...filter }).total).toBe(all.total);
    }
    expect(sandbox.directory.userPage({ limit: 1, state: 'snoozed' }).total).toBe(many / 5);
  });
});
