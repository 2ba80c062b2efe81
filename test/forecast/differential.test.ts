import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reasonCodes } from '../../machines/vocabulary.ts';
import { answerPaths } from '../../src/forecast/answer-paths.ts';
import type { CompiledForecast } from '../../src/forecast/compile-forecast.ts';
import { counterLayout } from '../../src/forecast/counters.ts';
import { followUser } from '../../src/forecast/follow-user.ts';
import { simulateUsers } from '../../src/forecast/kernel.ts';
import { attemptLogSize, promptedFrom } from '../../src/forecast/user-run.ts';
import { anyTenant, compiled, officeTenant } from './descriptions.ts';

/** What the kernel says of one user, attempt by attempt, in words. */
function told(forecast: CompiledForecast, seed: number, user: number): readonly unknown[] {
  const { tables, lifecycle, segments } = forecast;
  const layout = counterLayout(tables.days, segments.length);
  const log: number[] = [];
  const output = { population: new Uint32Array(1), counters: new Int32Array(layout.size), log };
  simulateUsers(tables, layout, { seed, firstUser: user, endUser: user + 1 }, output);
  return Array.from({ length: log.length / attemptLogSize }, (_, attempt) => {
    const [day, kind, code = 0, state = 0] = log.slice(attempt * attemptLogSize);
    const asked = code >= promptedFrom;
    const path = asked ? answerPaths[(code - promptedFrom) % answerPaths.length] : undefined;
    return {
      day,
      kind,
      reason: asked ? null : reasonCodes[code - 1],
      outcome: asked ? (code - promptedFrom < answerPaths.length ? 'skippable' : 'required') : 'none',
      answer: path?.name ?? null,
      state: lifecycle.states[state],
      snoozes: lifecycle.counts[state],
    };
  });
}

/** What the machines say of the same user. */
function followed(forecast: CompiledForecast, seed: number, user: number): readonly unknown[] {
  return followUser(forecast, seed, user).attempts.map(({ atMs: _, snoozes, ...attempt }) => ({
    ...attempt,
    snoozes: Math.min(snoozes, 3),
  }));
}

describe('the kernel against the machines', () => {
  test('R1 to R13: the kernel tells of 300 users what judge and the nudge machine tell, event by event', () => {
    const forecast = compiled(officeTenant);
    let prompts = 0;
    for (let user = 0; user < 300; user += 1) {
      const expected = followed(forecast, 7, user);
      expect(told(forecast, 7, user)).toEqual(expected);
      prompts += expected.filter((attempt) => (attempt as { answer: unknown }).answer !== null).length;
    }
    expect(prompts).toBeGreaterThan(500);
  });

  test('R5, R6, A19: the same holds for any policy, ruleset, habit and answers', () => {
    fc.assert(
      fc.property(anyTenant, fc.integer({ min: 0, max: 2 ** 32 - 1 }), (description, seed) => {
        const forecast = compiled(description);
        for (const user of [0, 1, 2, 3_999_999_999]) {
          expect(told(forecast, seed | 0, user)).toEqual(followed(forecast, seed | 0, user));
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
