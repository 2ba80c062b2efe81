import { describe, expect, test } from 'vitest';
import { PageSizeBudget } from '../../src/report/page-size-budget.ts';

const pageBytes = 1_900_000;

describe('PageSizeBudget', () => {
  test('each type of detail has its own share, exact to the byte, even if the page has space left', () => {
    const fits = new PageSizeBudget(1, []).share(10);
    expect([fits('12345678901'), fits('123456'), fits('12345'), fits('1234'), fits('1')]).toEqual([
      false,
      true,
      false,
      true,
      false,
    ]);
  });

  test('all shares together are limited to the page size minus the fixed content', () => {
    const room = new PageSizeBudget(1, ['x'.repeat(pageBytes - 5)]);
    const [first, second] = [room.share(100), room.share(100)];
    expect([first('123'), second('123'), second('12'), first('1')]).toEqual([true, false, true, false]);
  });

  test('a detail with a short form uses only the difference, and sizes are counted in UTF-8 bytes', () => {
    const room = new PageSizeBudget(1, ['x'.repeat(pageBytes - 4)]);
    const fits = room.share(100);
    expect([fits('€€'), fits('12345', '1'), fits('1')]).toEqual([false, true, false]);
  });

  test.each([
    [0, pageBytes],
    [1, pageBytes],
    [1_000, pageBytes],
    [1_001, 2 * pageBytes],
    [2_000, 2 * pageBytes],
    [2_001, 3 * pageBytes],
  ])('a page of %i scenarios is limited to %i bytes', (scenarios, bytes) => {
    const fits = new PageSizeBudget(scenarios, []).share(Number.POSITIVE_INFINITY);
    expect([fits('x'.repeat(bytes + 1)), fits('x'.repeat(bytes))]).toEqual([false, true]);
  });
});
