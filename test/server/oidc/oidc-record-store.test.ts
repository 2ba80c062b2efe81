import { describe, expect, it } from 'vitest';
import { clientsMax, oidcRecordsMax } from '../../../src/core/limits.ts';
import { begin } from '../../../src/journal/apply-event.ts';
import { SqliteStore } from '../../../src/journal/stores/sqlite.store.ts';
import { inMemory, planSandbox, Sandbox } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import { OidcRecordStore } from '../../../src/server/oidc/oidc-record-store.ts';
import { temporaryFolder } from '../../journal/temporary-folder.ts';

async function openRecords() {
  const sandbox = await Sandbox.create('a', planSandbox({}), inMemory());
  return { sandbox, records: await OidcRecordStore.open(sandbox) };
}

describe('OIDC record store', () => {
  it('is limited per record type: the oldest record is replaced, in memory and in the store', async () => {
    const { sandbox, records } = await openRecords();
    await records.put('Grant', 'kept', {});
    for (let number = 0; number <= oidcRecordsMax; number += 1) {
      await records.put('Session', `s${number}`, { uid: `u${number}` });
    }
    expect(records.count('Session')).toBe(oidcRecordsMax);
    expect([records.find('Session', 's0'), records.findSession('u0')]).toEqual([undefined, undefined]);
    expect(records.findSession('u1')).toEqual({ uid: 'u1' });
    expect(records.find('Grant', 'kept')).toEqual({});
    const kept = await sandbox.recorder.store.keptUnder('a', 'oidc/Session/');
    expect([kept.size, kept.has('oidc/Session/s0')]).toEqual([oidcRecordsMax, false]);
  });

  it('has the same records after reopening, oldest first', async () => {
    const { sandbox, records } = await openRecords();
    await records.put('Session', 'z', { uid: 'first' });
    await records.put('Session', 'a', { uid: 'second' });
    await records.put('Session', 'z', { uid: 'third' });
    await records.remove('Session', 'none');
    const again = await OidcRecordStore.open(sandbox);
    expect(again.findSession('third')).toEqual({ uid: 'third' });
    expect(again.findSession('second')).toEqual({ uid: 'second' });
    expect(again.count('Session')).toBe(2);
  });

  it('revoking a grant removes its records and no others', async () => {
    const { records } = await openRecords();
    await records.put('RefreshToken', 'one', { grantId: 'g' });
    await records.put('RefreshToken', 'two', { grantId: 'h' });
    await records.removeOfGrant('RefreshToken', 'g');
    expect([records.find('RefreshToken', 'one'), records.find('RefreshToken', 'two')]).toEqual([
      undefined,
      { grantId: 'h' },
    ]);
  });

  it('067: the number of registered clients is limited; the oldest one is replaced, with its registration token', async () => {
    const { sandbox, records } = await openRecords();
    for (let number = 0; number <= clientsMax; number += 1) {
      await records.put('Client', `c${number}`, {});
      await records.put('RegistrationAccessToken', `t${number}`, { clientId: `c${number}` });
    }
    for (const kind of ['Client', 'RegistrationAccessToken']) expect(records.count(kind)).toBe(clientsMax);
    expect([records.find('Client', 'c0'), records.find('RegistrationAccessToken', 't0')]).toEqual([
      undefined,
      undefined,
    ]);
    expect([records.find('Client', 'c1'), records.find('Client', `c${clientsMax}`)]).toEqual([{}, {}]);
    expect((await sandbox.recorder.store.keptUnder('a', 'oidc/Client/')).size).toBe(clientsMax);
  });

  it('067: a reset clears registered clients immediately and after a restart; a restore keeps them', async () => {
    const path = `${temporaryFolder()}/kept.db`;
    const sandboxes = await Sandboxes.open(SqliteStore.open(path));
    const sandbox = await sandboxes.create('a', planSandbox({ users: [{ id: 'ada' }] }));
    const records = await OidcRecordStore.open(sandbox);
    await records.put('Client', 'before', {});
    await sandbox.clock.advance({ days: 1 });
    await sandboxes.snapshot('a', 'named');
    await records.put('Session', 'session', { uid: 'one' });
    await sandboxes.restore('a', 'named');
    expect([records.find('Client', 'before'), records.find('Session', 'session')]).toEqual([{}, undefined]);
    await sandboxes.reset('a');
    expect([records.find('Client', 'before'), records.count('Client')]).toEqual([undefined, 0]);
    await records.put('Client', 'after', {});
    await sandboxes.restore('a', 'named');
    expect(records.find('Client', 'after')).toEqual({});
    await sandboxes.close();
    const again = await Sandboxes.open(SqliteStore.open(path));
    const read = await OidcRecordStore.open(again.get('a'));
    expect([read.find('Client', 'before'), read.find('Client', 'after')]).toEqual([undefined, {}]);
    await again.close();
  });

  it('067: a client stored before a reset does not exist, even if the process ended before it was discarded', async () => {
    const { sandbox, records } = await openRecords();
    const { store } = sandbox.recorder;
    await records.put('Client', 'before', {});
    const kept = [...(await store.keptUnder('a', 'oidc/Client/'))];
    const { state } = await begun(sandbox);
    await sandbox.recorder.restore(state, sandbox.clock.nowMs());
    records.count('Client');
    for (const [name, value] of kept) await store.keep('a', name, value);
    expect((await OidcRecordStore.open(sandbox)).find('Client', 'before')).toBeUndefined();
  });
});

/** Returns the initial state of a sandbox. */
async function begun(sandbox: Sandbox) {
  const [first] = await sandbox.journal({ after: 0, limit: 1 });
  if (first === undefined) throw new Error('The sandbox has no entries.');
  return { state: begin(first) };
}
