import { describe, expect, it } from 'vitest';
import { afterPendingInput, stopwatch } from '../../src/core/clock.ts';
import { TimeSlices } from '../../src/core/time-slices.ts';

describe('slices of a long task', () => {
  it('end after a few milliseconds, and other tasks run in each pause', async () => {
    const slices = new TimeSlices();
    let others = 0;
    let pauses = 0;
    const elapsed = stopwatch();
    while (elapsed() < 60) {
      if (!slices.isDue()) continue;
      afterPendingInput(() => {
        others += 1;
      });
      await slices.pause();
      pauses += 1;
    }
    expect(pauses).toBeGreaterThan(0);
    expect(pauses).toBeLessThanOrEqual(6);
    expect(others).toBeGreaterThanOrEqual(pauses - 1);
    expect(slices.hasPaused).toBe(true);
  });

  it('a short task has none', () => {
    const slices = new TimeSlices();
    expect(Array.from({ length: 63 }, () => slices.isDue())).not.toContain(true);
    expect(slices.hasPaused).toBe(false);
  });
});
