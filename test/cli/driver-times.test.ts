import { expect, it } from 'vitest';
import { DriverStopwatch } from '../../src/cli/run/driver-times.ts';

it('the time of a driver starts at the end of the previous driver', () => {
  let elapsedMs = 0;
  const stopwatch = new DriverStopwatch(() => elapsedMs);
  expect(stopwatch.times()).toEqual(new Map());
  for (const [driver, atMs] of [
    ['model', 20],
    ['model', 50],
    ['http', 90],
    ['browser', 700],
  ] as const) {
    elapsedMs = atMs;
    stopwatch.note({ driver } as never);
  }
  expect([...stopwatch.times()]).toEqual([
    ['model', 50],
    ['http', 40],
    ['browser', 610],
  ]);
});
