import { describe, expect, test } from 'vitest';
import { userAttemptsMax } from '../../src/core/limits.ts';
import { shareInFile } from '../share-in-file.ts';
import { startSite } from './site.ts';
import type { Visitor } from './visitor.ts';

const site = shareInFile(() => startSite());

const startMs = 1_772_600_767_000;
const standing = { clock: { nowMs: startMs, running: false } } as const;

const secrets = [
  { page: 'password', button: 'Sign in', label: 'Password', right: 'correct horse', after: 'mfa' },
  { page: 'mfa', button: 'Verify', label: 'Code', right: '123456', after: 'prompt' },
] as const;

async function guessWrong(visitor: Visitor, { button, label }: (typeof secrets)[number], times: number): Promise<void> {
  for (let guess = 0; guess < times; guess += 1) {
    await visitor.press(button, { [label]: `wrong-${guess}` });
    expect(visitor.shown.status).toBe(401);
  }
}

describe.each(secrets)('failed attempts on the page $page', (secret) => {
  const { page, button, label, right, after } = secret;

  test('too-many-guesses: after ten failed attempts the correct value is rejected for ten minutes, in every browser', async () => {
    const visitor = await (await site.visitor(standing)).signIn(page);
    await guessWrong(visitor, secret, userAttemptsMax);
    await visitor.press(button, { [label]: right });
    expect([...visitor.seen, visitor.shown.headers['retry-after']]).toEqual([429, page, '600']);
    const other = await site.createVisitor(visitor.sandbox).signIn(page);
    await other.press(button, { [label]: right });
    expect([...other.seen, other.shown.headers['retry-after']]).toEqual([429, page, '600']);
    await visitor.sandbox.clock.advance({ minutes: 9 });
    await visitor.press(button, { [label]: right });
    expect([...visitor.seen, visitor.shown.headers['retry-after']]).toEqual([429, page, '60']);
    await visitor.sandbox.clock.advance({ minutes: 1 });
    await visitor.press(button, { [label]: right });
    expect(visitor.seen).toEqual([200, after]);
  });

  test('concurrent failed attempts are also counted', async () => {
    const visitor = await (await site.visitor(standing)).signIn(page);
    const tabs = Array.from({ length: 3 * userAttemptsMax }, () => visitor.copy());
    await Promise.all(tabs.map((tab, guess) => tab.press(button, { [label]: `wrong-${guess}` })));
    const statuses = tabs.map(({ shown }) => shown.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(userAttemptsMax);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * userAttemptsMax);
  });

  test('a successful attempt resets the count, and an empty one does not count', async () => {
    const visitor = await (await site.visitor(standing)).signIn(page);
    await visitor.press(button, { [label]: '' });
    await guessWrong(visitor, secret, userAttemptsMax - 1);
    await visitor.press(button, { [label]: right });
    expect(visitor.seen).toEqual([200, after]);
    const next = await site.createVisitor(visitor.sandbox).signIn(page);
    await guessWrong(next, secret, userAttemptsMax - 1);
    await next.press(button, { [label]: right });
    expect(next.shown.status).toBe(200);
  });

  test('failed attempts are not recorded in the journal, and a reset clears the count', async () => {
    const visitor = await (await site.visitor(standing)).signIn(page);
    const before = visitor.sandbox.entryCount;
    await guessWrong(visitor, secret, userAttemptsMax);
    expect(visitor.sandbox.entryCount).toBe(before);
    await site.sandboxes.reset(visitor.sandbox.id);
    const again = await site.createVisitor(visitor.sandbox).signIn(page);
    await again.press(button, { [label]: right });
    expect(again.shown.status).toBe(200);
  });

  test('other users, and the same user in another sandbox, are not limited', async () => {
    const visitor = await (await site.visitor(standing)).signIn(page);
    await guessWrong(visitor, secret, userAttemptsMax);
    const elsewhere = await (await site.visitor(standing)).signIn(page);
    await elsewhere.press(button, { [label]: right });
    expect(elsewhere.seen).toEqual([200, after]);
  });
});
