import { expect, test } from 'vitest';
import { TimeOver, withinTime } from '../../src/core/time-limit.ts';

test('a task has its result or its error', () => {
  expect(withinTime(1_000, () => [1])).toEqual([1]);
  expect(() =>
    withinTime(1_000, () => {
      throw new RangeError('no');
    }),
  ).toThrow(new RangeError('no'));
});

test('a task without an end is stopped, and what follows runs as usual', () => {
  let steps = 0;
  const act = () =>
    withinTime(20, () => {
      for (;;) steps += 1;
    });
  expect(act).toThrow(TimeOver);
  expect(steps).toBeGreaterThan(0);
  expect(withinTime(1_000, () => 'again')).toBe('again');
});

test('a task within a task has its own limit and result', () => {
  const inner = (): string => {
    expect(() =>
      withinTime(20, () => {
        for (;;);
      }),
    ).toThrow(TimeOver);
    return withinTime(1_000, () => 'inner');
  };
  expect(withinTime(5_000, () => `outer ${inner()}`)).toBe('outer inner');
});
