import { describe, expect, it } from 'vitest';
import { oidcRecordsMax } from '../../../src/core/limits.ts';
import { inMemory, planSandbox, Sandbox } from '../../../src/sandbox/sandbox.ts';
import { RecordShelf } from '../../../src/server/oidc/record-shelf.ts';

async function shelf() {
  const sandbox = await Sandbox.create('a', planSandbox({}), inMemory());
  return { sandbox, records: await RecordShelf.open(sandbox) };
}

describe('what a provider remembers', () => {
  it('is bounded for each kind: the oldest record makes room, in memory and in the store', async () => {
    const { sandbox, records } = await shelf();
    await records.put('Grant', 'kept', {});
    for (let number = 0; number <= oidcRecordsMax; number += 1) {
      await records.put('Session', `s${number}`, { uid: `u${number}` });
    }
    expect(records.count('Session')).toBe(oidcRecordsMax);
    expect([records.find('Session', 's0'), records.sessionOf('u0')]).toEqual([undefined, undefined]);
    expect(records.sessionOf('u1')).toEqual({ uid: 'u1' });
    expect(records.find('Grant', 'kept')).toEqual({});
    const kept = await sandbox.recorder.store.keptUnder('a', 'oidc/Session/');
    expect([kept.size, kept.has('oidc/Session/s0')]).toEqual([oidcRecordsMax, false]);
  });

  it('is the same when it is opened again, the oldest record first', async () => {
    const { sandbox, records } = await shelf();
    await records.put('Session', 'z', { uid: 'first' });
    await records.put('Session', 'a', { uid: 'second' });
    await records.put('Session', 'z', { uid: 'third' });
    await records.remove('Session', 'none');
    const again = await RecordShelf.open(sandbox);
    expect(again.sessionOf('third')).toEqual({ uid: 'third' });
    expect(again.sessionOf('second')).toEqual({ uid: 'second' });
    expect(again.count('Session')).toBe(2);
  });

  it('of a grant goes with the grant, and nothing else', async () => {
    const { records } = await shelf();
    await records.put('RefreshToken', 'one', { grantId: 'g' });
    await records.put('RefreshToken', 'two', { grantId: 'h' });
    await records.removeOfGrant('RefreshToken', 'g');
    expect([records.find('RefreshToken', 'one'), records.find('RefreshToken', 'two')]).toEqual([
      undefined,
      { grantId: 'h' },
    ]);
  });
});
