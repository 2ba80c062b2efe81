import { describe, expect, test } from 'vitest';
import { userAttemptsMax } from '../../src/core/limits.ts';
import { PostgresStore } from '../../src/journal/stores/postgres.store.ts';
import { setPostgres } from '../journal/set-postgres.ts';
import { nonEmpty } from '../non-empty.ts';
import { email, guess, refused, serverOn, ways } from './guessing.ts';

describe('069: several servers on one database', () => {
  const postgres = setPostgres();

  test.for(nonEmpty(ways))('count failed attempts at the %s together', async ([way, secret]) => {
    const address = await postgres.database();
    const [one, other] = [
      await serverOn(await PostgresStore.open(address)),
      await serverOn(await PostgresStore.open(address)),
    ];
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      statuses.push(await (count % 2 === 0 ? one : other)[way](email, `wrong-${count}`));
    }
    expect(statuses).toEqual([...refused(userAttemptsMax), 429, 429]);
    for (const served of [one, other]) expect(await served[way](email, secret)).toBe(429);
    await other.sandboxes.within('default', ({ clock }) => clock.advance({ minutes: 10 }));
    expect(await one[way](email, secret)).toBe(200);
    expect(await guess(other, way, 11)).toEqual([...refused(10), 429]);
    await one.sandboxes.within('default', () => one.sandboxes.reset('default'));
    expect(await other[way](email, secret)).toBe(200);
  });
});
