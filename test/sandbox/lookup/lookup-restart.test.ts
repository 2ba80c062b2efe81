import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deserializeState, serializeState } from '../../../src/journal/snapshot.ts';
import { SqliteStore } from '../../../src/journal/stores/sqlite.store.ts';
import { planSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import { temporaryFolder } from '../../journal/temporary-folder.ts';

const good = 'type=email&query=ada@example.test&tool=all';

async function remaining(sandbox: Sandbox, token: string): Promise<string> {
  const { headers } = await sandbox.lookup.ask({ method: 'GET', query: good, authorization: `Bearer ${token}` });
  return String(headers['X-RateLimit-Remaining']);
}

/**
 * Creates all persistent data: quota use by tokens and passwords, issued and revoked tokens, a disabled tool, an
 * account.
 */
async function busy(sandbox: Sandbox): Promise<string> {
  const { administration } = sandbox.lookup;
  const { token } = await administration.issueToken('free', 'kept');
  const revoked = await administration.issueToken('free', 'gone');
  await administration.revokeToken(revoked.id);
  await administration.enableTool('username', 'dwindex', false);
  await administration.change({ known: [{ type: 'email', tool: 'wexlar', query: 'ada@example.test', found: false }] });
  await administration.putAccount('new', { password: 'new word', tier: 'unlimited' });
  for (let index = 0; index < 7; index += 1) await remaining(sandbox, token);
  await sandbox.clock.advance({ days: 40 });
  await remaining(sandbox, token);
  await remaining(sandbox, 'test-token');
  return token;
}

describe('persistence of the lookup service', () => {
  test('L8: a snapshot restores the lookup service unchanged', async () => {
    const sandboxes = await Sandboxes.open(SqliteStore.open(join(temporaryFolder(), 'one.db')));
    const sandbox = await sandboxes.create('one', planSandbox({}));
    await busy(sandbox);
    const { lookup } = sandbox.recorder.state();
    expect(deserializeState(serializeState(sandbox.recorder.state())).lookup).toEqual(lookup);
    await sandboxes.close();
  });

  test.for([
    ['from its stored fold', 20_000],
    ['from its journal', 1],
  ] as const)('L8: the data survives a restart %s', async ([, snapshotIntervalEntries]) => {
    const path = join(temporaryFolder(), 'one.db');
    const first = await Sandboxes.open(SqliteStore.open(path), { snapshotIntervalEntries });
    const token = await busy(await first.create('one', planSandbox({})));
    await first.close();
    const second = await Sandboxes.open(SqliteStore.open(path));
    const sandbox = second.get('one');
    expect(await remaining(sandbox, token)).toBe('28');
    expect(await remaining(sandbox, 'test-token')).toBe('28');
    expect(sandbox.lookup.service().tools.username.find(({ id }) => id === 'dwindex')?.enabled).toBe(false);
    expect(sandbox.lookup.administration.tokens('free').map(({ name }) => name)).toEqual(['kept']);
    expect(await sandbox.lookup.credentials.findAccount('new@example.test', 'new word')).toMatchObject({ id: 'new' });
    await second.close();
  });

  test('L8: a fork continues with the quota of its origin and does not change it', async () => {
    const sandboxes = await Sandboxes.open(SqliteStore.open(join(temporaryFolder(), 'one.db')));
    const origin = await sandboxes.create('one', planSandbox({}));
    await remaining(origin, 'test-token');
    const fork = await sandboxes.fork('one', 'two');
    expect(await remaining(fork, 'test-token')).toBe('28');
    expect(await remaining(fork, 'test-token')).toBe('27');
    expect(await remaining(origin, 'test-token')).toBe('28');
    await sandboxes.close();
  });
});
