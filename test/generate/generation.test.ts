import { describe, expect, it } from 'vitest';
import { expectedSuite } from '../../src/generate/generation.ts';
import type { Journey } from '../../src/generate/journey.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';

const fixtures = new FixtureLibrary(['fixtures']);

const journeys = ['first', 'second', 'third'].map((name): Journey => {
  const given = { tenant: 'app-enabled', users: { ada: 'sms-user' } };
  return { name, covers: [], given, steps: [{ signIn: { user: 'ada' } }] };
});

/** Creates a timer that advances by 10 ms at each call. */
function tickingMs(): () => number {
  let nowMs = 0;
  return () => {
    nowMs += 10;
    return nowMs;
  };
}

describe('expected results of journeys with a time limit', () => {
  it('returns all journeys in order without a limit', async () => {
    const progress: string[] = [];
    const suite = await expectedSuite(journeys, fixtures, { limitMs: null, elapsedMs: tickingMs() }, (done, total) => {
      progress.push(`${done}/${total}`);
    });
    expect(suite.scenarios.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
    expect({ complete: suite.complete, progress }).toEqual({ complete: true, progress: ['1/3', '2/3', '3/3'] });
  });

  it('returns the journeys that were finished within the limit, and marks the suite as incomplete', async () => {
    const suite = await expectedSuite(journeys, fixtures, { limitMs: 20, elapsedMs: tickingMs() }, () => undefined);
    expect(suite.scenarios.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(suite.complete).toBe(false);
  });

  it('time-limit-too-short: a suite without any finished journey is an error', async () => {
    const nothing = expectedSuite(journeys, fixtures, { limitMs: 5, elapsedMs: tickingMs() }, () => undefined);
    await expect(nothing).rejects.toMatchObject({ code: 'time-limit-too-short' });
  });
});
