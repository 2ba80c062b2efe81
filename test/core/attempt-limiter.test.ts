import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AttemptLimiter, sharedCounter } from '../../src/core/attempt-limiter.ts';

const bounds = { attemptsMax: 3, windowMs: 100 };

function guessed(limit: AttemptLimiter, subject: string, times: number, atMs = 0): void {
  for (let guess = 0; guess < times; guess += 1) limit.note(subject, atMs);
}

describe('069: attempt limits', () => {
  test('a subject is kept regardless of the number of other subjects', () => {
    const limit = new AttemptLimiter(bounds);
    guessed(limit, 'victim', 3);
    for (let other = 0; other < 50_000; other += 1) limit.note(`other-${other}`, 1);
    expect(limit.waitMs('victim', 50)).toBe(50);
  });

  test('expired windows are removed and returned', () => {
    const limit = new AttemptLimiter(bounds);
    guessed(limit, 'early', 1);
    guessed(limit, 'both', 1);
    guessed(limit, 'both', 1, 60);
    expect(limit.note('late', 99).forgotten).toEqual([]);
    expect(limit.note('late', 100).forgotten).toEqual(['early', 'both']);
    expect(limit.note('late', 100).window).toEqual({ sinceMs: 99, count: 3 });
    expect(limit.clear()).toEqual(['late']);
  });

  test('a restored window continues', () => {
    const limit = new AttemptLimiter(bounds);
    limit.restore('a', { sinceMs: 10, count: 2 });
    expect(limit.waitMs('a', 20)).toBe(0);
    expect(limit.note('a', 20).window).toEqual({ sinceMs: 10, count: 3 });
    expect(limit.waitMs('a', 20)).toBe(90);
    expect([limit.forget('a'), limit.forget('a'), limit.waitMs('a', 20)]).toEqual([true, false, 0]);
  });

  test('synthetic names are spread evenly over a bounded number of counters', () => {
    const counts = new Array<number>(64).fill(0);
    for (let name = 0; name < 6_400; name += 1) {
      const counter = sharedCounter(createHash('sha256').update(`name-${name}`).digest('base64url'), counts.length);
      counts[counter] = (counts[counter] ?? 0) + 1;
    }
    expect([Math.min(...counts) > 50, Math.max(...counts) < 160]).toEqual([true, true]);
  });
});
