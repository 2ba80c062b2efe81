import { describe, expect, it } from 'vitest';
import { NumberList } from '../../src/core/number-list.ts';

describe('a list of numbers', () => {
  it('returns every number across its blocks, and the one that replaced another', () => {
    const times = new NumberList('float64');
    for (let index = 0; index < 10_000; index += 1) times.push(index + 0.5);
    expect(times.length).toBe(10_000);
    const places = [0, 4_095, 4_096, 8_192, 9_999];
    expect(places.map((place) => times.at(place))).toEqual([0.5, 4_095.5, 4_096.5, 8_192.5, 9_999.5]);
    times.set(4_096, -1);
    expect([times.at(4_095), times.at(4_096), times.at(4_097)]).toEqual([4_095.5, -1, 4_097.5]);
  });

  it('counts numbers up to a maximum', () => {
    const seqs = new NumberList('uint32');
    expect(seqs.countUpTo(5)).toBe(0);
    for (const value of [1, 4, 4, 4_294_967_295]) seqs.push(value);
    expect([0, 1, 3, 4, 5, 4_294_967_295].map((max) => seqs.countUpTo(max))).toEqual([0, 1, 1, 3, 3, 4]);
  });

  it('rejects indexes outside, also inside its last block', () => {
    const list = new NumberList('uint32');
    expect(() => list.at(0)).toThrow(RangeError);
    list.push(7);
    for (const index of [-1, 1, 4_096, 0.5]) {
      expect(() => list.at(index)).toThrow(RangeError);
      expect(() => list.set(index, 1)).toThrow(RangeError);
    }
  });
});
