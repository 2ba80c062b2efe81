import { describe, expect, test } from 'vitest';
import { PageSizeBudget } from '../../src/report/page-size-budget.ts';

const pageBytes = 1_900_000;

describe('PageSizeBudget', () => {
  test('details of one kind have their own share, to the byte, however much room the page has', () => {
    const fits = new PageSizeBudget(1, []).share(10);
    expect([fits('12345678901'), fits('123456'), fits('12345'), fits('1234'), fits('1')]).toEqual([
      false,
      true,
      false,
      true,
      false,
    ]);
  });

  test('all kinds together have the room of the page, less what stands on it anyway', () => {
    const room = new PageSizeBudget(1, ['x'.repeat(pageBytes - 5)]);
    const [first, second] = [room.share(100), room.share(100)];
    expect([first('123'), second('123'), second('12'), first('1')]).toEqual([true, false, true, false]);
  });

  test('what is told in short as well takes the difference, and characters are counted as they are sent', () => {
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
  ])('a page of %i scenarios has %i bytes', (scenarios, bytes) => {
    const fits = new PageSizeBudget(scenarios, []).share(Number.POSITIVE_INFINITY);
    expect([fits('x'.repeat(bytes + 1)), fits('x'.repeat(bytes))]).toEqual([false, true]);
  });
});
