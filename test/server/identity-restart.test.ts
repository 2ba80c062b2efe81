import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { beginPrompt, errorCodeIn, type IdentityServer, pageIn, send, startIdentityServer } from './identity-server.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nudgelab-identity-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function serverOn(file: string): Promise<IdentityServer> {
  return startIdentityServer({}, {}, await SqliteStore.open(join(folder, file)));
}

test('session: after a restart, the cookie and anti-forgery token of a sign-in are valid, and its skip counts once', async () => {
  const before = await serverOn('kept.db');
  const prompt = await beginPrompt(before, 'ada');
  await before.close();
  const after = await serverOn('kept.db');
  const response = await after.ask(prompt.address, { headers: { cookie: prompt.cookie } });
  const answers = [await send(after, prompt, { action: 'skip' }), await send(after, prompt, { action: 'skip' })];
  const { snoozes } = after.sandbox.directory.nudgeStatus('ada');
  await after.close();
  expect(pageIn(response).name).toBe('prompt');
  expect([answers.map((answer) => pageIn(answer).name), snoozes]).toEqual([['signed-in', 'signed-in'], 1]);
});

test('anti-forgery-token-invalid: the same sign-in in another store rejects its cookie and its token', async () => {
  const [one, two] = [await serverOn('one.db'), await serverOn('two.db')];
  const prompt = await beginPrompt(one, 'ada');
  await beginPrompt(two, 'ada');
  const answer = await send(two, prompt, { action: 'skip' });
  const snoozes = two.sandbox.directory.nudgeStatus('ada').snoozes;
  await one.close();
  await two.close();
  expect([answer.status, errorCodeIn(answer), snoozes]).toEqual([403, 'anti-forgery-token-invalid', 0]);
});
