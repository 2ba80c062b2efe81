import fc from 'fast-check';
import { LRUCache } from 'lru-cache';
import { describe, expect, test } from 'vitest';
import { LruMap } from '../../src/core/lru-map.ts';
import { nonEmpty } from '../non-empty.ts';

const key = fc.integer({ min: 0, max: 8 });
const action = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), key, value: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constant('get' as const), key }),
  fc.record({ kind: fc.constant('has' as const), key }),
  fc.record({ kind: fc.constant('delete' as const), key }),
  fc.record({ kind: fc.constant('clear' as const), key }),
);

describe('054: map of the most recently used entries', () => {
  test.for([
    ['so many entries', { max: 4 }, { max: 4 }],
    ['so much weight', { weightMax: 10 }, { maxSize: 10 }],
  ] as const)('054: limited to %s, the map contains the same entries as a reference library', ([, limits, theirs]) => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 60 }), (actions) => {
        const dropped: number[] = [];
        const theirDropped: number[] = [];
        const ours = new LruMap<number, number>({
          ...limits,
          computeWeight: (value) => value,
          onDropped: (one) => dropped.push(one),
        });
        const library = new LRUCache<number, number>({
          ...theirs,
          ...('maxSize' in theirs ? { sizeCalculation: (value: number) => value } : {}),
          dispose: (_, one, reason) => void (reason === 'evict' && theirDropped.push(one)),
        } as LRUCache.Options<number, number, unknown>);
        for (const one of nonEmpty(actions)) expect(done(ours, one)).toBe(done(library, one));
        expect(dropped).toEqual(theirDropped);
      }),
    );
  });
});

type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

/** Performs one action on a map of either kind and returns its result for a key. */
function done(map: LruMap<number, number> | LRUCache<number, number>, one: Action): unknown {
  switch (one.kind) {
    case 'set':
      return void map.set(one.key, one.value);
    case 'delete':
      return void map.delete(one.key);
    case 'clear':
      return map.clear();
    default:
      return map[one.kind](one.key);
  }
}
