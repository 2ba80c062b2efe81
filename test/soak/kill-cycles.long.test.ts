import { join } from 'node:path';
import { Agent } from 'undici';
import { afterAll, describe, expect, test } from 'vitest';
import { promptedEachTime } from '../journal/crowd.ts';
import { temporaryFolder } from '../journal/temporary-folder.ts';
import { setTestServer } from '../test-server.ts';
import { killCycles } from './kill-cycles.ts';
import { PageClient } from './page-client.ts';
import { SandboxAudit, sendJson } from './sandbox-audit.ts';

const seed = Number(process.env['NUDGELAB_TEST_SEED'] ?? 20_260_105);

test('A26: a server that is killed under load loses no acknowledged change and duplicates nothing', {
  timeout: 120_000,
}, async () => {
  const killed = await killCycles({ db: join(temporaryFolder(), 'store.sqlite'), cycles: 2, seed });
  expect(killed.acknowledged).toBeGreaterThan(40);
});

describe('audit of a sandbox', () => {
  const server = setTestServer();
  let made = 0;
  const dispatcher = new Agent({ connections: 2 });

  afterAll(() => dispatcher.close());

  /**
   * Creates a sandbox in which Ada signed in and skipped, and an audit of all its requests except the omitted ones.
   */
  async function skipped(unasked: readonly string[] = []): Promise<{ audit: SandboxAudit; id: string }> {
    made += 1;
    const audit = new SandboxAudit(`audit-${made}`, ['ada']);
    await sendJson('POST', `${server.controlUrl}/sandboxes`, {
      id: audit.sandboxId,
      tenant: promptedEachTime,
      users: [{ id: 'ada' }],
    });
    const client = new PageClient(`${server.baseUrl}/s/${audit.sandboxId}`, dispatcher);
    const { signInId: id } = await client.begin('ada');
    await client.act('password', { password: 'correct horse' });
    await client.act('code', { code: '123456' });
    await client.act('skip');
    for (const type of ['signIn.started', 'password.accepted', 'mfa.completed', 'prompt.skipped']) {
      if (!unasked.includes(type)) audit.asks(type, type === 'signIn.started' ? 'ada' : id);
    }
    audit.heard('prompt.skipped', id);
    return { audit, id };
  }

  test('reports no problem for a complete journal', async () => {
    const { audit } = await skipped();
    await audit.check(server.controlUrl);
    await audit.check(server.controlUrl);
    expect(audit.acknowledged).toBe(1);
  });

  test('canary: finds an acknowledged write that is missing', async () => {
    const { audit } = await skipped();
    audit.heard('prompt.skipped', 's99');
    await expect(audit.check(server.controlUrl)).rejects.toThrow('prompt.skipped s99 was acknowledged and is lost');
  });

  test('canary: finds a write that no client requested', async () => {
    const { audit, id } = await skipped(['prompt.skipped']);
    await expect(audit.check(server.controlUrl)).rejects.toThrow(`prompt.skipped ${id} was asked for 0 times`);
  });

  test('canary: finds a nudge status that the journal does not produce', async () => {
    const { audit } = await skipped();
    const { directory } = server.sandboxes.get(audit.sandboxId);
    const { nudgeStatus } = directory;
    directory.nudgeStatus = (userId) => ({ ...nudgeStatus.call(directory, userId), snoozes: 2 });
    await expect(audit.check(server.controlUrl)).rejects.toThrow('the answer is in the journal: nudgeStatus');
  });
});
