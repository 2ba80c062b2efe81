import { describe, expect, it } from 'vitest';
import { expectedSuite } from '../../src/generate/generation.ts';
import type { Journey } from '../../src/generate/journey.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';

const fixtures = new FixtureLibrary(['fixtures']);

const journeys = ['first', 'second', 'third'].map((name): Journey => {
  const given = { tenant: 'app-enabled', users: { ada: 'sms-user' } };
  return { name, covers: [], given, steps: [{ signIn: { user: 'ada' } }] };
});

/** Time that goes on by 10 ms whenever someone asks. */
function tickingMs(): () => number {
  let nowMs = 0;
  return () => {
    nowMs += 10;
    return nowMs;
  };
}

describe('what journeys lead to, in a given time', () => {
  it('all of them without a limit, one after the other', async () => {
    const told: string[] = [];
    const suite = await expectedSuite(journeys, fixtures, { limitMs: null, elapsedMs: tickingMs() }, (done, total) => {
      told.push(`${done}/${total}`);
    });
    expect(suite.scenarios.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
    expect({ complete: suite.complete, told }).toEqual({ complete: true, told: ['1/3', '2/3', '3/3'] });
  });

  it('those that were done when the time was over, and that it is not all', async () => {
    const suite = await expectedSuite(journeys, fixtures, { limitMs: 20, elapsedMs: tickingMs() }, () => undefined);
    expect(suite.scenarios.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(suite.complete).toBe(false);
  });

  it('time-limit-too-short: none at all is an error', async () => {
    const nothing = expectedSuite(journeys, fixtures, { limitMs: 5, elapsedMs: tickingMs() }, () => undefined);
    await expect(nothing).rejects.toMatchObject({ code: 'time-limit-too-short' });
  });
});
