import { describe, expect, it } from 'vitest';
import { getContentPixels, type LongPlace, scrolledTo } from '../../console/src/parts/long-scroll.ts';

const long = { fullPixels: 44_000_000, boxPixels: 540 };
const short = { fullPixels: 44_000, boxPixels: 540 };
const start: LongPlace = { top: 0, fullTop: 0 };
const contentEnd = getContentPixels(long) - long.boxPixels;
const fullEnd = long.fullPixels - long.boxPixels;

describe('list that is higher than a browser can render', () => {
  it('a shorter list scrolls pixel by pixel for any distance', () => {
    expect(getContentPixels(short)).toBe(44_000);
    for (const top of [1, 539, 20_000, 43_460]) expect(scrolledTo(short, start, top)).toEqual({ top, fullTop: top });
  });

  it('wheel steps scroll the usual number of pixels and skip no row', () => {
    let place = scrolledTo(long, start, contentEnd / 2);
    const { fullTop } = place;
    for (let turn = 0; turn < 100; turn += 1) place = scrolledTo(long, place, place.top + 100);
    expect(place.fullTop - fullTop).toBeCloseTo(10_000);
  });

  it('a jump scrolls to the proportional position and reaches both ends', () => {
    expect(scrolledTo(long, start, contentEnd)).toEqual({ top: contentEnd, fullTop: fullEnd });
    const middle = scrolledTo(long, start, contentEnd / 4);
    expect(middle.fullTop / fullEnd).toBeCloseTo(0.25);
    expect(scrolledTo(long, middle, 0)).toEqual({ top: 0, fullTop: 0 });
  });

  it('scrolling up from any position reaches the first row, even if the scroll box reaches its end earlier', () => {
    let place = scrolledTo(long, start, 5_000);
    expect(place.fullTop).toBeGreaterThan(20_000);
    let turns = 0;
    let last = place.fullTop;
    while (place.fullTop > 0) {
      place = scrolledTo(long, place, Math.max(0, place.top - 100));
      expect(last - place.fullTop).toBeLessThanOrEqual(101);
      expect(place.top).toBeGreaterThanOrEqual(0);
      last = place.fullTop;
      turns += 1;
      expect(turns).toBeLessThan(1_000);
    }
    expect(place).toEqual({ top: 0, fullTop: 0 });
  });

  it('scrolling down near the end reaches the last row', () => {
    let place = scrolledTo(long, start, contentEnd - 4_000);
    for (let turn = 0; turn < 1_000 && place.fullTop < fullEnd; turn += 1) {
      place = scrolledTo(long, place, Math.min(contentEnd, place.top + 100));
    }
    expect(place).toEqual({ top: contentEnd, fullTop: fullEnd });
  });
});
