import { expect, test } from 'vitest';
import { ShownPages } from '../../../src/server/identity/shown-pages.ts';

test('A41: only a beacon of an earlier page of the same sign-in is outdated', () => {
  const sandbox = { recorder: { store: {} } } as never;
  const pages = new ShownPages();
  const first = pages.next(sandbox, 'a');
  const second = pages.next(sandbox, 'a');
  const other = pages.next(sandbox, 'b');
  expect(new Set([first, second, other]).size).toBe(3);
  const isOutdated = (signInId: string, page: number | null): boolean =>
    pages.isOutdated(sandbox, signInId, page === null ? null : String(page));
  expect([isOutdated('a', first), isOutdated('a', second), isOutdated('b', other)]).toEqual([true, false, false]);
  expect([isOutdated('a', null), isOutdated('unknown', first)]).toEqual([false, false]);
  pages.forget(sandbox, 'a');
  expect(isOutdated('a', first)).toBe(false);
});
